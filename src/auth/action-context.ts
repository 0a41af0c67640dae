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
export function actionContext(
  { actor, company }: Caller,
  requestId: string,
  now: number,
): ActionContext {
  return {
    actor,
    requestId,
    now,
    settings: company.settings,
  }
}
