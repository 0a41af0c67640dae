// Acknowledgements (interface 4.4.2): stored lines leave the export list, each once.
import { inSlices } from '../lib/yield-to-event-loop.ts'
import { audit, told, type Deed } from '../material/action-context.ts'
import { isPast, judgeMark, type Judged, type Mark } from './evaluate-acknowledgement.ts'
import { nextState } from '../material/lifecycle.ts'
import { settleNow } from '../material/apply-corrections.ts'
import { standAgain } from './restore-approved.ts'
import { states } from '../model/transaction.ts'
import { expireBatches, heldAmong } from '../store/export/claims.ts'
import type { Destination } from '../store/export/destinations.ts'
import { writeLedger, type NewEntry } from '../store/material/ledger.ts'
import { countFailures, markLines, standingsOf } from '../store/export/acknowledgements.ts'
import { otherHalves } from '../store/export/correction-pairs.ts'
import type { Transaction } from '../store/store.ts'

/** The result each acknowledgement would have; each id must occur once. */
export async function judgeMarks(
  transaction: Transaction,
  destination: Destination,
  marks: readonly Mark[],
  deed: Deed,
): Promise<readonly Judged[]> {
  const judged: Judged[] = []
  await inSlices(marks, sliceIds, async (slice) => {
    const ids = slice.map(({ id }) => id)
    const standings = await standingsOf(transaction, destination, ids)
    const others = await heldByOthers(transaction, destination, ids, deed)
    for (const mark of slice) {
      const one = judgeMark(mark, standings.get(mark.id), destination)
      const isTaken = others.has(mark.id) && one.met?.state === 'ready'
      judged.push(isTaken ? { ...one, code: 'claimed_by_other' } : one)
    }
  })
  return judged
}

/** Lines claimed by other callers; only an exclusive destination reserves acknowledging for the claim's holder. */
async function heldByOthers(
  transaction: Transaction,
  { id, isExclusive }: Destination,
  ids: readonly number[],
  { actor, now }: Deed,
): Promise<ReadonlySet<number>> {
  if (isExclusive === 0) return new Set()
  await expireBatches(transaction, now)
  const held = await heldAmong(transaction, ids)
  return new Set(
    held
      .filter((one) => one.destinationId === id && one.holder !== actor)
      .map(({ lineId }) => lineId),
  )
}

/** Applies acknowledgements that were evaluated in the same transaction. */
export async function applyMarks(
  transaction: Transaction,
  destination: Destination,
  judged: readonly Judged[],
  { deed, externalBatchId }: { readonly deed: Deed; readonly externalBatchId: string | null },
): Promise<void> {
  const ledgerEntry = entriesFor(destination, deed, externalBatchId)
  await inSlices(judged, sliceIds, async (slice) => {
    const exported = slice.filter(({ code }) => isExporting.has(code))
    const failed = slice.filter(({ code }) => code === 'failed_recorded')
    const first = transaction.counters.takeStamps(deed.now, exported.length)
    const marked = exported.map(({ mark, revision, met, code }, index) => ({
      id: mark.id,
      // A line with a correction does not make its transaction exported: the correction is still to come.
      materialId: code === 'exported' ? (met?.materialId ?? null) : null,
      revision,
      at: first + index,
      externalId: mark.externalId,
    }))
    // The receiver has content that was withdrawn or changed since: that change is dropped, or corrected by further lines.
    const dropped = exported.filter((one) => isPast(one) && one.code === 'exported')
    await standAgain(transaction, dropped, deed)
    await markLines(transaction, destination.id, marked, becoming(deed))
    const corrected = exported.filter(({ code }) => code === 'exported_with_correction')
    await settleNow(
      transaction,
      destination,
      corrected.map(({ mark }) => mark.id),
      deed,
    )
    const failures = failed.map(({ mark }) => mark.id)
    await countFailures(transaction, destination, failures, deed.now)
    const torn = await tornPairs(transaction, destination, exported)
    await writeLedger(transaction, [
      ...exported.map((one, index) => ledgerEntry('marked', one, { at: first + index })),
      ...failed.map((one) => ledgerEntry('failed', one, {})),
      ...dropped.map((one) => ledgerEntry('alarm', one, { code: alarms.changeDropped })),
      ...torn.map((one) => ledgerEntry('alarm', one, { code: alarms.halfCorrection })),
      ...slice
        .filter(isTwice)
        .map((one) => ledgerEntry('alarm', one, { code: alarmOf(one, deed) })),
    ])
  })
  const ids = (code: Judged['code']) =>
    judged.filter((one) => one.code === code).map(({ mark }) => mark.id)
  const exported = [...ids('exported'), ...ids('exported_with_correction')]
  await audit(transaction, deed, 'mark', exported, { destination: destination.id })
  await told(transaction, deed, 'export.marked', exported, { destination: destination.name })
  await audit(transaction, deed, 'fail', ids('failed_recorded'), { destination: destination.id })

  /** Another caller acknowledged it before, or the same caller under another external id: possibly two vouchers for one line. */
  function isTwice(one: Judged): boolean {
    return one.code === 'already_exported' && alarmOf(one, deed) !== null
  }
}

