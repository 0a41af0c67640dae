// Keys of directory rows: the key sent, or an assigned number that is never reused.
import type { DirectoryRow, KeyedRow } from './types.ts'
import { fieldError, type ApiError } from '../errors/api-error.ts'
import type { RecordKey, Resource } from '../engine/model/resource.ts'
import { sequenceKeyLimit } from '../store/sequences.ts'
import { keyNameOf, findHighestKey, type StoredRecord } from '../store/directory/directory-records.ts'
import type { Transaction } from '../store/store.ts'

export function recordKeyOf(resource: Resource, record: StoredRecord): RecordKey {
  return record[keyNameOf(resource)] ?? missingKey
}

/** Placeholder for a missing text key; no record has it. */
export const missingKey = ''

/** A row without a key gets the next number if keys are numbers, which only employees have. */
export async function assignKeys(
  transaction: Transaction,
  resource: Resource,
  rows: readonly DirectoryRow[],
): Promise<KeyedRow[]> {
  const keyName = keyNameOf(resource)
  const isNumbered = resource.fields[keyName]?.type === 'integer'
  const given = rows.map(({ values }) => parseKey(values[keyName]) ?? (isNumbered ? null : missingKey))
  if (!given.includes(null))
    return rows.map((row, index) => ({ ...row, key: given[index] ?? missingKey, isKeyGiven: true }))
  const stored = await findHighestKey(resource)(transaction)
  const highest = given.reduce<number>(
    (most, key) => (typeof key === 'number' && key > most && key < sequenceKeyLimit ? key : most),
    stored?.highest ?? 0,
  )
  return rows.map((row, index) => {
    const key = given[index] ?? null
    if (key !== null) return { ...row, key, isKeyGiven: true }
    return { ...row, key: transaction.sequences.nextEmployeeId(highest), isKeyGiven: false }
  })
}

/** The error of a row without its text key. */
export function missingKeyError(resource: Resource): ApiError {
  return fieldError('MissingField', resource.fields[keyNameOf(resource)]?.wire ?? '')
}

export function parseKey(value: DirectoryRow['values'][string]): RecordKey | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
