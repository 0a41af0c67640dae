// An authorized and planned OData read, and the errors that all reads share.
import type { Admitted, Serving } from '../operation.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply, Request } from '../../http/request.ts'
import { phrase } from '../../errors/messages.ts'
import type { Address } from '../../engine/planner/address/address.ts'
import { planStart } from '../../engine/planner/plan-read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'

/** A read by an authorized caller. */
export interface AuthorizedRead {
  readonly request: Request
  readonly admitted: Admitted
  readonly serving: Serving
}

/** The same with its resolved path and its plan. */
export interface Asked extends AuthorizedRead {
  readonly address: Address
  readonly plan: ReadPlan
  /** The plan that `$count` counts, which may differ from `plan`. */
  readonly counted: ReadPlan
}

export type Answer = Pick<Reply, 'status' | 'headers' | 'body'>

export function nothingThere(what: 'theRecord' | 'theAddress'): Fault {
  return new Fault('NotFound', { says: { what: phrase(what) } })
}

/** For a `$skiptoken` or `$deltatoken` that this service did not issue for this query. */
export function notOurLink(name: string): Fault {
  return new Fault('InvalidQueryOption', {
    target: name,
    says: { name, problem: phrase('notOurLink') },
  })
}

/** Throws `NotFound` when the record that the path starts from does not exist; an empty relation is no error. */
export async function requireStart({ plan, request, serving: { store } }: Asked): Promise<void> {
  const start = planStart(plan)
  if (start !== null && (await store.count(start, request)) === 0) throw nothingThere('theRecord')
}
