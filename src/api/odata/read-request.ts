// A request for what is at an address of a service, when it is known who asks, and for what.
import type { Admitted, Serving } from '../operation.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply, Request } from '../../http/request.ts'
import { phrase } from '../../errors/messages.ts'
import type { Address } from '../../engine/planner/address/address.ts'
import { planStart } from '../../engine/planner/plan-read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'

export interface Asked {
  readonly request: Request
  readonly admitted: Admitted
  readonly serving: Serving
  readonly address: Address
  readonly plan: ReadPlan
  /** What `$count` counts, where that is not what the plan reads. */
  readonly counted: ReadPlan
}

export type Answer = Pick<Reply, 'status' | 'headers' | 'body'>

export function nothingThere(what: 'theRecord' | 'theAddress'): Fault {
  return new Fault('NotFound', { says: { what: phrase(what) } })
}

/** Of `$skiptoken` and its like. */
export function notOurLink(name: string): Fault {
  return new Fault('InvalidQueryOption', {
    target: name,
    says: { name, problem: phrase('notOurLink') },
  })
}

/** A relation that leads nowhere is one thing, and a record that is not there to lead on from is another. */
export async function requireStart({ plan, request, serving: { store } }: Asked): Promise<void> {
  const start = planStart(plan)
  if (start !== null && (await store.count(start, request)) === 0) throw nothingThere('theRecord')
}
