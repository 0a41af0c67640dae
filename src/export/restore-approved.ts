// Restores the approved content that the receiver has, when it was changed after its retrieval.
import type { WriteContext } from '../auth/action-context.ts'
import type { EvaluatedAcknowledgement } from './evaluate-acknowledgement.ts'
import { applyCorrectionsAt } from '../material/corrections.ts'
import { toRevision } from '../material/content.ts'
import { transactionStates } from '../model/transaction.ts'
import { publishChange } from '../notifications/webhooks/publish.ts'
import { getLineStatuses } from '../store/export/acknowledgements.ts'
import { listDestinations, type Destination } from '../store/export/destinations.ts'
import { offerLines, withdrawLines } from '../store/material/approvals.ts'
import { listFrozenLines } from '../store/export/corrections.ts'
import { saveLineChanges } from '../store/material/line-changes.ts'
import {
  pickContent,
  insertRevisions,
  findMaterials,
  findMaterialsBySource,
  sourceKeyOf,
  toSourceKey,
  type LineChange,
  type NewRevision,
} from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

/**
 * The later change is dropped, but stored as a revision; a deleted transaction is inserted again. The other destinations are
 * offered what the receiver at this one has.
 */
export async function restoreApproved(
  transaction: Transaction,
  { id: destinationId }: Destination,
  dropped: readonly EvaluatedAcknowledgement[],
  context: WriteContext,
): Promise<void> {
  if (dropped.length === 0) return
  const exported = dropped.map(({ acknowledgement, revision }) => ({ id: acknowledgement.id, revision }))
  const lines = await listFrozenLines(transaction, exported)
  const materialIds = lines.map(({ materialId }) => materialId)
  const current = await findMaterials(transaction, materialIds)
  const ownersOfKeys = await findMaterialsBySource(
    transaction,
    lines.flatMap((line) => sourceKeyOf(line) ?? []),
  )
  const first = transaction.sequences.nextStamps(context.now, lines.length)
  const revisions: NewRevision[] = []
  const changes = new Map<number, LineChange>()
  for (const [index, line] of lines.entries()) {
    const changedAt = first + index
    const stored = current.get(line.materialId)
    const key = sourceKeyOf(line)
    const owner = key === null ? undefined : ownersOfKeys.get(toSourceKey(key))
    const isTaken = owner !== undefined && owner.id !== line.materialId
    const content = {
      ...pickContent(line),
      // Its source may have sent the external id again after the deletion.
      externalId: isTaken ? null : line.externalId,
      state: transactionStates.approved,
      rejectionReason: null,
      changedAt,
      decidedAt: line.approvedAt,
      decidedBy: line.approvedBy,
      approvedAt: line.approvedAt,
      approvedBy: line.approvedBy,
    }
    if (stored === undefined) {
      const { materialId: id, createdAt, approvedBy: registeredBy } = line
      const revision = line.lastRevision + 1
      const after = { ...content, id, revision, createdAt, registeredBy, exportedAt: null, anomalyFlags: 0 }
      changes.set(id, { before: null, after })
      continue
    }
    const isEdited = stored.revision !== line.revision
    if (isEdited) revisions.push(toRevision(stored, context, changedAt))
    const after = { ...stored, ...content, revision: stored.revision + Number(isEdited) }
    changes.set(stored.id, { before: stored, after })
  }
  await saveLineChanges(transaction, [...changes.values()])
  await insertRevisions(transaction, revisions)
  const others = (await listDestinations(transaction)).filter(({ id }) => id !== destinationId)
  const ids = [...changes.keys()]
  await withdrawLines(transaction, ids, others)
  for (const other of others) {
    // Not where the line never was: the destination was added after the approval.
    const statuses = await getLineStatuses(transaction, other, ids)
    const offered = ids.filter((id) => statuses.get(id)?.state === 'withdrawn')
    const ready = offered.map((id) => ({ id, at: first }))
    await offerLines(transaction, ready, [other])
    await publishChange(transaction, context, 'export.ready', offered, { destination: other.name })
    if (other.corrections === 'lines') await applyCorrectionsAt(transaction, other, ids, context)
  }
}
