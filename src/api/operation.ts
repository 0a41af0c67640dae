// API operation: scope, parameters, body and handler; the unit of the route table.
import type { Caller } from '../auth/caller.ts'
import type { Scope } from '../auth/scopes.ts'
import type { LogContext, Reply, Request } from '../http/request.ts'
import type { Resource } from '../engine/model/resource.ts'
import type { Authenticator } from '../auth/authenticator/authenticator.ts'
import type { Encryptor } from '../auth/tokens/encryptor.ts'
import type { LargeBodies } from './write-pipeline/large-bodies.ts'
import type { RunningKeys } from './write-pipeline/running-keys.ts'
import {
  routeParameters,
  parseQueryWithIgnored,
  systemQueryOptions,
  type RouteParameters,
  type Query,
} from '../engine/odata/options/query.ts'
import { jsonContentType } from '../engine/formats/negotiation/odata-format.ts'
import type { Awaitable, Store } from '../store/store.ts'

/** What a handler needs besides the request. */
export interface ApiContext {
  readonly store: Store
  readonly authenticator: CallerAuthenticator
  /** Microseconds UTC. */
  readonly clock: () => number
  readonly runningKeys: RunningKeys
  readonly largeBodies: LargeBodies
  readonly encryptor: Encryptor
  /** Inside of a batch: the URLs of its earlier requests, by their ids. */
  readonly urlsById?: ReadonlyMap<string, string>
}

/** Authenticates a caller, and gives the headers of every reply to it. */
export type CallerAuthenticator = Pick<Authenticator, 'authenticate' | 'headersFor'>

export interface Operation {
  /** One line for the API reference. */
  readonly summary: string
  readonly scope: Scope
  /** Whether one failed element of a list rolls back all; default: true. */
  readonly isAtomicByDefault?: boolean
  /** Whether bodies can be XML, besides JSON. */
  readonly supportsXml?: boolean
  /** The resource in the reply. */
  readonly resource: Resource
  /** The resource of a row in the body; null without a body. */
  readonly input: Resource | null
  readonly parameters: RouteParameters
  readonly body: 'none' | 'one' | 'many' | 'either'
  /** JSON schema of a body that does not consist of records. */
  readonly requestSchema?: object
  /**
   * What a successful reply contains: `records`, as many as the body has, or all that were found; `created`, the same
   * with status 201, and 200 if a record existed already or there is one result per row; `set` and `one` in the OData
   * envelope; `number`, a count; `results`, one result per element; `nothing`, no body.
   */
  readonly responseKind: 'records' | 'set' | 'one' | 'created' | 'number' | 'results' | 'nothing'
  /** The rule of docs/interface.md that it implements. */
  readonly rule: string
  readonly handle: Handler
}

export type Handler = (request: Request, api: ApiContext) => Promise<Reply>

/** A request whose caller is authenticated and authorized, with its parameters. */
export interface AuthorizedRequest {
  readonly caller: Caller
  readonly query: Query
  /** Headers of every reply to this caller. */
  readonly headers: Readonly<Record<string, string>>
  readonly logContext: LogContext
}

/** Authenticates and authorizes the caller (401, 403), then reads the parameters (400). */
export function authorize(
  request: Request,
  { authenticator }: ApiContext,
  { scope, parameters }: { scope: Scope | null; parameters: RouteParameters },
): Awaitable<AuthorizedRequest> {
  const readQuery = (caller: Caller): AuthorizedRequest => {
    const { query, ignored } = parseQueryWithIgnored(request.search, parameters)
    const headers = authenticator.headersFor(caller)
    if (ignored.length > 0) Object.assign(headers, ignoredNamesHeader('X-Ignored-Parameters', ignored))
    const { companyId, credentialId } = caller
    return { caller, query, headers, logContext: { companyId, credentialId } }
  }
  const caller = authenticator.authenticate(request, scope)
  return caller instanceof Promise ? caller.then(readQuery) : readQuery(caller)
}

/**
 * Receives the body of an authorized request. It may take minutes, in which the credential may be revoked or changed: after
 * such a body the caller is authenticated again (401, 403).
 */
export async function receiveBody(
  request: Request,
  { authenticator, clock }: ApiContext,
  { caller, scope }: { readonly caller: Caller; readonly scope: Scope | null },
): Promise<{ readonly body: Buffer; readonly caller: Caller }> {
  const startedAt = clock()
  const body = await request.body()
  if (clock() - startedAt < slowBody) return { body, caller }
  return { body, caller: await authenticator.authenticate(request, scope, { isCounted: false }) }
}

/** Microseconds. */
const slowBody = 1_000_000

/** A call of an operation by an authorized caller, and what its handler needs: a read, a batch or a comparison of lists. */
export interface AuthorizedCall {
  readonly request: Request
  readonly authorized: AuthorizedRequest
  readonly api: ApiContext
}

/** A handler that authorizes its caller first. Its reply gets the headers and the log fields of the caller. */
export function authorizedHandler(
  access: { readonly scope: Scope | null; readonly parameters: RouteParameters },
  handle: (call: AuthorizedCall) => Promise<Reply>,
): Handler {
  return async (request, api) => {
    const waiting = authorize(request, api, access)
    const authorized = waiting instanceof Promise ? await waiting : waiting
    const reply = await handle({ request, authorized, api })
    const { headers, logContext } = authorized
    return { ...reply, headers: { ...headers, ...reply.headers }, logContext }
  }
}

/** A reply in plain JSON that no cache keeps. */
export function jsonReply(body: object, status = 200): Reply {
  const headers = { 'Content-Type': jsonContentType, 'Cache-Control': 'no-store' }
  return { status, headers, body: JSON.stringify(body) }
}

/** At most twenty names, percent-encoded because they come from the caller. */
export function ignoredNamesHeader(
  header: 'X-Ignored-Fields' | 'X-Ignored-Parameters',
  names: readonly string[],
): Record<string, string> {
  return names.length === 0 ? {} : { [header]: names.slice(0, 20).map(encodeURIComponent).join(', ') }
}

/** Parameters of a read. Those that carry credentials are known everywhere (interface 5.1). */
export function parametersOf(names: readonly string[]): RouteParameters {
  return routeParameters([...credentialNames, ...names], 'ignored')
}

/** Parameters of a write: `dryRun` and `atomic` are errors where unsupported, because ignoring them would change data. */
export function writeParametersOf(names: readonly string[]): RouteParameters {
  return routeParameters([...credentialNames, ...names], 'ignored', { reserved: writeFlags })
}

/** The same for an entity set: what the standard defines and a write lacks is 501 (OData 4.01 part 1, 9.3.1). */
export function entityWriteParametersOf(names: readonly string[]): RouteParameters {
  const unsupported = systemQueryOptions.filter((option) => !names.includes(option))
  const rejected = { reserved: writeFlags, unsupported }
  return routeParameters([...credentialNames, ...names], 'ignored', rejected)
}

const writeFlags = ['dryRun', 'atomic'] as const

/** The options that shape the record in the reply to a write (OData 4.01 part 1, 11.4.1.4). */
export const representationOptions = ['$select', '$expand', '$format', '$schemaversion'] as const

export const credentialNames = ['firma', 'passord', 'key'] as const

/** Headers of `/dev` replies: never cached, not by HTTP/1.0 caches either (interface 7.1). */
export const devHeaders = { 'Cache-Control': 'no-store, no-cache', Pragma: 'no-cache', Vary: 'Accept' } as const
