// Action context: the actor, time, request id and settings under which an action runs.
import type { Caller } from './caller.ts'
import type { CompanySettings } from './companies/company-settings.ts'

export interface ActionContext {
  readonly actor: string
  readonly requestId: string
  /** Microseconds UTC. */
  readonly now: number
  readonly settings: CompanySettings
}

export interface WriteContext extends ActionContext {
  /** The source of a transaction that names none: the name of the API key. */
  readonly source: string
  /** The company's IANA time zone. */
  readonly zone: string
  /** Has `material:approve`, required to correct an exported transaction. */
  readonly canApprove: boolean
}

/** The context of one write request. `now` in microseconds. */
export function writeContext(caller: Caller, requestId: string, now: number): WriteContext {
  const { actor, source, company, scopes } = caller
  const { settings, zone } = company
  return { actor, requestId, now, settings, source, zone, canApprove: scopes.has('material:approve') }
}
