// Saves directory rows: inserts, updates, or both; a row equal to its record changes nothing.
import type { DirectoryAct, KeyedRow } from './types.ts'
import { nameOf } from './types.ts'
import { keyMissing, keyNameOf, noKey, withKeys } from './keys.ts'
import { refuseDangling } from './references.ts'
import { Fault, type Detail } from '../errors/catalog.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import type { Outcome } from '../model/outcome.ts'
import type { RecordKey, Resource } from '../engine/model/resource.ts'
import { referencesOf, type Schema } from '../engine/model/schema.ts'
import { phrase } from '../errors/messages.ts'
import {
  forgetDeletions,
  recordsByKey,
  saveRecords,
  type StoredRecord,
} from '../store/directory/directory-records.ts'
import { deferReferences } from '../store/directory/directory.ts'
import type { Transaction } from '../store/store.ts'

/** How rows are saved: what happens when their record exists, and when it does not. */
export interface Saving {
  readonly schema: Schema
  readonly resource: Resource
  readonly stored: 'changed' | 'refused'
  readonly missing: 'inserted' | 'refused'
  /** Called with each stored record before it is changed; throws when it must not be. */
  readonly guard?: (record: StoredRecord) => void
  /** Called with the number of changes written so far. */
  readonly onStored?: (count: number) => void
}

/** Fields that a row does not name stay as they are (ADR 0035). */
export function saves(saving: Saving): DirectoryAct {
  return async (transaction, unkeyed, { now }) => {
    const { schema, resource, guard, onStored } = saving
    const rows = await withKeys(transaction, resource, unkeyed)
    const stored = await storedOf(transaction, resource, rows)
    if (guard !== undefined) for (const record of stored.values()) guard(record)
    const refused = await refusedByKey(rows, stored, saving)
    await refuseDangling(transaction, rows, { relations: referencesOf(schema, resource), refused })

    const changes = new Changes(transaction, { resource, stored, now })
    const outcomes: (() => Outcome<StoredRecord>)[] = []
    await inSlices(rows, sliceRows, (slice, start) =>
      slice.forEach((row, index) => {
        const detail = refused.get(start + index)
        outcomes.push(detail === undefined ? changes.apply(row) : () => ({ refused: detail }))
      }),
    )
    await changes.store(onStored)
    const told: Outcome<StoredRecord>[] = []
    await inSlices(outcomes, sliceKeys, (slice) => {
      for (const outcome of slice) told.push(outcome())
    })
    return told
  }
}

const sliceRows = 500
/** Few, large statements: planner statistics may not know yet how large the table has become. */
const sliceKeys = 2000

async function storedOf(
  transaction: Transaction,
  resource: Resource,
  rows: readonly KeyedRow[],
): Promise<Map<RecordKey, StoredRecord>> {
  const stored = new Map<RecordKey, StoredRecord>()
  await inSlices(rows, sliceKeys, async (slice) => {
    const keys = slice.flatMap(({ key, isKeyGiven }) => (isKeyGiven ? key : []))
    if (keys.length === 0) return
    for (const [key, record] of await recordsByKey(transaction, resource, keys))
      stored.set(key, record)
  })
  return stored
}

/** The rows whose record exists and must not, or the reverse. */
async function refusedByKey(
  rows: readonly KeyedRow[],
  stored: ReadonlyMap<RecordKey, StoredRecord>,
  saving: Saving,
): Promise<Map<number, Detail>> {
  const refused = new Map<number, Detail>()
  const seen = new Set<RecordKey>()
  await inSlices(rows, sliceKeys, (slice, start) =>
    slice.forEach((row, index) => {
      const detail = problemOf(row, stored.has(row.key) || seen.has(row.key), saving)
      seen.add(row.key)
      if (detail !== null) refused.set(start + index, detail)
    }),
  )
  return refused
}

