// Saves directory rows: inserts, updates, or both; a row equal to its record changes nothing.
import { recordName, type DirectoryWriteHandler, type KeyedRow } from './types.ts'
import { chunkRows, DirectoryChanges } from './changes.ts'
import { missingKeyError, missingKey, assignKeys } from './keys.ts'
import { rejectMissingReferences } from './references.ts'
import { ApiError, fieldError, type ErrorDetail, notFoundError } from '../errors/api-error.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import type { WriteOutcome } from '../model/outcome.ts'
import { int32Max, type RecordKey, type Resource } from '../engine/model/resource.ts'
import { referencesOf, type Schema } from '../engine/model/schema.ts'
import { findRecords, keyNameOf, type StoredRecord } from '../store/directory/directory-records.ts'

/** How rows are saved: what happens when their record exists, and when it does not. */
export interface SaveOptions {
  readonly schema: Schema
  readonly resource: Resource
  readonly ifStored: 'changed' | 'rejected'
  readonly ifMissing: 'inserted' | 'rejected'
  /** Called with each stored record before it is changed or deleted; throws when it must not be. */
  readonly guard?: (record: StoredRecord) => void
  /** Called with the number of changes written so far. */
  readonly onStored?: (count: number) => void
}

/** Fields that a row does not name stay as they are (ADR 0028). */
export function createSaveHandler(options: SaveOptions): DirectoryWriteHandler {
  return async (transaction, unkeyed, { now }) => {
    const { schema, resource, guard, onStored } = options
    const rows = await assignKeys(transaction, resource, unkeyed)
    const given = rows.flatMap(({ key, isKeyGiven }) => (isKeyGiven ? key : []))
    const stored = await findRecords(transaction, resource, given)
    if (guard !== undefined) for (const record of stored.values()) guard(record)
    const rejected = await findRejected(rows, stored, options)
    await rejectMissingReferences(transaction, rows, { relations: referencesOf(schema, resource), rejected })

    const changes = new DirectoryChanges({ transaction, resource, stored, now })
    const outcomes: (() => WriteOutcome<StoredRecord>)[] = []
    await forEachChunk(rows, chunkRows, (chunk, start) =>
      chunk.forEach((row, index) => {
        const detail = rejected.get(start + index)
        outcomes.push(detail === undefined ? changes.apply(row) : () => ({ problem: detail }))
      }),
    )
    await changes.save(onStored)
    const results: WriteOutcome<StoredRecord>[] = []
    await forEachChunk(outcomes, chunkRows, (chunk) => {
      for (const outcome of chunk) results.push(outcome())
    })
    return results
  }
}

/** The rows whose record exists and must not, or the reverse. */
async function findRejected(
  rows: readonly KeyedRow[],
  stored: ReadonlyMap<RecordKey, StoredRecord>,
  saving: SaveOptions,
): Promise<Map<number, ErrorDetail>> {
  const rejected = new Map<number, ErrorDetail>()
  const seen = new Set<RecordKey>()
  await forEachChunk(rows, chunkRows, (chunk, start) =>
    chunk.forEach((row, index) => {
      const detail = findKeyError(row, stored.has(row.key) || seen.has(row.key), saving)
      seen.add(row.key)
      if (detail !== null) rejected.set(start + index, detail)
    }),
  )
  return rejected
}

function findKeyError(
  { key, location }: KeyedRow,
  exists: boolean,
  { resource, ifStored, ifMissing }: SaveOptions,
): ErrorDetail | null {
  const target = resource.fields[keyNameOf(resource)]?.wire ?? ''
  if (key === missingKey) return missingKeyError(resource).toDetail(location)
  // Another company's key gets the same reply as an unknown one, byte for byte.
  if (!exists && ifMissing === 'rejected') return notFoundError(recordName(resource, key)).toDetail(location)
  if (exists && ifStored === 'rejected')
    return new ApiError('AlreadyExists', { target, params: { what: recordName(resource, key) } }).toDetail(location)
  if (typeof key === 'number' && (key < 1 || key > int32Max))
    return fieldError('NumberOutOfRange', target, { min: 1, max: int32Max }).toDetail(location)
  return null
}
