// One operation of the interface: who may, which parameters, what body, and the work itself. Plain data but for the work.
import type { Caller } from '../auth/caller.ts'
import type { Scope } from '../auth/scopes.ts'
import type { Reply, Request } from '../http/request.ts'
import type { Resource } from '../engine/model/resource.ts'
import type { Gate } from '../auth/authenticator/authenticator.ts'
import type { Seal } from '../auth/tokens/encryptor.ts'
import type { RunningKeys } from './write-pipeline/idempotency.ts'
import {
  knownParameters,
  readQuery,
  type KnownParameters,
  type Query,
} from '../engine/odata/options/query.ts'
import type { Store } from '../store/store.ts'

/** What the work needs beside the request. */
export interface Serving {
  readonly store: Store
  readonly gate: Doorkeeper
  /** Microseconds UTC. */
  readonly clock: () => number
  readonly runningKeys: RunningKeys
  readonly seal: Seal
}

/** Lets a caller in, and says what every answer to them carries. */
export type Doorkeeper = Pick<Gate, 'admit' | 'headersFor'>

export interface Operation {
  /** One line for the reference. */
  readonly summary: string
  readonly scope: Scope
  /** What is answered. */
  readonly resource: Resource
  /** What a row of the body is; null without a body. */
  readonly input: Resource | null
  readonly parameters: KnownParameters
  readonly body: 'none' | 'one' | 'many' | 'either'
  /** The schema of a body that is made of no records. */
  readonly takes?: object
  /**
   * As many records as the body has, be they new ones, or all that were asked for; these, or one, in OData's envelope; how
   * many there are; what became of each element; or no body.
   */
  readonly answer: 'records' | 'set' | 'one' | 'created' | 'number' | 'results' | 'nothing'
  /** Which rule of docs/interface.md this is. */
  readonly rule: string
  readonly handle: Handler
}

export type Handler = (request: Request, serving: Serving) => Promise<Reply>

/** A request that was let in, its parameters read. */
export interface Admitted {
  readonly caller: Caller
  readonly query: Query
  /** What every answer to this caller carries. */
  readonly headers: Readonly<Record<string, string>>
}

/** Who asks (401, 403), then what they ask for (400). */
export async function admit(
  request: Request,
  { gate }: Serving,
  { scope, parameters }: { scope: Scope | null; parameters: KnownParameters },
): Promise<Admitted> {
  const admitted = gate.admit(request, scope)
  const caller = admitted instanceof Promise ? await admitted : admitted
  const { query, ignored } = readQuery(request.search, parameters)
  const headers = {
    ...gate.headersFor(caller),
    ...ignoredNamesHeader('X-Ignored-Parameters', ignored),
  }
  return { caller, query, headers }
}

/** At most twenty names, percent-encoded, since they come from the caller. */
export function ignoredNamesHeader(
  header: 'X-Ignored-Fields' | 'X-Ignored-Parameters',
  names: readonly string[],
): Record<string, string> {
  return names.length === 0
    ? {}
    : { [header]: names.slice(0, 20).map(encodeURIComponent).join(', ') }
}

/** Names that carry credentials are known everywhere (interface 5.1). */
export function parametersOf(names: readonly string[]): KnownParameters {
  return knownParameters([...credentialNames, ...names], 'ignored')
}

/** For a write: `dryRun` and `atomic` are refused where it does not have them, since ignoring them would change data. */
export function writeParametersOf(names: readonly string[]): KnownParameters {
  return knownParameters([...credentialNames, ...names], 'ignored', ['dryRun', 'atomic'])
}

const credentialNames = ['firma', 'passord', 'key'] as const

/** The document's interface: never cached, in no cache of any age (interface 7.1). */
export const devHeaders = {
  'Cache-Control': 'no-store, no-cache',
  Pragma: 'no-cache',
  Vary: 'Accept',
} as const
