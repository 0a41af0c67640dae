// Lets those who are signed in to the screen they asked for, and everybody else to the sign-in, at the same address.
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useWhoIsThere } from '../data/session.ts'
import { ErrorState, Loading } from './States.tsx'
import { Shell } from './Shell.tsx'

const SignIn = lazy(async () => ({ default: (await import('../screens/SignIn.tsx')).SignIn }))

/** What a link that was sent to somebody opens, and who forgot the password: nobody is signed in yet. */
const open: ReadonlySet<string> = new Set(['/app/invitasjon', '/app/glemt', '/app/ny-adgang'])

export const Door = () => {
  const { pathname } = useLocation()
  return open.has(pathname) ? (
    <Suspense fallback={<Loading />}>
      <Outlet />
    </Suspense>
  ) : (
    <ForMembers />
  )
}

const ForMembers = () => {
  const { data: session, error, isPending, refetch } = useWhoIsThere()
  if (session === null)
    return (
      <Suspense fallback={<Loading />}>
        <SignIn />
      </Suspense>
    )
  if (session !== undefined) return <Shell session={session} />
  if (isPending) return <Loading />
  return <ErrorState error={error} onRetry={() => void refetch()} />
}
