// Routes of the browser app: handlers typed by the contract, access checks, and their context.
import type { MethodName, PathReplying } from './contract/path.ts'
import type { LiveFeed } from './live/live-feed.ts'
import type { Authenticator } from '../auth/authenticator/authenticator.ts'
import type { Caller } from '../auth/caller.ts'
import type { CryptoContext } from '../auth/tokens/credential-factory.ts'
import type { Passkeys } from '../auth/mfa/passkeys.ts'
import type { Role } from '../auth/roles.ts'
import type { Scope } from '../auth/scopes.ts'
import { hasSessionCookie, requireCsrfToken, requireSameOrigin } from '../auth/sessions/session-cookie.ts'
import type { PasswordReset } from '../auth/passwords/password-reset.ts'
import type { Sessions, SessionUser } from '../auth/sessions/sessions.ts'
import { ApiError } from '../errors/api-error.ts'
import type { SerializedText } from '../engine/formats/write/long-list.ts'
import { deriveRequest, type Endpoint, type Method, type Reply, type Request } from '../http/request.ts'
import { limits } from '../http/limits.ts'
import type { Networks } from '../lib/network.ts'
import type { MailQueue } from '../notifications/mail/mail-queue.ts'
import type { OidcLogin } from '../sso/login.ts'
import type { Store } from '../store/store.ts'

export interface AppContext {
  readonly store: Store
  readonly authenticator: Authenticator
  readonly sessions: Sessions
  readonly passkeys: Passkeys
  /** Null when no identity provider is configured. */
  readonly oidcLogin: OidcLogin | null
  readonly passwordReset: PasswordReset
  /** Null when mail is not configured. */
  readonly mailQueue: MailQueue | null
  /** Without a trailing slash; '' when the server has no public URL. */
  readonly publicUrl: string
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly cryptoContext: CryptoContext
  /** Today's date in a time zone, `YYYY-MM-DD`; a fixed date in a sandbox. */
  readonly today: (zone: string) => string
  /** A sandbox never enforces the second factor. */
  readonly isSandbox: boolean
  readonly system: ServerInfo
  /** Private networks that webhooks may reach. */
  readonly webhookNetworks: Networks
  /** Logs an error that occurs after the status of its reply was sent, as that of a rejected request is logged. */
  readonly logError: (error: unknown, request: Request) => void
  /** Live updates, shared by all open pages of this process. */
  readonly feed: LiveFeed
}

/** Facts about the server itself. */
export interface ServerInfo {
  readonly version: string
  readonly databaseUrl: string
  /** Absolute path of the folder for backups made in the app. */
  readonly backupFolder: string
  /** Unavailable features, as at `/readyz`. */
  readonly degraded: () => readonly string[]
  /** Every setting by its environment variable, with secrets removed. */
  readonly settings: Readonly<Record<string, string>>
  /** Requests a minute for each credential; null for no limit. */
  readonly rateLimit: number | null
}

/** A request of a signed-in user whose access was checked. */
export interface AppRequest extends AppContext, Pick<Caller, 'companyId' | 'company'> {
  readonly request: Request
  readonly sessionUser: SessionUser
}

/** Who may call a route: users with this scope, with one of these roles, the operator, or any signed-in user. */
export type Access = Scope | readonly Role[] | 'operator' | 'anybody'

export interface AppRoute {
  readonly method: Method
  readonly path: string
  readonly access: Access
  /** Requires a recent password: protects sensitive actions from an unattended session (ADR 0039). */
  readonly requiresReauthentication?: true
  /** Not for an approver of some departments: the reply contains lines of all. */
  readonly requiresAllDepartments?: true
  /** Also allowed for a user who still has to set up a required second factor. */
  readonly allowsMissingSecondFactor?: true
  /** Replies with no content when there is no session cookie, instead of an error, which browsers log. */
  readonly allowsNoSession?: true
  /** Accepts a file: the body may be as large as a list. */
  readonly acceptsFile?: true
  /** A background request of the page, which does not extend the session. */
  readonly isBackground?: true
  readonly handle: (appRequest: AppRequest) => Promise<Reply>
}

/** The body of a reply as JSON, or nothing for null, with headers or cookies of its own. */
export class JsonReply<Body> {
  readonly body: Body | SerializedBody<Body>
  readonly headers: Reply['headers']
  readonly cookies: readonly string[]

  constructor(
    body: Body | SerializedBody<Body>,
    { headers = {}, cookies = [] }: Partial<Pick<Reply, 'headers' | 'cookies'>>,
  ) {
    this.body = body
    this.headers = headers
    this.cookies = cookies
  }
}

/** A body as JSON, where it was stored as text or is long. */
export class SerializedBody<Body> {
  declare readonly type: Body
  readonly text: SerializedText

  constructor(text: SerializedText) {
    this.text = text
  }
}

export type JsonHandler<Body> = (appRequest: AppRequest) => Promise<Body | JsonReply<Body>>

type RouteOptions = Omit<AppRoute, 'method' | 'path' | 'access' | 'handle'>

/** Declares the route of an endpoint, whose handler returns the body of its reply. */
type DeclareRoute<Name extends MethodName> = <Body>(
  path: PathReplying<Name, Body>,
  access: Access,
  handle: JsonHandler<NoInfer<Body>>,
  options?: RouteOptions,
) => AppRoute

