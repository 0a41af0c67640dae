// SessionGuard: renders the requested screen, or the sign-in at the same URL.
import type { Session } from '../../src/app/contract/session.ts'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { sessionQuery } from '../api/session.ts'
import { ssoOutcome } from '../api/sso.ts'
import { loadOnDemand } from '../components/load-on-demand.tsx'
import { ReauthenticationProvider } from '../components/Reauthenticate.tsx'
import { SessionRenewal } from '../components/SessionRenewal.tsx'
import { ErrorState, Loading } from '../components/QueryStates.tsx'
import { TimeZoneProvider } from '../i18n/LanguageProvider.tsx'
import { Shell } from './Shell.tsx'
import { isPublic } from './navigation.ts'

const SignIn = loadOnDemand(async () => (await import('../features/sign-in/SignIn.tsx')).SignIn, <Loading />)

const FactorRequired = loadOnDemand(
  async () => (await import('../features/sign-in/FactorRequired.tsx')).FactorRequired,
  <Loading />,
)

export function SessionGuard() {
  // That of the screen which Outlet shows: during a navigation the location is already the next one.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname })
  return pathname !== undefined && isPublic(pathname) ? (
    <Suspense fallback={<Loading />}>
      <Outlet />
    </Suspense>
  ) : (
    <Authenticated />
  )
}

function Authenticated() {
  const { data: session, error, isPending, refetch } = useQuery(sessionQuery)
  if (session === null) return <SignIn outcome={ssoOutcome} />
  if (session !== undefined)
    return (
      <TimeZoneProvider zone={session.zone}>
        {/* Nothing of another user or company stays on the screen. */}
        <ReauthenticationProvider key={`${session.email} ${session.company}`}>
          <SignedInApp session={session} />
          <SessionRenewal session={session} />
        </ReauthenticationProvider>
      </TimeZoneProvider>
    )
  if (isPending) return <Loading />
  return <ErrorState error={error} onRetry={() => void refetch()} />
}

/** Setting up a required second factor stays open until the recovery codes are confirmed. */
function SignedInApp({ session }: { session: Session }) {
  const [isSettingUpFactor, setSettingUpFactor] = useState(session.lacksFactor)
  if (session.lacksFactor && !isSettingUpFactor) setSettingUpFactor(true)
  if (!isSettingUpFactor) return <Shell />
  return <FactorRequired session={session} onDone={() => setSettingUpFactor(false)} />
}
