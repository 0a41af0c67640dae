// Who acts, when and under which rules: what an act is told of its caller.
import type { Caller } from './caller.ts'
import type { CompanySettings } from './companies/company-settings.ts'

export interface Deed {
  readonly actor: string
  readonly requestId: string
  /** Microseconds UTC. */
  readonly now: number
  readonly settings: CompanySettings
}

/** What the caller does in one request. `now` in microseconds. */
export function deedOf({ actor, company }: Caller, requestId: string, now: number): Deed {
  return {
    actor,
    requestId,
    now,
    settings: company.settings,
  }
}