export const getRoute: DeclareRoute<'get'> = jsonRoutes('GET')
export const postRoute: DeclareRoute<'post'> = jsonRoutes('POST')
export const deleteRoute: DeclareRoute<'delete'> = jsonRoutes('DELETE')
/** The body is a file, and may be as large as a list. */
export const uploadRoute: DeclareRoute<'upload'> = jsonRoutes('POST', { acceptsFile: true })

function jsonRoutes(method: Method, common: RouteOptions = {}) {
  return (path: string, access: Access, handle: JsonHandler<unknown>, options?: RouteOptions): AppRoute => {
    const reply = async (appRequest: AppRequest) => toReply(await handle(appRequest))
    return { method, path, access, ...common, ...options, handle: reply }
  }
}

export function toReply(result: unknown): Reply {
  const { body, headers, cookies } = result instanceof JsonReply ? result : new JsonReply(result, {})
  const uncached = { 'Cache-Control': 'no-store', ...headers }
  return body === null
    ? { status: 204, headers: uncached, cookies, body: null }
    : {
        status: 200,
        headers: { 'Content-Type': 'application/json; charset=utf-8', ...uncached },
        cookies,
        body: body instanceof SerializedBody ? body.text : JSON.stringify(body),
      }
}

/** The HTTP endpoint of a route. Requests other than GET need the CSRF token. */
export function toEndpoint(route: AppRoute, context: AppContext): Endpoint {
  const { method, path, handle } = route
  /** A body may arrive long after its head, and the session may have ended or changed meanwhile: it is found again. */
  const receiveBody = async (request: Request) => {
    const body = await request.body()
    const sessionUser = await context.sessions.getUserInBackground(request)
    requireAccess(sessionUser, route, context)
    const received = deriveRequest(request, { body: async () => body })
    received.caller = sessionUser.caller
    return { request: received, sessionUser }
  }
  return {
    method,
    path,
    bodyBytesMax: route.acceptsFile ? limits.listBytesMax : limits.bodyBytesMax,
    handle: async (request) => {
      context.authenticator.requireTls(request)
      if (route.allowsNoSession && !hasSessionCookie(request)) return toReply(null)
      const { sessions } = context
      const first = await (route.isBackground ? sessions.getUserInBackground(request) : sessions.getUser(request))
      request.caller = first.caller
      if (method !== 'GET') requireCsrfToken(request, first.csrf)
      requireAccess(first, route, context)
      const call = method === 'GET' ? { request, sessionUser: first } : await receiveBody(request)
      const { companyId, company, credentialId } = call.sessionUser.caller
      const reply = await handle({ ...context, ...call, companyId, company })
      return { ...reply, logContext: { ...reply.logContext, companyId, credentialId } }
    },
  }
}

/** An endpoint without a session. */
export function publicGet<Body>(
  path: PathReplying<'get', Body>,
  context: AppContext,
  handle: (request: Request) => Promise<NoInfer<Body>>,
): Endpoint {
  return publicEndpoint('GET', path, context, async (request) => toReply(await handle(request)))
}

export function publicPost<Body>(
  path: PathReplying<'post', Body>,
  context: AppContext,
  handle: (request: Request) => Promise<NoInfer<Body | JsonReply<Body>>>,
): Endpoint {
  return publicEndpoint('POST', path, context, async (request) => toReply(await handle(request)))
}

export function publicEndpoint(
  method: Method,
  path: string,
  { authenticator }: AppContext,
  handle: (request: Request) => Promise<Reply>,
): Endpoint {
  return {
    method,
    path,
    bodyBytesMax: limits.publicBodyBytesMax,
    handle: async (request) => {
      authenticator.requireTls(request)
      if (method !== 'GET') requireSameOrigin(request)
      return handle(request)
    },
  }
}

/** The base URL for links in mails: the public URL, or else the origin of the request. */
export function linkBaseUrl({ publicUrl }: AppContext, request: Request): string {
  return publicUrl || request.origin
}

/** Microseconds: 5 minutes. */
const reauthenticationWindow = 5 * 60_000_000

function requireAccess(
  sessionUser: SessionUser,
  { access, allowsMissingSecondFactor, requiresAllDepartments, requiresReauthentication }: AppRoute,
  { isSandbox, clock }: AppContext,
): void {
  const { role, caller, isOperator } = sessionUser
  if (!allowsMissingSecondFactor && sessionUser.lacksSecondFactor && !isSandbox)
    throw new ApiError('SecondFactorSetupRequired', { params: { company: caller.company.name } })
  const isAllowed =
    access === 'anybody' ||
    (access === 'operator' && isOperator) ||
    (typeof access === 'string' ? access !== 'operator' && caller.scopes.has(access) : access.includes(role))
  if (!isAllowed || (requiresAllDepartments && sessionUser.departments !== null)) throw roleMissingError(sessionUser)
  if (requiresReauthentication && clock() - sessionUser.authenticatedAt >= reauthenticationWindow)
    throw new ApiError('ReauthenticationRequired')
}

export function roleMissingError({ role, caller }: SessionUser): ApiError {
  return new ApiError('RoleMissing', { params: { role, company: caller.company.name } })
}
