// The current session: who is signed in, signing in and out, switching company.
import type { Credentials, Session } from '../../src/app/contract/session.ts'
import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { del, get, hasErrorCode, post, renewExpiredSession, RequestError, setCsrfToken } from './client.ts'
import { deleteCache, fetchWithCache } from './local-cache.ts'
import { getConnectivity } from './connectivity.ts'
import { toDay } from './format.ts'

/** Null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await fetchSession()
    } catch (error) {
      if (!hasErrorCode(error, 'SessionExpired')) throw error
      deleteCache()
      return (await renewExpiredSession()) ? fetchSession() : null
    }
  },
  staleTime: 60_000,
})

async function fetchSession(): Promise<Session> {
  return withCurrentDay(
    await fetchWithCache('session', async () => {
      const found = await get('session')
      if (found === null) throw new RequestError('SessionExpired', 401, '', null)
      const { csrf, ...session } = found
      setCsrfToken(csrf)
      return session
    }),
  )
}

/** The date advances offline too. */
function withCurrentDay(session: Session): Session {
  if (session.isSandbox || !getConnectivity().isOffline) return session
  const here = toDay(Date.now() * 1000, session.zone)
  return here > session.today ? { ...session, today: here } : session
}

/** For components that are rendered only when somebody is signed in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Error('useSession was called without a session')
  return data
}

/** The message of a failed sign-in; `wrong` is that of a wrong password. */
export function toSignInProblem(error: Error | null, wrong: string): string | null {
  return hasErrorCode(error, 'InvalidCredentials') ? wrong : (error?.message ?? null)
}

/** Clears all cached data after the server has ended the session. */
export function useForgetSession() {
  const client = useQueryClient()
  return () => {
    client.setQueryData(sessionQuery.queryKey, null)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  }
}

export function useSignInActions() {
  const client = useQueryClient()
  const forget = useForgetSession()
  const reloadSession = async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    await client.refetchQueries(sessionQuery)
  }
  return {
    signIn: async (fields: Credentials) => {
      await post('session', fields)
      await reloadSession()
    },
    /** Signs in by other means than a password; `work` returns whether it succeeded. */
    signInWith: async (work: () => Promise<boolean>) => {
      if (await work()) await reloadSession()
    },
    /** Re-authenticates the current user. */
    reauthenticate: async (credentials: Pick<Credentials, 'password' | 'code'>, { email, company }: Session) => {
      await post('session', { email, company, ...credentials })
      await client.refetchQueries(sessionQuery)
    },
    /** Returns whether the same user is signed in again, in another tab. */
    resumeSession: async ({ email, company }: Session): Promise<boolean> => {
      const session = await fetchSession()
      const isSame = session.email === email && session.company === company
      if (isSame) client.setQueryData(sessionQuery.queryKey, session)
      return isSame
    },
    signOut: async () => {
      await del('session', undefined).catch((error: unknown) => {
        if (!hasErrorCode(error, 'SessionExpired')) throw error
      })
      deleteCache()
      forget()
    },
    switchCompany: async (company: string) => {
      await post('sessionCompany', { company })
      await reloadSession()
    },
  }
}
