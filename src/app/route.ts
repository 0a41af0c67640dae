// Routes of the browser app: access checks, and the context that handlers get.
import type { LiveFeed } from './live/live-feed.ts'
import type { Gate } from '../auth/authenticator/authenticator.ts'
import type { Minting } from '../auth/tokens/credential-factory.ts'
import type { Passkeys } from '../auth/mfa/passkeys.ts'
import type { Role } from '../auth/roles.ts'
import type { Scope } from '../auth/scopes.ts'
import { requireOwnPage, requireToken } from '../auth/sessions/session-cookie.ts'
import type { Recovery } from '../auth/passwords/password-reset.ts'
import type { Sessions, Visitor } from '../auth/sessions/sessions.ts'
import { Fault } from '../errors/catalog.ts'
import { limits } from '../http/limits.ts'
import type { Networks } from '../lib/network.ts'
import type { Outbox } from '../notifications/mail/mail-queue.ts'
import type { Endpoint, Method, Reply, Request } from '../http/request.ts'
import type { SignOn } from '../sso/login.ts'
import type { Store } from '../store/store.ts'

export interface AppState {
  readonly store: Store
  readonly gate: Gate
  readonly sessions: Sessions
  readonly passkeys: Passkeys
  /** Null when no identity provider is configured. */
  readonly signOn: SignOn | null
  readonly recovery: Recovery
  /** Null when mail is not configured. */
  readonly outbox: Outbox | null
  /** Without a trailing slash; '' when the server has no public URL. */
  readonly publicUrl: string
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly minting: Minting
  /** Today's date in a time zone, `YYYY-MM-DD`; a fixed date in a sandbox. */
  readonly today: (zone: string) => string
  readonly isSandbox: boolean
  readonly system: System
  /** Private networks that webhooks may reach. */
  readonly webhookNetworks: Networks
  /** Live updates, shared by all open pages of this process. */
  readonly feed: LiveFeed
}

/** Facts about the server itself. */
export interface System {
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
export interface Asked extends AppState {
  readonly request: Request
  readonly visitor: Visitor
}

/** Who may call a route: users with this scope, with one of these roles, the operator, or any signed-in user. */
export type Access = Scope | readonly Role[] | 'operator' | 'anybody'

export interface AppRoute {
  readonly method: Method
  readonly path: string
  readonly access: Access
  /** Requires a recent password: protects sensitive actions from an unattended session (ADR 0064). */
  readonly isGrave?: true
  /** Also allowed for a user who still has to set up a required second factor. */
  readonly isBeforeFactor?: true
  /** Accepts a file: the body may be as large as a list. */
  readonly takesFile?: true
  /** A background request of the page, which does not extend the session. */
  readonly isUnattended?: true
  readonly answer: (asked: Asked) => Promise<Reply>
}

/** The HTTP endpoint of a route. Requests other than GET need the CSRF token. */
export function endpointOf(
  { method, path, access, isGrave, isBeforeFactor, takesFile, isUnattended, answer }: AppRoute,
  state: AppState,
): Endpoint {
  return {
    method,
    path,
    bodyBytesMax: takesFile ? limits.listBytesMax : limits.bodyBytesMax,
    handle: async (request) => {
      state.gate.requireTls(request)
      const { sessions } = state
      const visitor = await (isUnattended ? sessions.onlooker(request) : sessions.visitor(request))
      if (method !== 'GET') requireToken(request, visitor.csrf)
      if (!isBeforeFactor) requireFactor(visitor, state)
      requireAccess(visitor, access)
      if (isGrave) requireProven(visitor, state.clock())
      const { companyId, credentialId } = visitor.caller
      const reply = await answer({ ...state, request, visitor })
      return { ...reply, about: { ...reply.about, companyId, credentialId } }
    },
  }
}

/** An endpoint without a session. */
export function openEndpoint(
  method: Method,
  path: string,
  answer: (request: Request) => Promise<Reply>,
  { gate }: AppState,
): Endpoint {
  return {
    method,
    path,
    bodyBytesMax: limits.openBodyBytesMax,
    handle: async (request) => {
      gate.requireTls(request)
      if (method !== 'GET') requireOwnPage(request)
      return answer(request)
    },
  }
}

/** The base URL for links in mails: the public URL, or else the origin of the request. */
export function addressOf({ publicUrl }: AppState, request: Request): string {
  return publicUrl || request.origin
}

export function json(body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

/** The sandbox never enforces the second factor. */
function requireFactor({ lacksFactor, caller }: Visitor, { isSandbox }: AppState): void {
  if (lacksFactor && !isSandbox)
    throw new Fault('SecondFactorRequired', { says: { company: caller.company.name } })
}

function requireProven({ provenAt }: Visitor, now: number): void {
  if (now - provenAt >= provenFor) throw new Fault('PasswordNeeded')
}

/** Microseconds: 5 minutes. */
const provenFor = 5 * 60_000_000

function requireAccess(visitor: Visitor, access: Access): void {
  const { role, caller, isOperator } = visitor
  const isLet =
    access === 'anybody' ||
    (access === 'operator' && isOperator) ||
    (typeof access === 'string'
      ? access !== 'operator' && caller.scopes.has(access)
      : access.includes(role))
  if (!isLet) throw new Fault('RoleMissing', { says: { role, company: caller.company.name } })
}
