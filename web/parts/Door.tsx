// Lets those who are signed in to the screen they asked for, and everybody else to the sign-in, at the same address.
import { lazy, Suspense } from 'react'
import { useWhoIsThere } from '../data/session.ts'
import { ErrorState, Loading } from './States.tsx'
import { Shell } from './Shell.tsx'

const SignIn = lazy(async () => ({ default: (await import('../screens/SignIn.tsx')).SignIn }))

export const Door = () => {
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
