// OpenID Connect routes: redirect to the provider, callback, link and unlink an account.
import type { Empty } from '../contract/path.ts'
import type { ProviderRedirect } from '../contract/session.ts'
import { ownAccountReauthenticated } from '../account/account-routes.ts'
import { auditedAction } from '../company-transaction.ts'
import { readFields } from '../body.ts'
import {
  JsonReply,
  publicEndpoint,
  publicGet,
  publicPost,
  postRoute,
  type AppRoute,
  type AppContext,
  type AppRequest,
} from '../route.ts'
import { appPaths } from '../contract/endpoints.ts'
import { sessionCookie } from '../../auth/sessions/session-cookie.ts'
import { ApiError, notFoundError } from '../../errors/api-error.ts'
import type { Endpoint, Reply, Request } from '../../http/request.ts'
import { message } from '../../errors/messages.ts'
import { clearedLoginStateCookie, type AuthorizationRedirect, type OidcLogin } from '../../sso/login.ts'
import { deleteIdentities } from '../../store/accounts/identities.ts'

export function oidcEndpoints(state: AppContext): Endpoint[] {
  return [
    publicGet(appPaths.oidcLogin, state, async () => ({ name: state.oidcLogin?.name ?? null })),
    publicPost(appPaths.oidcLogin, state, (request) => startLogin(request, state)),
    publicEndpoint('GET', appPaths.oidcCallback, state, (request) => handleCallback(request, state)),
  ]
}

/** Replies with the URL for the page to open: a redirect would be followed by fetch instead of the page. */
async function startLogin(request: Request, state: AppContext): Promise<JsonReply<ProviderRedirect>> {
  const fields = await readFields(request)
  const to = fields.get('to') ?? ''
  const forcesReauthentication = fields.get('reauthenticate') === 'true'
  return providerUrlReply(await requireOidcLogin(state).start(request, { to, forcesReauthentication, linking: null }))
}

/** The callback from the provider: redirects to a page of the app, also on errors. */
async function handleCallback(request: Request, state: AppContext): Promise<Reply> {
  const oidcLogin = requireOidcLogin(state)
  const destination = oidcLogin.returnPath(request)
  try {
    const { session, to } = await oidcLogin.handleCallback(request, request.search)
    return session === null ? redirectTo(withOutcome(to, 'linked'), []) : redirectTo(to, [sessionCookie(session)])
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 500) throw error
    const { code, cause } = error
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : code
    return { ...redirectTo(withOutcome(destination, code), []), logContext: { code, reason } }
  }
}

/** Adds the result to the query string, for the page to show. */
function withOutcome(to: string, outcome: string): string {
  return `${to}${to.includes('?') ? '&' : '?'}sso=${outcome}`
}

function redirectTo(to: string, cookies: readonly string[]): Reply {
  return {
    status: 303,
    headers: { Location: to, 'Cache-Control': 'no-store' },
    cookies: [...cookies, clearedLoginStateCookie],
    body: null,
  }
}

async function link(appRequest: AppRequest): Promise<JsonReply<ProviderRedirect>> {
  const { request, sessionUser } = appRequest
  const leave = { to: appPaths.accountScreen, forcesReauthentication: false, linking: sessionUser }
  return providerUrlReply(await requireOidcLogin(appRequest).start(request, leave))
}

/** Not allowed in a session of the provider: the user might have no other way to sign in. */
async function unlink(appRequest: AppRequest): Promise<Empty> {
  const { userId, via } = appRequest.sessionUser
  if (via === 'provider') throw new ApiError('ReauthenticationRequired')
  return auditedAction(appRequest, 'identity-off', async (transaction) => {
    if (!(await deleteIdentities(transaction, { userId }))) throw notFoundError('SSO')
    return { result: {}, auditData: { user: userId } }
  })
}

function providerUrlReply({ address, cookie }: AuthorizationRedirect): JsonReply<ProviderRedirect> {
  return new JsonReply({ address }, { cookies: [cookie] })
}

function requireOidcLogin({ oidcLogin }: Pick<AppContext, 'oidcLogin'>): OidcLogin {
  if (oidcLogin === null) throw notFoundError(message('thisUrl'))
  return oidcLogin
}

export const oidcRoutes: readonly AppRoute[] = [
  postRoute(appPaths.accountIdentity, 'anybody', link, ownAccountReauthenticated),
  postRoute(appPaths.accountIdentityEnd, 'anybody', unlink, ownAccountReauthenticated),
]
