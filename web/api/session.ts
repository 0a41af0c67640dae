// Who is signed in, and what they may do.
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { act, ask, Refusal, setToken } from './client.ts'
import { forgetKept, keeping } from './local-cache.ts'
import { reachNow } from './connectivity.ts'

export type Role = 'registrant' | 'viewer' | 'approver' | 'auditor' | 'admin'

export interface Session {
  readonly email: string
  readonly role: Role
  /** Runs the server. */
  readonly isOperator: boolean
  /** Where an approver decides; null for everywhere. */
  readonly departments: readonly string[] | null
  readonly scopes: readonly string[]
  readonly company: string
  readonly companies: readonly string[]
  readonly currency: string
  readonly zone: string
  /** The company's day, `YYYY-MM-DD`. */
  readonly today: string
  readonly isSandbox: boolean
  readonly via: 'password' | 'provider' | 'passkey'
  /** Whether the company wants a second factor that the person has not yet. */
  readonly lacksFactor: boolean
  /** Whoever registered a line has it approved by somebody else. */
  readonly fourEyes: boolean
}

/** What is typed to come in; the code only where one is asked for. */
export interface Credentials {
  readonly email: string
  readonly password: string
  readonly company: string
  readonly code?: string
  /** `true` for a browser that is not to be asked for a code again. */
  readonly trust?: string
}

/** Null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return withDay(
        await keeping('session', async () => {
          // The token opens the session to whoever reads it: it is kept nowhere.
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

/** Days pass without a net too. */
function withDay(session: Session): Session {
  if (session.isSandbox || !reachNow().isAway) return session
  const here = new Intl.DateTimeFormat('sv-SE', { timeZone: session.zone }).format(new Date())
  return here > session.today ? { ...session, today: here } : session
}

/** For what is shown to those who are signed in alone. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Error('a screen without a session')
  return data
}

export function useWhoIsThere() {
  return useQuery(sessionQuery)
}

/** Forgets who was signed in, when the server has ended the session. */
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
    /** Otherwise than by password; `work` tells whether it came to that. */
    enter: async (work: () => Promise<boolean>) => {
      if (await work()) await anew()
    },
    /** The same person goes on, with a password that was given just now. */
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
