// An address of the browser app: who may call it, and with what it answers.
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
  /** Null where no identity provider is configured. */
  readonly signOn: SignOn | null
  readonly recovery: Recovery
  /** Null on a server that sends no mail. */
  readonly outbox: Outbox | null
  /** Without a slash at its end; '' on a server without a public name. */
  readonly publicUrl: string
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly minting: Minting
  /** The day it is in a time zone, `YYYY-MM-DD`; in a sandbox always the same. */
  readonly today: (zone: string) => string
  readonly isSandbox: boolean
  readonly system: System
  /** Private networks that webhooks may reach. */
  readonly webhookNetworks: Networks
  /** Of this process; all its open pages follow one. */
  readonly feed: LiveFeed
}

/** What a server is, beside its data. */
export interface System {
  readonly version: string
  readonly databaseUrl: string
  /** Absolute: where backups are put that are made in the app. */
  readonly backupFolder: string
  /** What it does without, as at `/readyz`. */
  readonly degraded: () => readonly string[]
  /** Every setting as it may be shown, by its variable. */
  readonly settings: Readonly<Record<string, string>>
  /** Calls a minute of one credential; null: no limit. */
  readonly rateLimit: number | null
}

/** A request of somebody who is signed in and may ask it. */
export interface Asked extends AppState {
  readonly request: Request
  readonly visitor: Visitor
}

/** What a visitor must be: one with this right, one of these roles, the operator of the server, or anyone who is signed in. */
export type Access = Scope | readonly Role[] | 'operator' | 'anybody'

export interface AppRoute {
  readonly method: Method
  readonly path: string
  readonly access: Access
  /** Wants the password anew: what a session that somebody left open must not do (ADR 0064). */
  readonly isGrave?: true
  /** Also for those of whom the company wants a second factor that they have not yet. */
  readonly isBeforeFactor?: true
  /** It takes a file: a body as large as a list may be. */
  readonly takesFile?: true
  /** Asked by the page itself, and so no use of the session. */
  readonly isUnattended?: true
  readonly answer: (asked: Asked) => Promise<Reply>
}

/** The route as the server sees it. Whatever changes something wants the token that only our own pages know. */
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

/** An address for those who are not signed in yet. */
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

/** How letters name the server: its public name, or for want of one as it was addressed. */
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

/** Nobody has to own a phone to try a sandbox. */
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
