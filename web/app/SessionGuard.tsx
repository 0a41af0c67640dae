// Lets those who are signed in to the screen they asked for, and everybody else to the sign-in, at the same address.
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useWhoIsThere, type Session } from '../api/session.ts'
import { signOnOutcome } from '../api/sign-on.ts'
import { ErrorState, Loading } from '../components/QueryStates.tsx'
import { Shell } from './Shell.tsx'

const SignIn = lazy(async () => ({
  default: (await import('../features/sign-in/SignIn.tsx')).SignIn,
}))

const FactorDemanded = lazy(async () => ({
  default: (await import('../features/sign-in/FactorDemanded.tsx')).FactorDemanded,
}))

/** What a link that was sent to somebody opens, and who forgot the password: nobody is signed in yet. */
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

/** Whoever sets up a demanded second factor stays there until the codes are kept, whatever the session says by then. */
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
