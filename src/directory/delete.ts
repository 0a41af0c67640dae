// Deletes a directory record that nothing references; a referenced employee is anonymized instead.
import { nameOf } from './types.ts'
import { keyNameOf } from './keys.ts'
import type { Deed } from '../auth/action-context.ts'
import { Fault } from '../errors/catalog.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import { employee } from '../model/directory.ts'
import type { RecordKey, Resource } from '../engine/model/resource.ts'
import { referencesTo, type Schema } from '../engine/model/schema.ts'
import { phrase } from '../errors/messages.ts'
import {
  deleteRecords,
  recordsByKey,
  referredKeys,
  referrerOf,
  saveRecords,
  type StoredRecord,
} from '../store/directory/directory-records.ts'
import { forgetImported } from '../store/imports/imports.ts'
import type { Transaction } from '../store/store.ts'

export interface Removal {
  readonly schema: Schema
  readonly resource: Resource
  readonly key: RecordKey
  /** Called before the deletion; throws when the record must not be deleted. */
  readonly guard?: (record: StoredRecord) => void
}

/** Throws `NotFound`, also for another company's key, and `InUse` with the first record that references it. */
export async function removeRecord(
  transaction: Transaction,
  { schema, resource, key, guard }: Removal,
  { now }: Pick<Deed, 'now'>,
): Promise<void> {
  const record = (await recordsByKey(transaction, resource, [key])).get(key)
  if (record === undefined) throw new Fault('NotFound', { says: { what: phrase('theRecord') } })
  guard?.(record)
  await forgetImported(transaction, resource.wire, String(key))
  for (const relation of referencesTo(schema, resource)) {
    const by = await referrerOf(transaction, relation, key)
    if (by === null) continue
    if (resource === employee) return makeUnknowable(transaction, record, now)
    throw new Fault('InUse', {
      target: nameOf(resource, key),
      says: { what: nameOf(resource, key), by: nameOf(relation.of, by) },
    })
  }
  // The highest number may be deleted, and must not be assigned again.
  if (typeof key === 'number') transaction.counters.keepEmployeeId(key)
  await deleteRecords(transaction, resource, [key], now)
}

export interface Removals extends Pick<Removal, 'schema' | 'resource'> {
  readonly keys: readonly RecordKey[]
}

/** Deletes the records that nothing references, except others that are deleted too. Returns the remaining keys. */
export async function removeUnused(
  transaction: Transaction,
  { schema, resource, keys }: Removals,
  { now }: Pick<Deed, 'now'>,
): Promise<readonly RecordKey[]> {
  let left = keys
  for (;;) {
    const used = new Set<RecordKey>()
    await inSlices(left, sliceKeys, async (slice) => {
      for (const relation of referencesTo(schema, resource))
        for (const key of await referredKeys(transaction, relation, slice)) used.add(key)
    })
    const free = left.filter((key) => !used.has(key))
    if (free.length === 0) return left
    for (const key of free) if (typeof key === 'number') transaction.counters.keepEmployeeId(key)
    await inSlices(free, sliceKeys, (slice) => deleteRecords(transaction, resource, slice, now))
    left = [...used]
  }
}

const sliceKeys = 1000

/** Keeps the number for its references, and clears all personal data (ADR 0036). */
async function makeUnknowable(
  transaction: Transaction,
  record: StoredRecord,
  now: number,
): Promise<void> {
  const blank = Object.fromEntries(Object.keys(employee.fields).map((name) => [name, null]))
  const { changedAt = null, createdAt = null } = record
  const unknowable: StoredRecord = {
    ...blank,
    [keyNameOf(employee)]: record[keyNameOf(employee)] ?? null,
    isActive: 0,
    changedAt,
    createdAt,
  }
  const isDone = Object.entries(unknowable).every(([name, value]) => record[name] === value)
  if (isDone) return
  const stamp = transaction.counters.nextStamp(now)
  await saveRecords(transaction, employee, [{ ...unknowable, changedAt: stamp }])
}
