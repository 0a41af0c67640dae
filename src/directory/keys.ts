// Which record each row means: its key as it was sent, or one that is given out and never used again.
import type { DirectoryRow, KeyedRow } from '#directory/act.ts'
import type { RecordKey, Resource } from '#model/resource.ts'
import { highestKey } from '#store/directory-records.ts'
import type { Transaction } from '#store/store.ts'

/** The house name of the key: every resource of the directory has one of one field. */
export const keyNameOf = ({ key: [name = ''] }: Resource): string => name

/** A row without a key gets the next number; only employees are numbered, and a text key is always sent. */
export const withKeys = async (
  transaction: Transaction,
  resource: Resource,
  rows: readonly DirectoryRow[],
): Promise<KeyedRow[]> => {
  const keyName = keyNameOf(resource)
  const given = rows.map(({ values }) => keyIn(values[keyName]))
  if (!given.includes(null))
    return rows.flatMap((row, index) => {
      const key = given[index] ?? null
      return key === null ? [] : [{ ...row, key, isKeyGiven: true }]
    })
  const stored = await highestKey(transaction, resource)
  const highest = given.reduce<number>(
    (most, key) => (typeof key === 'number' && key > most ? key : most),
    stored,
  )
  return rows.map((row, index) => {
    const key = given[index] ?? null
    if (key !== null) return { ...row, key, isKeyGiven: true }
    return { ...row, key: transaction.counters.nextEmployeeId(highest), isKeyGiven: false }
  })
}

const keyIn = (value: DirectoryRow['values'][string]): RecordKey | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null
