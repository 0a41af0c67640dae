// Updates and deletes a transaction before approval, or corrects it after export (interface 3).
import { ApiError, errorOfDetails } from '../errors/api-error.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import { formatTimestamp } from '../lib/timestamp.ts'
import { MaterialChanges } from './changes.ts'
import { listDifferences, toRevision, toSentContent, type MaterialRowInput } from './content.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { auditMaterial } from './audit-and-events.ts'
import { validateContents } from './check-references.ts'
import { findCorrectable, applyCorrections } from './apply-corrections.ts'
import { materialTransaction, transactionStates, type TransactionState } from '../model/transaction.ts'
import { message } from '../errors/messages.ts'
import { listDestinations } from '../store/export/destinations.ts'
import { saveLineChanges } from '../store/material/line-changes.ts'
import {
  pickContent,
  insertRevisions,
  findMaterials,
  findMaterialsBySource,
  sourceKeyOf,
  toSourceKey,
  type StoredMaterial,
} from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

export interface MaterialUpdate extends Pick<MaterialRowInput, 'values' | 'bindAnnotations'> {
  /** Why a transaction must not be updated, besides its state. */
  readonly check?: (stored: StoredMaterial) => ApiError | null
}

export interface UpdateOutcome {
  /** After the update, or as stored when there is an error. */
  readonly material: StoredMaterial
  readonly error: ApiError | null
}

/**
 * Returns the transaction after the update; fields that were not sent keep their values. Throws `NotFound`,
 * `StateConflict` and field errors.
 */
export async function updateMaterialById(
  transaction: Transaction,
  id: number,
  update: MaterialUpdate,
  context: WriteContext,
): Promise<StoredMaterial> {
  const [outcome] = await updateMaterialsById(transaction, [id], update, context)
  if (outcome === undefined) throw materialNotFoundError(id)
  if (outcome.error !== null) throw outcome.error
  return outcome.material
}

/**
 * The same for distinct ids, each updated if it can be; unknown ids have no outcome. Values for several ids do not
 * include the external id.
 */
export async function updateMaterialsById(
  transaction: Transaction,
  ids: readonly number[],
  update: MaterialUpdate,
  context: WriteContext,
): Promise<readonly UpdateOutcome[]> {
  const outcomes: UpdateOutcome[] = []
  const edited: number[] = []
  await forEachChunk(ids, chunkIds, async (chunk) => {
    const changes = new MaterialChanges(transaction, context)
    outcomes.push(...(await updateChunk(transaction, chunk, update, changes)))
    edited.push(...(await changes.save()))
  })
  await auditMaterial(transaction, context, 'edit', edited)
  return outcomes
}

const chunkIds = 1000

async function updateChunk(
  transaction: Transaction,
  ids: readonly number[],
  { values, check = () => null, ...row }: MaterialUpdate,
  changes: MaterialChanges,
): Promise<readonly UpdateOutcome[]> {
  const { context } = changes
  const found = [...(await findMaterials(transaction, ids)).values()]
  const contents = await validateContents(
    transaction,
    found.map((one) => ({ ...row, values: { ...toSentContent(one), ...values }, location: '' })),
    context,
  )
  const keys = contents.flatMap((content) => ('date' in content ? (sourceKeyOf(content) ?? []) : []))
  const materialsByKey = await findMaterialsBySource(transaction, keys)
  const correctable = await findCorrectableExports(transaction, found)
  return found.map((stored, index): UpdateOutcome => {
    const reject = (error: ApiError) => ({ material: stored, error })
    const rejection = check(stored)
    if (rejection !== null) return reject(rejection)
    const content = contents[index] ?? []
    if (!('date' in content)) return reject(errorOfDetails(content))
    const lock = findLock(stored, correctable, context)
    if (lock !== null) return reject(lock)
    const isSame = listDifferences(content, pickContent(stored)).length === 0
    if (isSame && stored.state === transactionStates.registered) return { material: stored, error: null }
    const key = sourceKeyOf(content)
    const other = key === null ? undefined : materialsByKey.get(toSourceKey(key))
    if (other !== undefined && other.id !== stored.id)
      return reject(
        new ApiError('SourceKeyTaken', {
          target: materialTransaction.fields.externalId.wire,
          existing: other.id,
          params: { source: other.source, externalId: other.externalId ?? '', id: other.id },
        }),
      )
    const material = changes.correct(stored, content)
    return material === null ? reject(notMutableError(stored)) : { material, error: null }
  })
}

/** Deletes it; its id is never reused. Throws `NotFound` and `StateConflict`. */
export async function deleteMaterialById(transaction: Transaction, id: number, context: WriteContext): Promise<void> {
  const stored = await getMaterial(transaction, id)
  const lock = findLock(stored, await findCorrectableExports(transaction, [stored]), context)
  if (lock !== null) throw lock
  const replacedAt = transaction.sequences.nextStamp(context.now)
  await insertRevisions(transaction, [toRevision(stored, context, replacedAt)])
  await saveLineChanges(transaction, [{ before: stored, after: null }])
  await applyCorrections(transaction, await listDestinations(transaction), [id], context)
  await auditMaterial(transaction, context, 'delete', [id])
}

/** The exported ones of these that accept a correction. */
async function findCorrectableExports(
  transaction: Transaction,
  materials: readonly StoredMaterial[],
): Promise<ReadonlySet<number>> {
  const exported = materials.filter(({ state }) => state === transactionStates.exported)
  const ids = exported.map(({ id }) => id)
  return ids.length === 0 ? new Set() : findCorrectable(transaction, ids)
}

/**
 * The error that forbids a change, or null: `StateConflict` where the state allows neither a change nor a correction,
 * `ScopeMissing` for a correction by a caller without `material:approve`.
 */
function findLock(
  stored: StoredMaterial,
  correctable: ReadonlySet<number>,
  { canApprove }: WriteContext,
): ApiError | null {
  if (mutableStates.has(stored.state)) return null
  if (!correctable.has(stored.id)) return notMutableError(stored)
  return canApprove ? null : new ApiError('ScopeMissing', { params: { scope: 'material:approve' } })
}

const mutableStates: ReadonlySet<TransactionState> = new Set([transactionStates.registered, transactionStates.rejected])

/** Throws `NotFound` for an unknown id and for another company's id alike. */
export async function getMaterial(transaction: Transaction, id: number): Promise<StoredMaterial> {
  const stored = (await findMaterials(transaction, [id])).get(id)
  if (stored === undefined) throw materialNotFoundError(id)
  return stored
}

function materialNotFoundError(id: number): ApiError {
  const what = `${materialTransaction.wire}(${id})`
  return new ApiError('NotFound', { target: what, params: { what } })
}

/** For an exported transaction the last decision is not what locked it, so the error names nobody. */
function notMutableError(stored: StoredMaterial): ApiError {
  return stateConflictError(
    stored.state === transactionStates.exported ? { ...stored, decidedAt: null, decidedBy: null } : stored,
  )
}

/** The action is not allowed in the current state; the error says who set that state and when. */
export function stateConflictError(
  material: Pick<StoredMaterial, 'id' | 'state' | 'decidedAt' | 'decidedBy'>,
): ApiError {
  const { id, state, decidedAt, decidedBy } = material
  const isKnown = decidedAt !== null && decidedBy !== null
  const by = isKnown ? message('sinceBy', { at: formatTimestamp(decidedAt), actor: decidedBy }) : ''
  return new ApiError('StateConflict', { target: materialTransaction.fields.state.wire, params: { id, state, by } })
}
