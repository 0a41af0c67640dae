// Directory imports: matches rows with stored records, saves them, undoes them.
import type { DirectoryRow } from '../directory/types.ts'
import { keyNameOf, recordKeyOf } from '../directory/keys.ts'
import { removeUnused } from '../directory/delete.ts'
import { saves } from '../directory/save.ts'
import type { Deed } from '../auth/action-context.ts'
import type { Detail } from '../errors/catalog.ts'
import { problemAt, sliceRows, type ImportRow } from './rows.ts'
import type { Fate, ImportJob, Kept, Subject } from './import-target.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import { dagsverk } from '../model/service-schema.ts'
import type { RecordKey, Resource } from '../engine/model/resource.ts'
import { phrase, type Phrase } from '../errors/messages.ts'
import {
  keysByExternalId,
  recordsByKey,
  type StoredRecord,
} from '../store/directory/directory-records.ts'
import type { ImportChange } from '../store/imports/imports.ts'
import type { Transaction } from '../store/store.ts'

/** A row matches the record with its key, or with its external id. */
export function directorySubject(resource: Resource): Subject {
  return {
    resource,
    right: resource.writeRight ?? resource.right,
    needs: [[keyNameOf(resource), 'externalId']],
    act: importRecords,
    takeBack: (transaction, changes, { deed }) => takeBack(transaction, resource, changes, deed),
  }
}

async function importRecords(
  transaction: Transaction,
  rows: readonly ImportRow[],
  job: ImportJob,
): Promise<Fate[]> {
  const { resource, deed, onProgress } = job
  const { known, refused } = await withKnownKeys(transaction, onceEach(rows, job), job)
  const before = new Map<RecordKey, StoredRecord>()
  const save = saves({
    schema: dagsverk,
    resource,
    stored: 'changed',
    missing: 'inserted',
    guard: (record) => before.set(recordKeyOf(resource, record), record),
    onStored: (count) => onProgress?.('storing', count),
  })
  const outcomes = await save(transaction, known, deed)
  const fates = outcomes.map((outcome, position): Fate => {
    const index = known[position]?.index ?? 0
    if ('refused' in outcome) return { index, refused: outcome.refused }
    const { record, isNew, isApplied } = outcome
    if (!isNew && !isApplied) return { index, effect: 'unchanged' }
    const key = recordKeyOf(resource, record)
    const was = before.get(key)
    return {
      index,
      effect: isNew ? 'inserted' : 'changed',
      change: {
        key: String(key),
        before: was === undefined ? null : JSON.stringify(was),
        changedAt: Number(record['changedAt']),
      },
    }
  })
  return [...refused, ...fates]
}

interface Refusing {
  readonly rows: readonly ImportRow[]
  readonly refused: readonly Fate[]
}

/** A second row of the same record is an error, because it is unclear which one is meant. */
function onceEach(rows: readonly ImportRow[], { resource, table }: ImportJob): Refusing {
  const keyName = keyNameOf(resource)
  const lines = new Map<unknown, number>()
  const refused: Fate[] = []
  const once = rows.filter(({ index, place, values }) => {
    const key = values[keyName]
    const line = key === undefined ? undefined : lines.get(key)
    if (line === undefined) {
      lines.set(key, table.lines[index]?.line ?? 0)
      return true
    }
    refused.push({ index, refused: problemAt(resource, keyName, place, inOther(line)) })
    return false
  })
  return { rows: once, refused }
}

function inOther(line: number): Phrase {
  return phrase('keyInOtherLine', { line })
}

type KnownRow = DirectoryRow & Pick<ImportRow, 'index'>

/** Finds the key of each row without one by its external id. */
async function withKnownKeys(
  transaction: Transaction,
  { rows, refused: before }: Refusing,
  { resource, table }: ImportJob,
): Promise<{ known: KnownRow[]; refused: Fate[] }> {
  const keyName = keyNameOf(resource)
  const refused = [...before]
  const wanted = [...new Set(rows.flatMap((row) => externalOf(row, keyName) ?? []))]
  const found = new Map<string, RecordKey[]>()
  await inSlices(wanted, sliceRows, async (slice) => {
    for (const { externalId, key } of await keysByExternalId(transaction, resource, slice))
      found.set(externalId, [...(found.get(externalId) ?? []), key])
  })
  const lines = new Map<string, number>()
  const known = rows.flatMap((row): KnownRow[] => {
    const externalId = externalOf(row, keyName)
    if (externalId === null) return [row]
    const refuse = (problem: Phrase): KnownRow[] => {
      const detail: Detail = problemAt(resource, 'externalId', row.place, problem)
      refused.push({ index: row.index, refused: detail })
      return []
    }
    const line = lines.get(externalId)
    if (line !== undefined) return refuse(inOther(line))
    lines.set(externalId, table.lines[row.index]?.line ?? 0)
    const [key, another] = found.get(externalId) ?? []
    if (another !== undefined) return refuse(phrase('keyOfSeveral'))
    return [key === undefined ? row : { ...row, values: { ...row.values, [keyName]: key } }]
  })
  return { known, refused }
}

function externalOf({ values }: ImportRow, keyName: string): string | null {
  const { externalId } = values
  return values[keyName] === undefined && typeof externalId === 'string' ? externalId : null
}

/** Changed records come first: they may reference added ones, which can be deleted afterwards. */
async function takeBack(
  transaction: Transaction,
  resource: Resource,
  changes: readonly ImportChange[],
  deed: Deed,
): Promise<Kept[]> {
  const kept: Kept[] = []
  const back: DirectoryRow[] = []
  const added: RecordKey[] = []
  await inSlices(changes, sliceRows, async (slice) => {
    const keys = slice.map(({ key }) => keyOf(resource, key))
    const records = await recordsByKey(transaction, resource, keys)
    slice.forEach(({ key, before, changedAt }) => {
      const record = records.get(keyOf(resource, key))
      if (record === undefined) kept.push({ key, why: 'gone' })
      else if (record['changedAt'] !== changedAt) kept.push({ key, why: 'changed' })
      else if (before === null) added.push(keyOf(resource, key))
      else back.push({ place: key, values: valuesIn(resource, before) })
    })
  })
  const save = saves({ schema: dagsverk, resource, stored: 'changed', missing: 'refused' })
  const outcomes = await save(transaction, back, deed)
  outcomes.forEach((outcome, index) => {
    if ('refused' in outcome) kept.push({ key: back[index]?.place ?? '', why: 'refused' })
  })
  const used = await removeUnused(transaction, { schema: dagsverk, resource, keys: added }, deed)
  return [...kept, ...used.map((key): Kept => ({ key: String(key), why: 'used' }))]
}

function keyOf(resource: Resource, key: string): RecordKey {
  return resource.fields[keyNameOf(resource)]?.type === 'integer' ? Number(key) : key
}

/** The stored values of all writable fields. */
function valuesIn({ fields }: Resource, before: string): DirectoryRow['values'] {
  const read: unknown = JSON.parse(before)
  const stored = new Map(Object.entries(typeof read === 'object' && read !== null ? read : {}))
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, { readOnly }]) => readOnly !== true)
      .map(([name]) => [name, storedValue(stored.get(name))]),
  )
}

function storedValue(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
