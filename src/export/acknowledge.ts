// Acknowledgements (interface 4.4.2): stored lines leave the export list, each once.
import { forEachRangeChunk } from '../lib/yield-to-event-loop.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { auditMaterial } from '../material/audit-and-events.ts'
import { publishChange } from '../notifications/webhooks/publish.ts'
import {
  isOutdated,
  evaluateAcknowledgement,
  type EvaluatedAcknowledgement,
  type Acknowledgement,
} from './evaluate-acknowledgement.ts'
import { applyCorrectionsAt } from '../material/corrections.ts'
import { restoreApproved } from './restore-approved.ts'
import { expireClaims, listOpenClaims } from '../store/export/claims.ts'
import type { Destination } from '../store/export/destinations.ts'
import { countRows, listIds, numberRows } from '../store/row-ranges.ts'
import { insertLedgerEntries, type NewLedgerEntry } from '../store/material/ledger.ts'
import {
  recordFailures,
  acknowledgeLines,
  getLineStatuses,
  getRangeStatus,
  type LineStatus,
} from '../store/export/acknowledgements.ts'
import { findPairedLines } from '../store/export/correction-pairs.ts'
import type { Transaction } from '../store/store.ts'

/** The result each acknowledgement would have; each id must occur once. A range whose lines differ is split into ids. */
export async function evaluateAcknowledgements(
  transaction: Transaction,
  destination: Destination,
  acknowledgements: readonly Acknowledgement[],
  context: WriteContext,
): Promise<readonly EvaluatedAcknowledgement[]> {
  const evaluated: EvaluatedAcknowledgement[] = []
  const claimsOfOthers = await findClaimsOfOthers(transaction, destination, context)
  await forEachRangeChunk(acknowledgements, chunkIds, async (chunk) => {
    const ofRanges = new Map<Acknowledgement, LineStatus>()
    const rangeStatuses = await Promise.all(chunk.map(async (range) => getRangeStatus(transaction, destination, range)))
    for (const [index, range] of chunk.entries()) {
      const status = rangeStatuses[index]
      if (status !== undefined) ofRanges.set(range, status)
    }
    const split = chunk.flatMap((range) => {
      if (ofRanges.has(range) || range.length === 1) return range
      return listIds([range]).map((id) => ({ ...range, id, length: 1 }))
    })
    const others = split.filter((one) => !ofRanges.has(one))
    const statuses = await getLineStatuses(transaction, destination, listIds(others))
    for (const acknowledgement of split) {
      const status = ofRanges.get(acknowledgement) ?? statuses.get(acknowledgement.id)
      const one = evaluateAcknowledgement(acknowledgement, status, destination)
      const isClaimedByOther =
        status?.state === 'ready' && status.claimId !== null && claimsOfOthers.has(status.claimId)
      evaluated.push(isClaimedByOther ? { ...one, code: 'claimed_by_other' } : one)
    }
  })
  return evaluated
}

/** The open claims of other callers; only an exclusive destination reserves acknowledging for the claim's holder. */
async function findClaimsOfOthers(
  transaction: Transaction,
  { id: destinationId, isExclusive }: Destination,
  { actor, now }: WriteContext,
): Promise<ReadonlySet<number>> {
  if (isExclusive === 0) return new Set()
  await expireClaims(transaction, now)
  const open = await listOpenClaims(transaction, { destinationId })
  return new Set(open.filter(({ holder }) => holder !== actor).map(({ id }) => id))
}

/** Applies acknowledgements that were evaluated in the same transaction. */
export async function applyAcknowledgements(
  transaction: Transaction,
  destination: Destination,
  evaluated: readonly EvaluatedAcknowledgement[],
  { context, externalBatchId }: { readonly context: WriteContext; readonly externalBatchId: string | null },
): Promise<void> {
  const ledgerEntry = ledgerEntryFactory(destination, context, externalBatchId)
  await forEachRangeChunk(evaluated, chunkIds, async (chunk) => {
    const exported = chunk.filter(({ code }) => exportingCodes.has(code))
    const failed = chunk.filter(({ code }) => code === 'failed_recorded')
    const stamped = numberRows(exported, transaction.sequences.nextStamps(context.now, countRows(exported)))
    const acknowledged = stamped.map(([{ acknowledgement, revision, status, code, length }, at]) => ({
      id: acknowledgement.id,
      length,
      // A line with a correction does not make its transaction exported: the correction is still to come.
      materialId: code === 'exported' ? (status?.materialId ?? null) : null,
      revision,
      at,
      externalId: acknowledgement.externalId,
    }))
    // The receiver has content that was withdrawn or changed since: that change is dropped, or corrected by further lines.
    const dropped = exported.filter((one) => isOutdated(one) && one.code === 'exported')
    await restoreApproved(transaction, destination, dropped, context)
    await acknowledgeLines(transaction, destination.id, acknowledged, context.actor)
    const corrected = exported.filter(({ code }) => code === 'exported_with_correction')
    await applyCorrectionsAt(transaction, destination, acknowledgedIds(corrected), context)
    const { id: destinationId, failuresMax } = destination
    await recordFailures(transaction, acknowledgedIds(failed), { destinationId, failuresMax, at: context.now })
    await insertLedgerEntries(transaction, [
      ...stamped.map(([one, at]) =>
        ledgerEntry('acknowledged', one, { at, code: one.wasRetrieved ? null : notRetrievedCode }),
      ),
      ...failed.map((one) => ledgerEntry('failed', one, {})),
      ...dropped.map((one) => ledgerEntry('alert', one, { code: alertCodes.changeDropped })),
      ...chunk.flatMap((one) => {
        const code = repeatAlertCode(one, context)
        return code === null ? [] : ledgerEntry('alert', one, { code })
      }),
    ])
  })
  // After all chunks, because a reversal may fail in another chunk than its replacement is exported in.
  const exportedLines = evaluated.filter(({ code }) => exportingCodes.has(code))
  await forEachRangeChunk(exportedLines, chunkIds, async (chunk) => {
    const incomplete = await findIncompletePairs(transaction, destination, chunk)
    const alerts = incomplete.map((one) => ledgerEntry('alert', one, { code: alertCodes.halfCorrection }))
    await insertLedgerEntries(transaction, alerts)
  })
  const ids = (code: EvaluatedAcknowledgement['code']) => acknowledgedIds(evaluated.filter((one) => one.code === code))
  const exported = [...ids('exported'), ...ids('exported_with_correction')]
  await auditMaterial(transaction, context, 'acknowledge', exported, { destination: destination.id })
  await publishChange(transaction, context, 'export.marked', exported, { destination: destination.name })
  await auditMaterial(transaction, context, 'fail', ids('failed_recorded'), { destination: destination.id })
}

