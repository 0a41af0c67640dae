// Registers transactions from other systems (interface 3); an identical row changes nothing.
import { ApiError, type ErrorDetail } from '../errors/api-error.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import { stateConflictError } from './change.ts'
import { MaterialChanges } from './changes.ts'
import { listDifferences, type MaterialRowInput } from './content.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { auditMaterial } from './audit-and-events.ts'
import { publishChange } from '../notifications/webhooks/publish.ts'
import { validateContents } from './check-references.ts'
import { materialTransaction } from '../model/transaction.ts'
import {
  pickContent,
  findMaterialsBySource,
  revisionUnknown,
  sourceKeyOf,
  toSourceKey,
  type StoredContent,
  type StoredMaterial,
} from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

export interface RegisteredRow {
  readonly code: 'registered' | 'unchanged' | 'updated'
  readonly material: StoredMaterial
}

export type RegisterOutcome = RegisteredRow | { readonly details: readonly ErrorDetail[] }

/** Registers every valid row, in order; the caller decides whether a failed row rolls back all (ADR 0007). */
export async function registerBatch(
  transaction: Transaction,
  rows: readonly MaterialRowInput[],
  context: WriteContext,
): Promise<readonly RegisterOutcome[]> {
  const outcomes: RegisterOutcome[] = []
  await forEachChunk(rows, chunkRows, async (chunk) => {
    outcomes.push(...(await registerChunk(transaction, chunk, context)))
  })
  const ids = (code: RegisteredRow['code']) =>
    outcomes.flatMap((one) => ('code' in one && one.code === code ? one.material.id : []))
  await auditMaterial(transaction, context, 'register', ids('registered'))
  await publishChange(transaction, context, 'transaction.registered', ids('registered'))
  await auditMaterial(transaction, context, 'edit', ids('updated'))
  return outcomes
}

/** Small enough to yield to other requests, large enough to make one statement worthwhile. */
const chunkRows = 1000

async function registerChunk(
  transaction: Transaction,
  rows: readonly MaterialRowInput[],
  context: WriteContext,
): Promise<RegisterOutcome[]> {
  const changes = new MaterialChanges(transaction, context)
  const contents = await validateContents(transaction, rows, context)
  const keys = contents.flatMap((content) => ('date' in content ? (sourceKeyOf(content) ?? []) : []))
  const materialsByKey = await findMaterialsBySource(transaction, keys)

  const outcomes = contents.map((content, index): RegisterOutcome => {
    if (!('date' in content)) return { details: content }
    const key = sourceKeyOf(content)
    const stored = key === null ? undefined : materialsByKey.get(toSourceKey(key))
    const outcome = registerRow(changes, content, stored, rows[index]?.location ?? '')
    if (key !== null && 'code' in outcome) materialsByKey.set(toSourceKey(key), outcome.material)
    return outcome
  })
  await changes.save()
  return outcomes
}

function registerRow(
  changes: MaterialChanges,
  content: StoredContent,
  stored: StoredMaterial | undefined,
  location: string,
): RegisterOutcome {
  if (stored === undefined) return { code: 'registered', material: changes.register(content) }
  if (stored.revision === revisionUnknown) return { code: 'unchanged', material: changes.fillIn(stored, content) }
  if (listDifferences(content, pickContent(stored)).length === 0) return { code: 'unchanged', material: stored }
  const material = changes.edit(stored, content)
  if (material !== null) return { code: 'updated', material }
  const { code, params } = stateConflictError(stored)
  const target = materialTransaction.fields.externalId.wire
  return { details: [new ApiError(code, { target, existing: stored.id, params }).toDetail(location)] }
}
