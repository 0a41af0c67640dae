// OpenID Connect routes: redirect to the provider, callback, link and unlink an account.
import { grave } from '../account/account-routes.ts'
import { administered } from '../audited-action.ts'
import { readFields } from '../body.ts'
import { json, openEndpoint, type AppRoute, type AppState, type Asked } from '../route.ts'
import { words } from '../paths.ts'
import { sessionCookie } from '../../auth/sessions/session-cookie.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Endpoint, Reply, Request } from '../../http/request.ts'
import { phrase } from '../../errors/messages.ts'
import { noTransactionCookie } from '../../sso/login-state.ts'
import type { Leaving, SignOn } from '../../sso/login.ts'
import { removeIdentities } from '../../store/accounts/identities.ts'

export function signOnEndpoints(state: AppState): Endpoint[] {
  return [
    openEndpoint(
      'GET',
      words.signOn,
      async () => json({ name: state.signOn?.name ?? null }),
      state,
    ),
    openEndpoint('POST', words.signOn, (request) => leave(request, state), state),
    openEndpoint('GET', words.signOnBack, (request) => arrive(request, state), state),
  ]
}

/** Replies with the URL for the page to open: a redirect would be followed by fetch instead of the page. */
async function leave(request: Request, state: AppState): Promise<Reply> {
  const fields = await readFields(request)
  const to = fields.get('to') ?? ''
  const isAnew = fields.get('anew') === 'true'
  return leaving(await signOnOf(state).leave(request, { to, isAnew, linking: null }))
}

/** The callback from the provider: redirects to a page of the app, also on errors. */
async function arrive(request: Request, state: AppState): Promise<Reply> {
  const signOn = signOnOf(state)
  const destination = signOn.destinationOf(request)
  try {
    const { session, to } = await signOn.arrive(request, request.search)
    return session === null
      ? goingOn(telling(to, 'linked'), [])
      : goingOn(to, [sessionCookie(session)])
  } catch (error) {
    if (!(error instanceof Fault) || error.status === 500) throw error
    const { code, cause } = error
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : code
    return { ...goingOn(telling(destination, code), []), about: { code, reason } }
  }
}

/** Adds the result to the query string, for the page to show. */
function telling(to: string, outcome: string): string {
  return `${to}${to.includes('?') ? '&' : '?'}sso=${outcome}`
}

function goingOn(to: string, cookies: readonly string[]): Reply {
  return {
    status: 303,
    headers: { Location: to, 'Cache-Control': 'no-store' },
    cookies: [...cookies, noTransactionCookie],
    body: null,
  }
}

async function link(asked: Asked): Promise<Reply> {
  const { request, visitor } = asked
  const leave = { to: words.accountScreen, isAnew: false, linking: visitor }
  return leaving(await signOnOf(asked).leave(request, leave))
}

/** Not allowed in a session of the provider: the user might have no other way to sign in. */
async function unlink(asked: Asked): Promise<Reply> {
  const { userId, via } = asked.visitor
  if (via === 'provider') throw new Fault('PasswordNeeded')
  return administered(asked, 'identity-off', async (transaction) => {
    if (!(await removeIdentities(transaction, userId)))
      throw new Fault('NotFound', { says: { what: 'SSO' } })
    return { answer: {}, about: { user: userId } }
  })
}

function leaving({ address, cookie }: Leaving): Reply {
  return {
    ...json({ address }),
    cookies: [cookie],
  }
}

function signOnOf({ signOn }: Pick<AppState, 'signOn'>): SignOn {
  if (signOn === null) throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
  return signOn
}

export const signOnRoutes: readonly AppRoute[] = [
  grave(words.accountIdentity, link),
  grave(words.accountIdentityEnd, unlink),
]
