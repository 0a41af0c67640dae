// Deletes a directory record that nothing references; a referenced employee is anonymized instead.
import type { SaveOptions } from './save.ts'
import { recordName } from './types.ts'
import type { ActionContext } from '../auth/action-context.ts'
import { ApiError, notFoundError } from '../errors/api-error.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import { employee } from '../model/directory.ts'
import type { RecordKey } from '../engine/model/resource.ts'
import { referencesTo } from '../engine/model/schema.ts'
import {
  deleteRecords,
  findRecords,
  findReferrer,
  listReferenced,
  keyNameOf,
  saveRecords,
  type StoredRecord,
} from '../store/directory/directory-records.ts'
import { deleteImportChangesOf } from '../store/imports/imports.ts'
import type { Transaction } from '../store/store.ts'

export interface DeleteOptions extends Pick<SaveOptions, 'schema' | 'resource' | 'guard'> {
  readonly key: RecordKey
}

/** Throws `NotFound`, also for another company's key, and `InUse` with the first record that references it. */
export async function deleteRecord(
  transaction: Transaction,
  { schema, resource, key, guard }: DeleteOptions,
  { now }: Pick<ActionContext, 'now'>,
): Promise<void> {
  const record = (await findRecords(transaction, resource, [key])).get(key)
  if (record === undefined) throw notFoundError(recordName(resource, key))
  guard?.(record)
  await deleteImportChangesOf(transaction, { resource: resource.wire, key: String(key) })
  for (const relation of referencesTo(schema, resource)) {
    const referrer = await findReferrer(relation)(transaction, { key })
    if (referrer === undefined) continue
    if (resource === employee) return anonymize(transaction, record, now)
    throw new ApiError('InUse', {
      target: recordName(resource, key),
      params: { what: recordName(resource, key), by: recordName(relation.of, referrer.key) },
    })
  }
  // The highest number may be deleted, and must not be assigned again.
  if (typeof key === 'number') transaction.sequences.reserveEmployeeId(key)
  await deleteRecords(transaction, resource, [key], now)
}

/** Deletes the records that nothing references, except others that are deleted too. Returns the remaining keys. */
export async function deleteUnused(
  transaction: Transaction,
  { schema, resource, keys }: Pick<SaveOptions, 'schema' | 'resource'> & { readonly keys: readonly RecordKey[] },
  { now }: Pick<ActionContext, 'now'>,
): Promise<readonly RecordKey[]> {
  let remaining = keys
  for (;;) {
    const referenced = new Set<RecordKey>()
    for (const relation of referencesTo(schema, resource))
      for (const { id } of await listReferenced(relation)(transaction, remaining)) referenced.add(id)
    const unreferenced = remaining.filter((key) => !referenced.has(key))
    if (unreferenced.length === 0) return remaining
    for (const key of unreferenced) if (typeof key === 'number') transaction.sequences.reserveEmployeeId(key)
    await forEachChunk(unreferenced, chunkKeys, (chunk) => deleteRecords(transaction, resource, chunk, now))
    remaining = [...referenced]
  }
}

const chunkKeys = 1000

/** Keeps the number for its references, and clears all personal data (ADR 0028). */
async function anonymize(transaction: Transaction, record: StoredRecord, now: number): Promise<void> {
  const blank = Object.fromEntries(Object.keys(employee.fields).map((name) => [name, null]))
  const { changedAt = null, createdAt = null } = record
  const anonymous: StoredRecord = {
    ...blank,
    [keyNameOf(employee)]: record[keyNameOf(employee)] ?? null,
    isActive: 0,
    changedAt,
    createdAt,
  }
  const isDone = Object.entries(anonymous).every(([name, value]) => record[name] === value)
  if (isDone) return
  const stamp = transaction.sequences.nextStamp(now)
  await saveRecords(transaction, employee, [{ ...anonymous, changedAt: stamp }])
}
