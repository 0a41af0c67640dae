// The current session: who is signed in, signing in and out, switching company.
import type { Credentials, Session } from '../../src/app/contract/session.ts'
import { appPaths } from '../../src/app/contract/paths.ts'
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { del, get, post, RequestError, setCsrfToken } from './client.ts'
import { deleteCache, fetchWithCache } from './local-cache.ts'
import { getConnectivity } from './connectivity.ts'

/** Null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return withCurrentDay(
        await fetchWithCache('session', async () => {
          const { csrf, ...session } = await get(appPaths.session)
          setCsrfToken(csrf)
          return session
        }),
      )
    } catch (error) {
      if (error instanceof RequestError && error.code === 'SessionExpired') {
        deleteCache()
        return null
      }
      throw error
    }
  },
  staleTime: 60_000,
})

/** The date advances offline too. */
function withCurrentDay(session: Session): Session {
  if (session.isSandbox || !getConnectivity().isOffline) return session
  const here = new Intl.DateTimeFormat('sv-SE', { timeZone: session.zone }).format(new Date())
  return here > session.today ? { ...session, today: here } : session
}

/** For components that are rendered only when somebody is signed in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Error('useSession was called without a session')
  return data
}

export function useSessionOrNull() {
  return useQuery(sessionQuery)
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
      await post(appPaths.session, fields)
      await reloadSession()
    },
    /** Signs in by other means than a password; `work` returns whether it succeeded. */
    signInWith: async (work: () => Promise<boolean>) => {
      if (await work()) await reloadSession()
    },
    /** Re-authenticates the current user. */
    reauthenticate: async (
      credentials: Pick<Credentials, 'password' | 'code'>,
      { email, company }: Session,
    ) => {
      await post(appPaths.session, { email, company, ...credentials })
      await client.refetchQueries(sessionQuery)
    },
    signOut: async () => {
      await del(appPaths.session, undefined)
      deleteCache()
      forget()
    },
    switchCompany: async (company: string) => {
      await post(appPaths.sessionCompany, { company })
      await reloadSession()
    },
  }
}
