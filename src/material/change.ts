// Updates and deletes a transaction before approval, or corrects it after export (interface 3).
import { Fault } from '../errors/catalog.ts'
import { writeStamp } from '../lib/timestamp.ts'
import { Changes } from './changes.ts'
import { completed, differing, sentOf, type SentContent } from './content.ts'
import { audit, type Deed } from './action-context.ts'
import { strangersIn } from './check-references.ts'
import { nextStateCorrected } from './lifecycle.ts'
import { correctableAmong, settleEverywhere } from './apply-corrections.ts'
import { materialTransaction, states, type State } from '../model/transaction.ts'
import { phrase, type Phrase } from '../errors/messages.ts'
import { destinationsOf } from '../store/export/destinations.ts'
import {
  contentOfRow,
  deleteMaterial,
  insertRevisions,
  materialsById,
  materialsBySource,
  sourceKey,
  type StoredMaterial,
} from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

/**
 * Returns the transaction after the update; fields that were not sent keep their values. Throws `NotFound`,
 * `StateConflict` and field errors.
 */
export async function changeMaterial(
  transaction: Transaction,
  id: number,
  sent: SentContent,
  deed: Deed,
): Promise<StoredMaterial> {
  const stored = await materialOf(transaction, id)
  const content = completed({ ...sentOf(stored), ...sent }, stored.source, '')
  if (!('date' in content)) throw faultOf(content)
  const [strangers = []] = await strangersIn(transaction, [{ content, place: '' }], deed)
  if (strangers.length > 0) throw faultOf(strangers)
  const isCorrection = await correcting(transaction, stored, 'edit', deed)
  if (differing(content, contentOfRow(stored)).length === 0 && stored.state === states.registered)
    return stored
  const { source, externalId } = content
  if (externalId !== null) {
    const key = { source, externalId }
    const other = (await materialsBySource(transaction, [key])).get(sourceKey(key))
    if (other !== undefined && other.id !== id) throw taken(other)
  }
  const changes = new Changes(transaction, deed)
  const changed = isCorrection ? changes.correct(stored, content) : changes.edit(stored, content)
  if (changed === null) throw notMutable(stored)
  await changes.store()
  await audit(transaction, deed, 'edit', [id])
  return changed
}

/** Deletes it; its id is never reused. Throws `NotFound` and `StateConflict`. */
export async function removeMaterial(
  transaction: Transaction,
  id: number,
  deed: Deed,
): Promise<void> {
  const stored = await materialOf(transaction, id)
  await correcting(transaction, stored, 'delete', deed)
  const replacedAt = transaction.counters.nextStamp(deed.now)
  await insertRevisions(transaction, [
    {
      materialId: id,
      revision: stored.revision,
      content: JSON.stringify(contentOfRow(stored)),
      replacedAt,
      replacedBy: deed.actor,
      requestId: deed.requestId,
    },
  ])
  await deleteMaterial(transaction, id)
  await settleEverywhere(transaction, await destinationsOf(transaction), [id], deed)
  await audit(transaction, deed, 'delete', [id])
}

/**
 * Whether this is a correction of an exported transaction, which requires `material:approve`. Throws `StateConflict`
 * when the state allows neither the change nor a correction, and `ScopeMissing`.
 */
async function correcting(
  transaction: Transaction,
  stored: StoredMaterial,
  act: 'edit' | 'delete',
  { mayApprove }: Deed,
): Promise<boolean> {
  if (mutable.has(stored.state)) return false
  const isCorrectable =
    stored.state === states.exported &&
    (await correctableAmong(transaction, [stored.id])).has(stored.id) &&
    (act === 'delete' || nextStateCorrected(stored.state, act) !== null)
  if (!isCorrectable) throw notMutable(stored)
  if (!mayApprove) throw new Fault('ScopeMissing', { says: { scope: 'material:approve' } })
  return true
}

const mutable: ReadonlySet<State> = new Set([states.registered, states.rejected])

/** Throws `NotFound` for an unknown id and for another company's id alike. */
export async function materialOf(transaction: Transaction, id: number): Promise<StoredMaterial> {
  const stored = (await materialsById(transaction, [id])).get(id)
  if (stored === undefined) {
    const what = `${materialTransaction.wire}(${id})`
    throw new Fault('NotFound', { target: what, says: { what } })
  }
  return stored
}

/** For an exported transaction the last decision is not what locked it, so the error names nobody. */
function notMutable(stored: StoredMaterial): Fault {
  return stateConflict(
    stored.state === states.exported ? { ...stored, decidedAt: null, decidedBy: null } : stored,
  )
}

/** The action is not allowed in the current state; the error says who set that state and when. */
export function stateConflict({
  id,
  state,
  decidedAt,
  decidedBy,
}: Pick<StoredMaterial, 'id' | 'state' | 'decidedAt' | 'decidedBy'>): Fault {
  return new Fault('StateConflict', {
    target: materialTransaction.fields.state.wire,
    says: { id, state, by: sinceBy(decidedAt, decidedBy) },
  })
}

function sinceBy(at: number | null, actor: string | null): Phrase | string {
  return at === null || actor === null ? '' : phrase('sinceBy', { at: writeStamp(at), actor })
}

function taken({ id, source, externalId }: StoredMaterial): Fault {
  return new Fault('SourceKeyTaken', {
    target: materialTransaction.fields.externalId.wire,
    existing: id,
    says: { source, externalId: externalId ?? '', id },
  })
}

function faultOf(details: readonly ReturnType<Fault['detail']>[]): Fault {
  const [first] = details
  if (first === undefined) throw new Error('an error without a detail')
  return new Fault(first.code, {
    ...(first.target === null ? {} : { target: first.target }),
    says: first.says,
    ...(details.length === 1 ? {} : { details }),
  })
}
