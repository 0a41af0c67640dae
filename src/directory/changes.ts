// Collects the changes of one write; each record is stored once, whatever the number of its rows.
import type { KeyedRow } from './types.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import type { WriteOutcome } from '../model/outcome.ts'
import type { RecordKey, Resource } from '../engine/model/resource.ts'
import {
  completeInsert,
  keyNameOf,
  saveRecords,
  toStoredValue,
  type StoredRecord,
} from '../store/directory/directory-records.ts'
import type { Transaction } from '../store/store.ts'

export const chunkRows = 500

interface DirectoryChange {
  readonly before: StoredRecord | null
  readonly after: StoredRecord
}

interface DirectoryWrite {
  readonly transaction: Transaction
  readonly resource: Resource
  readonly stored: ReadonlyMap<RecordKey, StoredRecord>
  readonly now: number
}

export class DirectoryChanges {
  readonly #write: DirectoryWrite
  readonly #byKey = new Map<RecordKey, DirectoryChange>()

  constructor(write: DirectoryWrite) {
    this.#write = write
  }

  /** Returns the row's outcome once all rows are applied: several rows of one record all get its final values. */
  apply(row: KeyedRow): () => WriteOutcome<StoredRecord> {
    const { key, isKeyGiven } = row
    const earlier = this.#byKey.get(key)
    const before = earlier === undefined ? (this.#write.stored.get(key) ?? null) : earlier.before
    const current = earlier?.after ?? before
    const after = current === null ? this.#created(row) : this.#changed(current, row, earlier)
    const isApplied = after !== current
    if (isApplied) this.#byKey.set(key, { before, after })
    return () => {
      const record = this.#byKey.get(key)?.after ?? after
      return { record, isNew: before === null, isApplied, isKeyGiven }
    }
  }

  async save(onStored: ((count: number) => void) | undefined): Promise<void> {
    const { transaction, resource } = this.#write
    await forEachChunk([...this.#byKey.values()], chunkRows, async (chunk, start) => {
      const records = chunk.map(({ after }) => after)
      await saveRecords(transaction, resource, records)
      const isNew = ({ before }: DirectoryChange) => before === null
      const keys = chunk.filter(isNew).flatMap(({ after }) => after[keyNameOf(resource)] ?? [])
      if (keys.length > 0) await completeInsert(transaction, resource, keys)
      onStored?.(start + chunk.length)
    })
  }

  #created({ key, values }: KeyedRow): StoredRecord {
    const { transaction, resource, now } = this.#write
    if (typeof key === 'number') transaction.sequences.reserveEmployeeId(key)
    const stamp = transaction.sequences.nextStamp(now)
    const fields = Object.keys(resource.fields).map((name) => [name, toStoredValue(values[name])])
    return { ...Object.fromEntries(fields), [keyNameOf(resource)]: key, changedAt: stamp, createdAt: stamp }
  }

  #changed(current: StoredRecord, { values }: KeyedRow, earlier: DirectoryChange | undefined): StoredRecord {
    const differing = Object.entries(values).filter(
      ([name, value]) => value !== undefined && toStoredValue(value) !== current[name],
    )
    if (differing.length === 0) return current
    const { transaction, now } = this.#write
    const changedAt = earlier === undefined ? transaction.sequences.nextStamp(now) : (current['changedAt'] ?? null)
    const fields = differing.map(([name, value]) => [name, toStoredValue(value)])
    return { ...current, ...Object.fromEntries(fields), changedAt }
  }
}
