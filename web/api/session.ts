// The current session: who is signed in, signing in and out, switching company.
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { request, get, RequestError, setCsrfToken } from './client.ts'
import { deleteCache, fetchWithCache } from './local-cache.ts'
import { getConnectivity } from './connectivity.ts'

export type Role = 'registrant' | 'viewer' | 'approver' | 'auditor' | 'admin'

export interface Session {
  readonly email: string
  readonly role: Role
  /** Operates the server. */
  readonly isOperator: boolean
  /** Departments that an approver may decide on; null for all. */
  readonly departments: readonly string[] | null
  readonly scopes: readonly string[]
  readonly company: string
  readonly companies: readonly string[]
  readonly currency: string
  readonly zone: string
  /** Today in the company's time zone, `YYYY-MM-DD`. */
  readonly today: string
  readonly isSandbox: boolean
  readonly via: 'password' | 'provider' | 'passkey'
  /** The company requires a second factor that this user has not set up. */
  readonly lacksFactor: boolean
  /** A line must be approved by somebody other than who registered it. */
  readonly fourEyes: boolean
}

/** Sign-in form; the code only where one is asked for. */
export interface Credentials {
  readonly email: string
  readonly password: string
  readonly company: string
  readonly code?: string
  /** `true`: trust this browser, and ask it for no code. */
  readonly trust?: string
}

/** Null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return withCurrentDay(
        await fetchWithCache('session', async () => {
          // The CSRF token gives write access to whoever reads it: it is never stored.
          const { csrf, ...session } = await get<Session & { csrf: string }>('/app/okt')
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
      await request('POST', '/app/okt', fields)
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
      await request('POST', '/app/okt', { email, company, ...credentials })
      await client.refetchQueries(sessionQuery)
    },
    signOut: async () => {
      await request('DELETE', '/app/okt')
      deleteCache()
      forget()
    },
    switchCompany: async (company: string) => {
      await request('POST', '/app/okt/bytt', { company })
      await reloadSession()
    },
  }
}
