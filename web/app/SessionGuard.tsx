// SessionGuard: renders the requested screen, or the sign-in at the same URL.
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useWhoIsThere, type Session } from '../api/session.ts'
import { signOnOutcome } from '../api/sso.ts'
import { ErrorState, Loading } from '../components/QueryStates.tsx'
import { Shell } from './Shell.tsx'

const SignIn = lazy(async () => ({
  default: (await import('../features/sign-in/SignIn.tsx')).SignIn,
}))

const FactorDemanded = lazy(async () => ({
  default: (await import('../features/sign-in/FactorRequired.tsx')).FactorDemanded,
}))

/** Reachable without a session: links sent by e-mail, and the forgotten-password form. */
const open: ReadonlySet<string> = new Set(['/app/invitasjon', '/app/glemt', '/app/ny-adgang'])

export function Door() {
  const { pathname } = useLocation()
  return open.has(pathname) ? (
    <Suspense fallback={<Loading />}>
      <Outlet />
    </Suspense>
  ) : (
    <ForMembers />
  )
}

function ForMembers() {
  const { data: session, error, isPending, refetch } = useWhoIsThere()
  if (session === null)
    return (
      <Suspense fallback={<Loading />}>
        <SignIn outcome={signOnOutcome} />
      </Suspense>
    )
  if (session !== undefined) return <Inside session={session} />
  if (isPending) return <Loading />
  return <ErrorState error={error} onRetry={() => void refetch()} />
}

/** Setting up a required second factor stays open until the recovery codes are confirmed. */
function Inside({ session }: { session: Session }) {
  const [isHeld, setHeld] = useState(session.lacksFactor)
  if (session.lacksFactor && !isHeld) setHeld(true)
  if (!isHeld) return <Shell session={session} />
  return (
    <Suspense fallback={<Loading />}>
      <FactorDemanded session={session} onDone={() => setHeld(false)} />
    </Suspense>
  )
}
