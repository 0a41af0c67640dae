// The current session: who is signed in, signing in and out, switching company.
import type { Credentials, Session, SessionWithCsrf } from '../../src/app/contract/session.ts'
import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { del, get, hasErrorCode, post, recoverSession, RequestError, setCsrfToken } from './client.ts'
import { deleteCache, fetchWithCache, getCacheKey } from './local-cache.ts'
import { getConnectivity } from './connectivity.ts'
import { toDay } from './format.ts'

/** The session that this page shows. Other tabs may replace that of the browser. */
let shown: Session | null = null

/** Null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await fetchShownSession()
    } catch (error) {
      if (!hasErrorCode(error, 'SessionExpired')) throw error
      deleteCache()
      return (await recoverSession()) ? fetchShownSession() : null
    }
  },
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
})

/** Waits for the user's choice if another tab has opened the session of another user or company. */
async function fetchShownSession(): Promise<Session> {
  const session = await fetchSession()
  if (isShown(session)) return (shown = session)
  // Offline, what another tab stored.
  if (shown !== null && getConnectivity().isOffline) return withCurrentDay(shown)
  // Where nothing recovers it, the page is shown to the new user.
  if (!(await recoverSession(session))) shown = null
  return fetchShownSession()
}

/** Whether it is that of this page, or of a page that shows none yet. */
function isShown({ email, company }: Session): boolean {
  return shown === null || (shown.email === email && shown.company === company)
}

async function fetchSession(): Promise<Session> {
  return withCurrentDay(
    await fetchWithCache('session', async () => {
      const { csrf, ...session } = await requestSession()
      // With the token of another session, this page would write in another company.
      if (isShown(session)) setCsrfToken(csrf)
      return session
    }),
  )
}

async function requestSession(): Promise<SessionWithCsrf> {
  const found = await get('session')
  if (found === null) throw new RequestError('SessionExpired', 401, '', null)
  return found
}

/** Calls back when another tab signs in or out, or changes company; returns a function that stops it. */
export function subscribeOtherTabs(changed: (next: Session | null) => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === getCacheKey('session')) changed(JSON.parse(newValue ?? 'null'))
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
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
    shown = null
    client.setQueryData(sessionQuery.queryKey, null)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  }
}

export function useSignInActions() {
  const client = useQueryClient()
  const forget = useForgetSession()
  const reloadSession = async () => {
    // What is stored may belong to another user or company.
    deleteCache()
    shown = null
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
    resumeSession: async (): Promise<boolean> => {
      const session = await fetchSession()
      const isSame = isShown(session)
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
      // Another tab may have replaced the session since.
      await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
      await post('sessionCompany', { company })
      await reloadSession()
    },
  }
}

/** Returns to the company of this page, from the session that another tab has opened. */
export async function returnToCompany(company: string): Promise<void> {
  const { csrf } = await requestSession()
  setCsrfToken(csrf)
  await post('sessionCompany', { company })
}