function problemOf(
  { key, place }: KeyedRow,
  isThere: boolean,
  { resource, stored, missing }: Saving,
): Detail | null {
  const target = resource.fields[keyNameOf(resource)]?.wire ?? ''
  if (key === noKey) return keyMissing(resource, place)
  // Another company's key gets the same reply as an unknown one, byte for byte.
  if (!isThere && missing === 'refused')
    return new Fault('NotFound', { says: { what: phrase('theRecord') } }).detail(place)
  if (isThere && stored === 'refused')
    return new Fault('AlreadyExists', { target, says: { what: nameOf(resource, key) } }).detail(
      place,
    )
  if (typeof key === 'number' && (key < 1 || key > keyMax))
    return new Fault('NumberOutOfRange', {
      target,
      says: { field: target, min: 1, max: keyMax },
    }).detail(place)
  return null
}

/** Numbers on the wire are Edm.Int32. */
const keyMax = 2_147_483_647

interface Change {
  readonly before: StoredRecord | null
  readonly after: StoredRecord
}

/** Collects the changes of one write; each record is stored once, whatever the number of its rows. */
class Changes {
  readonly #transaction: Transaction
  readonly #resource: Resource
  readonly #stored: ReadonlyMap<RecordKey, StoredRecord>
  readonly #now: number
  readonly #byKey = new Map<RecordKey, Change>()

  constructor(
    transaction: Transaction,
    {
      resource,
      stored,
      now,
    }: { resource: Resource; stored: ReadonlyMap<RecordKey, StoredRecord>; now: number },
  ) {
    this.#transaction = transaction
    this.#resource = resource
    this.#stored = stored
    this.#now = now
  }

  /** Returns the row's outcome once all rows are applied: several rows of one record all get its final values. */
  apply(row: KeyedRow): () => Outcome<StoredRecord> {
    const { key, isKeyGiven } = row
    const earlier = this.#byKey.get(key)
    const before = earlier === undefined ? (this.#stored.get(key) ?? null) : earlier.before
    const current = earlier?.after ?? before
    const after = current === null ? this.#created(row) : this.#changed(current, row, earlier)
    const isApplied = after !== current
    if (isApplied) this.#byKey.set(key, { before, after })
    return () => {
      const record = this.#byKey.get(key)?.after ?? after
      return { record, isNew: before === null, isApplied, isKeyGiven }
    }
  }

  async store(onStored: Saving['onStored']): Promise<void> {
    const changes = [...this.#byKey.values()]
    if (changes.length === 0) return
    const transaction = this.#transaction
    // A single record is checked by its statement: a deferred violation would fail the whole shared commit.
    if (changes.length > 1) await deferReferences(transaction)
    await inSlices(changes, sliceRows, async (slice, start) => {
      await saveRecords(
        transaction,
        this.#resource,
        slice.map(({ after }) => after),
      )
      const isNew = ({ before }: Change) => before === null
      const keys = slice
        .filter(isNew)
        .flatMap(({ after }) => after[keyNameOf(this.#resource)] ?? [])
      if (keys.length > 0) await forgetDeletions(transaction, this.#resource, keys)
      onStored?.(start + slice.length)
    })
  }

  #created({ key, values }: KeyedRow): StoredRecord {
    const { counters } = this.#transaction
    if (typeof key === 'number') counters.keepEmployeeId(key)
    const stamp = counters.nextStamp(this.#now)
    const fields = Object.keys(this.#resource.fields).map((name) => [name, inStore(values[name])])
    return {
      ...Object.fromEntries(fields),
      [keyNameOf(this.#resource)]: key,
      changedAt: stamp,
      createdAt: stamp,
    }
  }

  #changed(current: StoredRecord, { values }: KeyedRow, earlier: Change | undefined): StoredRecord {
    const differing = Object.entries(values).filter(
      ([name, value]) => value !== undefined && inStore(value) !== current[name],
    )
    if (differing.length === 0) return current
    const changedAt =
      earlier === undefined
        ? this.#transaction.counters.nextStamp(this.#now)
        : (current['changedAt'] ?? null)
    const fields = differing.map(([name, value]) => [name, inStore(value)])
    return { ...current, ...Object.fromEntries(fields), changedAt }
  }
}

/** Booleans are stored as 0 and 1. */
function inStore(value: KeyedRow['values'][string]): string | number | null {
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}