/** Whether a repeated acknowledgement names another external id than the first. */
export function isMismatch({ mark, met, code }: Judged): boolean {
  return (
    code === 'already_exported' && mark.externalId !== null && mark.externalId !== met?.externalId
  )
}

/** Replacements whose reversal was reported as failed: the receiver now has both contents. */
async function tornPairs(
  transaction: Transaction,
  destination: Destination,
  exported: readonly Judged[],
): Promise<readonly Judged[]> {
  const corrections = exported.filter(
    ({ mark, met }) => met !== undefined && met.materialId !== null && met.materialId !== mark.id,
  )
  if (corrections.length === 0) return []
  const ids = corrections.map(({ mark }) => mark.id)
  const halves = await otherHalves(transaction, destination.id, ids)
  const torn = new Set(
    halves
      .filter(({ failures, isReplacement }) => failures > 0 && isReplacement === 1)
      .map(({ id }) => id),
  )
  return corrections.filter(({ mark }) => torn.has(mark.id))
}

const sliceIds = 5000

const isExporting: ReadonlySet<Judged['code']> = new Set(['exported', 'exported_with_correction'])

/** Codes of the alarms in the ledger: what a person should look into. */
export const alarms = {
  changeDropped: 'ChangeDropped',
  halfCorrection: 'HalfCorrection',
  possibleDuplicate: 'PossibleDuplicate',
  externalIdMismatch: 'ExternalIdMismatch',
} as const

function alarmOf(one: Judged, { actor }: Deed): string | null {
  if (isMismatch(one)) return alarms.externalIdMismatch
  return one.met?.markedBy === actor ? null : alarms.possibleDuplicate
}

function becoming({ actor }: Deed) {
  const to = nextState(states.approved, 'mark')
  if (to === null) throw new Error('nothing leads from approved to exported')
  return { actor, from: states.approved, to }
}

function entriesFor(
  { id: destinationId }: Destination,
  deed: Deed,
  externalBatchId: string | null,
) {
  return (
    action: NewEntry['act'],
    { mark, met, revision, wasServed: wasRetrieved }: Judged,
    more: Partial<Pick<NewEntry, 'at' | 'code'>>,
  ): NewEntry => ({
    destinationId,
    lineId: mark.id,
    revision,
    generation: met?.generation ?? 1,
    act: action,
    at: deed.now,
    actor: deed.actor,
    requestId: deed.requestId,
    wasServed: Number(wasRetrieved),
    externalId: mark.externalId,
    externalUrl: mark.externalUrl,
    externalBatchId,
    batchId: met?.batchId ?? null,
    code: mark.failure?.code ?? null,
    reason: mark.failure?.message ?? null,
    ...more,
  })
}
