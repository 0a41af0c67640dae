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
import { findClaimed, lineClaimedError } from './claimed-lines.ts'
import { materialTransaction, transactionStates, type TransactionState } from '../model/transaction.ts'
import { message } from '../errors/messages.ts'
import type { ClaimedLine } from '../store/export/claims.ts'
import { listDestinations } from '../store/export/destinations.ts'
import { withdrawLines } from '../store/material/approvals.ts'
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
    const { outcomes: updated, corrected } = await updateChunk(transaction, chunk, update, changes)
    outcomes.push(...updated)
    edited.push(...(await changes.save()))
    // Other destinations may not have fetched what is no longer approved.
    if (corrected.length > 0) await withdrawLines(transaction, corrected, await listDestinations(transaction))
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
): Promise<{ readonly outcomes: readonly UpdateOutcome[]; readonly corrected: readonly number[] }> {
  const { context } = changes
  const found = [...(await findMaterials(transaction, ids)).values()]
  const contents = await validateContents(
    transaction,
    found.map((one) => ({ ...row, values: { ...toSentContent(one), ...values }, location: '' })),
    context,
  )
  const keys = contents.flatMap((content) => ('date' in content ? (sourceKeyOf(content) ?? []) : []))
  const materialsByKey = await findMaterialsBySource(transaction, keys)
  const exports = await findExports(transaction, found, context)
  const corrected: number[] = []
  const outcomes = found.map((stored, index): UpdateOutcome => {
    const reject = (error: ApiError) => ({ material: stored, error })
    const rejection = check(stored)
    if (rejection !== null) return reject(rejection)
    const content = contents[index] ?? []
    if (!('date' in content)) return reject(errorOfDetails(content))
    const lock = findLock(stored, exports, context)
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
    if (material === null) return reject(notMutableError(stored))
    if (isExported(stored)) corrected.push(stored.id)
    return { material, error: null }
  })
  return { outcomes, corrected }
}

/** Deletes it; its id is never reused. Throws `NotFound` and `StateConflict`. */
export async function deleteMaterialById(transaction: Transaction, id: number, context: WriteContext): Promise<void> {
  const stored = await getMaterial(transaction, id)
  const lock = findLock(stored, await findExports(transaction, [stored], context), context)
  if (lock !== null) throw lock
  const replacedAt = transaction.sequences.nextStamp(context.now)
  await insertRevisions(transaction, [toRevision(stored, context, replacedAt)])
  await saveLineChanges(transaction, [{ before: stored, after: null }])
  const destinations = await listDestinations(transaction)
  await withdrawLines(transaction, [id], destinations)
  await applyCorrections(transaction, destinations, [id], context)
  await auditMaterial(transaction, context, 'delete', [id])
}

/** Of these, the exported ones that accept a correction, and those with a line that a worker has claimed. */
interface Exports {
  readonly correctable: ReadonlySet<number>
  readonly claimed: ReadonlyMap<number, ClaimedLine>
}

async function findExports(
  transaction: Transaction,
  materials: readonly StoredMaterial[],
  context: WriteContext,
): Promise<Exports> {
  const ids = materials.filter(isExported).map(({ id }) => id)
  if (ids.length === 0) return { correctable: new Set(), claimed: new Map() }
  return { correctable: await findCorrectable(transaction, ids), claimed: await findClaimed(transaction, ids, context) }
}

function isExported({ state }: StoredMaterial): boolean {
  return state === transactionStates.exported
}

/**
 * The error that forbids a change, or null: `StateConflict` where the state allows neither a change nor a correction,
 * `ScopeMissing` for a correction by a caller without `material:approve`, `LineClaimed` where a worker has a line.
 */
function findLock(
  stored: StoredMaterial,
  { correctable, claimed }: Exports,
  { canApprove }: WriteContext,
): ApiError | null {
  if (mutableStates.has(stored.state)) return null
  if (!correctable.has(stored.id)) return notMutableError(stored)
  if (!canApprove) return new ApiError('ScopeMissing', { params: { scope: 'material:approve' } })
  const claim = claimed.get(stored.id)
  return claim === undefined ? null : lineClaimedError(claim)
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
