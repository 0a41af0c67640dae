// The current session: who is signed in, signing in and out, switching company.
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { act, ask, Refusal, setToken } from './client.ts'
import { forgetKept, keeping } from './local-cache.ts'
import { reachNow } from './connectivity.ts'

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
      return withDay(
        await keeping('session', async () => {
          // The CSRF token gives write access to whoever reads it: it is never stored.
          const { csrf, ...session } = await ask<Session & { csrf: string }>('/app/okt')
          setToken(csrf)
          return session
        }),
      )
    } catch (error) {
      if (error instanceof Refusal && error.code === 'SessionExpired') {
        forgetKept()
        return null
      }
      throw error
    }
  },
  staleTime: 60_000,
})

/** The date advances offline too. */
function withDay(session: Session): Session {
  if (session.isSandbox || !reachNow().isAway) return session
  const here = new Intl.DateTimeFormat('sv-SE', { timeZone: session.zone }).format(new Date())
  return here > session.today ? { ...session, today: here } : session
}

/** For components that are rendered only when somebody is signed in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Error('useSession was called without a session')
  return data
}

export function useWhoIsThere() {
  return useQuery(sessionQuery)
}

/** Clears all cached data after the server has ended the session. */
export function useForgetting() {
  const client = useQueryClient()
  return () => {
    client.setQueryData(sessionQuery.queryKey, null)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  }
}

export function useSigning() {
  const client = useQueryClient()
  const forget = useForgetting()
  const anew = async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    await client.refetchQueries(sessionQuery)
  }
  return {
    signIn: async (fields: Credentials) => {
      await act('POST', '/app/okt', fields)
      await anew()
    },
    /** Signs in by other means than a password; `work` returns whether it succeeded. */
    enter: async (work: () => Promise<boolean>) => {
      if (await work()) await anew()
    },
    /** Re-authenticates the current user. */
    prove: async (proof: Pick<Credentials, 'password' | 'code'>, { email, company }: Session) => {
      await act('POST', '/app/okt', { email, company, ...proof })
      await client.refetchQueries(sessionQuery)
    },
    signOut: async () => {
      await act('DELETE', '/app/okt')
      forgetKept()
      forget()
    },
    moveTo: async (company: string) => {
      await act('POST', '/app/okt/bytt', { company })
      await anew()
    },
  }
}
