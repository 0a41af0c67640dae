// Updates and deletes a transaction before approval, or corrects it after export (interface 3).
import { ApiError, errorOfDetails } from '../errors/api-error.ts'
import { formatTimestamp } from '../lib/timestamp.ts'
import { MaterialChanges } from './changes.ts'
import {
  completeContent,
  listDifferences,
  toSentContent,
  type MaterialRowInput,
} from './content.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { auditMaterial } from './audit-and-events.ts'
import { findUnknownReferences } from './check-references.ts'
import { nextCorrectedState } from './lifecycle.ts'
import { findCorrectable, applyCorrections } from './apply-corrections.ts'
import {
  materialTransaction,
  transactionStates,
  type TransactionState,
} from '../model/transaction.ts'
import { message, type LocalizedMessage } from '../errors/messages.ts'
import { listDestinations } from '../store/export/destinations.ts'
import {
  pickContent,
  deleteMaterial,
  insertRevisions,
  findMaterials,
  findMaterialsBySource,
  toSourceKey,
  type StoredMaterial,
} from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

/**
 * Returns the transaction after the update; fields that were not sent keep their values. Throws `NotFound`,
 * `StateConflict` and field errors.
 */
export async function updateMaterialById(
  transaction: Transaction,
  id: number,
  { values, ...row }: Pick<MaterialRowInput, 'values' | 'bindAnnotations'>,
  context: WriteContext,
): Promise<StoredMaterial> {
  const stored = await getMaterial(transaction, id)
  const content = completeContent({ ...toSentContent(stored), ...values }, stored.source, '')
  if (!('date' in content)) throw errorOfDetails(content)
  const [unknownReferences = []] = await findUnknownReferences(
    transaction,
    [{ ...row, content, location: '' }],
    context,
  )
  if (unknownReferences.length > 0) throw errorOfDetails(unknownReferences)
  const isCorrection = await requireMutable(transaction, stored, 'edit', context)
  if (
    listDifferences(content, pickContent(stored)).length === 0 &&
    stored.state === transactionStates.registered
  )
    return stored
  const { source, externalId } = content
  if (externalId !== null) {
    const key = { source, externalId }
    const other = (await findMaterialsBySource(transaction, [key])).get(toSourceKey(key))
    if (other !== undefined && other.id !== id) throw sourceKeyTakenError(other)
  }
  const changes = new MaterialChanges(transaction, context)
  const changed = isCorrection ? changes.correct(stored, content) : changes.edit(stored, content)
  if (changed === null) throw notMutableError(stored)
  await changes.save()
  await auditMaterial(transaction, context, 'edit', [id])
  return changed
}

/** Deletes it; its id is never reused. Throws `NotFound` and `StateConflict`. */
export async function deleteMaterialById(
  transaction: Transaction,
  id: number,
  context: WriteContext,
): Promise<void> {
  const stored = await getMaterial(transaction, id)
  await requireMutable(transaction, stored, 'delete', context)
  const replacedAt = transaction.sequences.nextStamp(context.now)
  await insertRevisions(transaction, [
    {
      materialId: id,
      revision: stored.revision,
      content: JSON.stringify(pickContent(stored)),
      replacedAt,
      replacedBy: context.actor,
      requestId: context.requestId,
    },
  ])
  await deleteMaterial(transaction, id)
  await applyCorrections(transaction, await listDestinations(transaction), [id], context)
  await auditMaterial(transaction, context, 'delete', [id])
}

/**
 * Whether this is a correction of an exported transaction, which requires `material:approve`. Throws `StateConflict`
 * when the state allows neither the change nor a correction, and `ScopeMissing`.
 */
async function requireMutable(
  transaction: Transaction,
  stored: StoredMaterial,
  action: 'edit' | 'delete',
  { canApprove }: WriteContext,
): Promise<boolean> {
  if (mutableStates.has(stored.state)) return false
  const isCorrectable =
    stored.state === transactionStates.exported &&
    (await findCorrectable(transaction, [stored.id])).has(stored.id) &&
    (action === 'delete' || nextCorrectedState(stored.state, action) !== null)
  if (!isCorrectable) throw notMutableError(stored)
  if (!canApprove) throw new ApiError('ScopeMissing', { params: { scope: 'material:approve' } })
  return true
}

const mutableStates: ReadonlySet<TransactionState> = new Set([
  transactionStates.registered,
  transactionStates.rejected,
])

/** Throws `NotFound` for an unknown id and for another company's id alike. */
export async function getMaterial(transaction: Transaction, id: number): Promise<StoredMaterial> {
  const stored = (await findMaterials(transaction, [id])).get(id)
  if (stored === undefined) {
    const what = `${materialTransaction.wire}(${id})`
    throw new ApiError('NotFound', { target: what, params: { what } })
  }
  return stored
}

/** For an exported transaction the last decision is not what locked it, so the error names nobody. */
function notMutableError(stored: StoredMaterial): ApiError {
  return stateConflictError(
    stored.state === transactionStates.exported
      ? { ...stored, decidedAt: null, decidedBy: null }
      : stored,
  )
}

/** The action is not allowed in the current state; the error says who set that state and when. */
export function stateConflictError({
  id,
  state,
  decidedAt,
  decidedBy,
}: Pick<StoredMaterial, 'id' | 'state' | 'decidedAt' | 'decidedBy'>): ApiError {
  return new ApiError('StateConflict', {
    target: materialTransaction.fields.state.wire,
    params: { id, state, by: describeDecision(decidedAt, decidedBy) },
  })
}

function describeDecision(at: number | null, actor: string | null): LocalizedMessage | string {
  return at === null || actor === null ? '' : message('sinceBy', { at: formatTimestamp(at), actor })
}

function sourceKeyTakenError({ id, source, externalId }: StoredMaterial): ApiError {
  return new ApiError('SourceKeyTaken', {
    target: materialTransaction.fields.externalId.wire,
    existing: id,
    params: { source, externalId: externalId ?? '', id },
  })
}
