// Approval decisions (interface 3): approve, reject with a reason, or withdraw an approval.
import { Fault } from '../errors/catalog.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import { stampDay, writeStamp } from '../lib/timestamp.ts'
import { dayAfter } from '../lib/calendar.ts'
import type { EventType } from '../notifications/webhooks/publish.ts'
import { audit, told, type Deed } from './action-context.ts'
import { nextState, nextStateCorrected } from './lifecycle.ts'
import { correctableAmong, settleEverywhere } from './apply-corrections.ts'
import { states, type State } from '../model/transaction.ts'
import {
  decidables,
  decide,
  freezeLines,
  offerLines,
  withdrawLines,
  type Decidable,
  type Decided,
} from '../store/material/approvals.ts'
import { expireBatches, heldOfMaterials, type Held } from '../store/export/claims.ts'
import { destinationsOf } from '../store/export/destinations.ts'
import type { Transaction } from '../store/store.ts'

export interface Decision {
  readonly act: 'approve' | 'reject' | 'withdraw'
  /** The reason for a rejection; null otherwise. */
  readonly reason: string | null
}

/** The result for one id. */
export interface DecisionOutcome {
  readonly id: number
  readonly code:
    | 'approved'
    | 'already_approved'
    | 'rejected'
    | 'already_rejected'
    | 'withdrawn'
    | 'not_found'
    | 'not_allowed'
  /** The current state and who set it, when the decision was not applied. */
  readonly met?: Decidable
  /** Why it is not allowed, when the state alone would allow it. */
  readonly fault?: Fault
}

/**
 * Applies the decision to every id it can (ADR 0007); each id must occur once. Of two concurrent decisions the second
 * gets the state that the first one set, and by whom.
 */
export async function decideOn(
  transaction: Transaction,
  ids: readonly number[],
  decision: Decision,
  deed: Deed,
): Promise<readonly DecisionOutcome[]> {
  const outcomes: DecisionOutcome[] = []
  await inSlices(ids, sliceIds, async (slice) => {
    const found = await decidables(transaction, slice)
    const correctable = await correctableAmong(transaction, slice)
    const held = await heldNow(transaction, slice, decision, deed)
    const judged = slice.map((id) =>
      judge(
        id,
        found.get(id),
        { ...decision, isCorrectable: correctable.has(id), held: held.get(id) },
        deed,
      ),
    )
    outcomes.push(...judged)
    const applied = judged.filter(({ code }) => code === done[decision.act]).map(({ id }) => id)
    if (applied.length > 0) await apply(transaction, applied, decision, deed)
  })
  const applied = outcomes.filter(({ code }) => code === done[decision.act]).map(({ id }) => id)
  await audit(transaction, deed, decision.act, applied)
  for (const type of events[decision.act]) await told(transaction, deed, type, applied)
  return outcomes
}

/** Approved transactions are ready for export at once. */
const events: Readonly<Record<Decision['act'], readonly EventType[]>> = {
  approve: ['transaction.approved', 'export.ready'],
  reject: ['transaction.rejected'],
  withdraw: [],
}

const sliceIds = 2000

const done = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const

function judge(
  id: number,
  met: Decidable | undefined,
  { act, isCorrectable, held }: Judging,
  { actor, settings }: Deed,
): DecisionOutcome {
  if (met === undefined) return { id, code: 'not_found' }
  if (act === 'approve' && met.state === states.approved)
    return { id, code: 'already_approved', met }
  if (act === 'reject' && met.state === states.rejected)
    return { id, code: 'already_rejected', met }
  const next = isCorrectable ? nextStateCorrected(met.state, act) : nextState(met.state, act)
  if (next === null) return { id, code: 'not_allowed', met }
  if (act === 'approve' && settings.requiresFourEyes && met.registeredBy === actor)
    return { id, code: 'not_allowed', met, fault: new Fault('SelfApprovalForbidden') }
  return held === undefined
    ? { id, code: done[act] }
    : { id, code: 'not_allowed', met, fault: faultOf(held) }
}

interface Judging extends Decision {
  readonly isCorrectable: boolean
  readonly held: Held | undefined
}

/** Lines that a worker has claimed: their approval cannot be withdrawn. */
async function heldNow(
  transaction: Transaction,
  ids: readonly number[],
  { act }: Decision,
  { now }: Deed,
): Promise<ReadonlyMap<number, Held>> {
  if (act !== 'withdraw') return new Map()
  await expireBatches(transaction, now)
  const held = await heldOfMaterials(transaction, ids)
  return new Map(held.map((one) => [one.materialId, one]))
}

function faultOf({ lineId: id, holder: actor, expiresAt }: Held): Fault {
  return new Fault('LineHeld', { says: { id, actor, at: writeStamp(expiresAt) } })
}

async function apply(
  transaction: Transaction,
  ids: readonly number[],
  { act, reason }: Decision,
  deed: Deed,
): Promise<void> {
  const { actor, now } = deed
  const first = transaction.counters.takeStamps(now, ids.length)
  const decided = ids.map((id, index): Decided => ({ id, at: first + index }))
  const state = stateAfter[act]
  const isApproval = act === 'approve'
  await decide(transaction, decided, { state, rejectionReason: reason, actor, isApproval })
  if (act === 'reject') return
  const destinations = await destinationsOf(transaction)
  if (isApproval) await freezeLines(transaction, decided)
  for (const destination of destinations) {
    const { id, lockDate, servedAt } = destination
    if (isApproval)
      await offerLines(transaction, decided, id, lockDate === null ? '' : dayAfter(lockDate))
    else await withdrawLines(transaction, decided, destination, stampDay(servedAt))
  }
  await settleEverywhere(transaction, destinations, ids, deed)
}

const stateAfter: Readonly<Record<Decision['act'], State>> = {
  approve: states.approved,
  reject: states.rejected,
  withdraw: states.registered,
}
