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

/** The context of one request. `now` in microseconds. */
export function actionContext({ actor, company }: Caller, requestId: string, now: number): ActionContext {
  return { actor, requestId, now, settings: company.settings }
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
  return {
    ...actionContext(caller, requestId, now),
    source: caller.source,
    zone: caller.company.zone,
    canApprove: caller.scopes.has('material:approve'),
  }
}