/** Whether a repeated acknowledgement names another external id than the first. */
export function hasExternalIdMismatch({ acknowledgement, status, code }: EvaluatedAcknowledgement): boolean {
  return (
    code === 'already_exported' &&
    acknowledgement.externalId !== null &&
    acknowledgement.externalId !== status?.externalId
  )
}

/** Replacements whose reversal was reported as failed: the receiver now has both contents. */
async function findIncompletePairs(
  transaction: Transaction,
  destination: Destination,
  exported: readonly EvaluatedAcknowledgement[],
): Promise<readonly EvaluatedAcknowledgement[]> {
  // An original line has the id of its transaction, and a reversal has no transaction.
  const replacements = exported.filter(
    ({ acknowledgement, status }) =>
      status !== undefined && status.materialId !== null && status.materialId !== acknowledgement.id,
  )
  if (replacements.length === 0) return []
  const destinationKey = { companyId: transaction.companyId, destinationId: destination.id }
  const pairs = await findPairedLines(transaction, destinationKey, acknowledgedIds(replacements))
  const incomplete = new Set(
    pairs.filter(({ failures, isReplacement }) => failures > 0 && isReplacement === 1).map(({ id }) => id),
  )
  return replacements.filter(({ acknowledgement }) => incomplete.has(acknowledgement.id))
}

function acknowledgedIds(evaluated: readonly EvaluatedAcknowledgement[]): number[] {
  return listIds(evaluated.map(({ acknowledgement }) => acknowledgement))
}

/** Few enough that the statements of a chunk take some milliseconds each. */
const chunkIds = 1000

const exportingCodes: ReadonlySet<EvaluatedAcknowledgement['code']> = new Set(['exported', 'exported_with_correction'])

/** Codes of the alerts in the ledger: what a person should look into. */
export const alertCodes = {
  changeDropped: 'ChangeDropped',
  halfCorrection: 'HalfCorrection',
  possibleDuplicate: 'PossibleDuplicate',
  externalIdMismatch: 'ExternalIdMismatch',
} as const

/** The code of an acknowledgement whose revision the destination had never retrieved, which is accepted. */
const notRetrievedCode = 'NotRetrieved'

/**
 * Of a line that another caller acknowledged before, or the same caller under another external id: possibly two vouchers for
 * one line. Null for any other acknowledgement.
 */
function repeatAlertCode(one: EvaluatedAcknowledgement, { actor }: WriteContext): string | null {
  if (one.code !== 'already_exported') return null
  if (hasExternalIdMismatch(one)) return alertCodes.externalIdMismatch
  return one.status?.acknowledgedBy === actor ? null : alertCodes.possibleDuplicate
}

function ledgerEntryFactory({ id: destinationId }: Destination, context: WriteContext, externalBatchId: string | null) {
  return (
    action: NewLedgerEntry['action'],
    { acknowledgement, status, revision }: EvaluatedAcknowledgement,
    overrides: Partial<Pick<NewLedgerEntry, 'at' | 'code'>>,
  ): NewLedgerEntry => ({
    destinationId,
    lineId: acknowledgement.id,
    length: acknowledgement.length,
    revision,
    generation: status?.generation ?? 1,
    action,
    at: context.now,
    actor: context.actor,
    requestId: context.requestId,
    externalId: acknowledgement.externalId,
    externalUrl: acknowledgement.externalUrl,
    externalBatchId,
    claimId: status?.claimId ?? null,
    code: acknowledgement.failure?.code ?? null,
    reason: acknowledgement.failure?.message ?? null,
    ...overrides,
  })
}
