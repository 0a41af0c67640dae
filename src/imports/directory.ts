// Directory imports: matches rows with stored records, saves them, undoes them.
import type { DirectoryRow } from '../directory/types.ts'
import { recordKeyOf } from '../directory/keys.ts'
import { deleteUnused } from '../directory/delete.ts'
import { createSaveHandler } from '../directory/save.ts'
import type { ActionContext } from '../auth/action-context.ts'
import type { ErrorDetail } from '../errors/api-error.ts'
import { cellError, chunkRows, type ImportRow } from './rows.ts'
import type { ImportRowResult, ImportJob, NotUndone, ImportTarget } from './import-target.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import { serviceSchema } from '../model/service-schema.ts'
import type { RecordKey, Resource } from '../engine/model/resource.ts'
import { message, type LocalizedMessage } from '../errors/messages.ts'
import { findRecords, keyNameOf, listByExternalId, type StoredRecord } from '../store/directory/directory-records.ts'
import type { ImportChange } from '../store/imports/imports.ts'
import type { Transaction } from '../store/store.ts'

/** A row matches the record with its key, or with its external id. */
export function directoryImportTarget(resource: Resource): ImportTarget {
  return {
    resource,
    scope: resource.writeScope ?? resource.readScope,
    needs: [[keyNameOf(resource), 'externalId']],
    importRows: importRecords,
    undo: (transaction, changes, { context }) => undoChanges(transaction, resource, changes, context),
  }
}

async function importRecords(
  transaction: Transaction,
  rows: readonly ImportRow[],
  job: ImportJob,
): Promise<ImportRowResult[]> {
  const { resource, context, onProgress } = job
  const { known, rejected } = rejectDuplicates(await matchExternalIds(transaction, rows, job), job)
  const before = new Map<RecordKey, StoredRecord>()
  const save = createSaveHandler({
    schema: serviceSchema,
    resource,
    ifStored: 'changed',
    ifMissing: 'inserted',
    guard: (record) => before.set(recordKeyOf(resource, record), record),
    onStored: (count) => onProgress?.('storing', count),
  })
  const outcomes = await save(transaction, known, context)
  const rowResults = outcomes.map((outcome, position): ImportRowResult => {
    const index = known[position]?.index ?? 0
    if ('problem' in outcome) return { index, rejected: outcome.problem }
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
  return [...rejected, ...rowResults]
}

type KnownRow = DirectoryRow & Pick<ImportRow, 'index'>

interface MatchedRows {
  readonly known: readonly KnownRow[]
  readonly rejected: readonly ImportRowResult[]
}

/** A second row of the same record is an error, because it is unclear which one is meant. */
function rejectDuplicates({ known, rejected: before }: MatchedRows, { resource, table }: ImportJob): MatchedRows {
  const keyName = keyNameOf(resource)
  const lines = new Map<unknown, number>()
  const rejected = [...before]
  const distinct = known.filter(({ index, location, values }) => {
    const key = values[keyName]
    const line = key === undefined ? undefined : lines.get(key)
    if (line === undefined) {
      lines.set(key, table.lines[index]?.line ?? 0)
      return true
    }
    rejected.push({ index, rejected: cellError(resource, keyName, location, message('duplicateKey', { line })) })
    return false
  })
  return { known: distinct, rejected }
}

/** Finds the key of each row without one by its external id. */
async function matchExternalIds(
  transaction: Transaction,
  rows: readonly ImportRow[],
  { resource, table }: ImportJob,
): Promise<MatchedRows> {
  const keyName = keyNameOf(resource)
  const rejected: ImportRowResult[] = []
  const wanted = [...new Set(rows.flatMap((row) => externalIdOf(row, keyName) ?? []))]
  const found = Map.groupBy(await listByExternalId(resource)(transaction, wanted), ({ externalId }) => externalId)
  const lines = new Map<string, number>()
  const known = rows.flatMap((row): KnownRow[] => {
    const externalId = externalIdOf(row, keyName)
    if (externalId === null) return [row]
    const reject = (problem: LocalizedMessage): KnownRow[] => {
      const detail: ErrorDetail = cellError(resource, 'externalId', row.location, problem)
      rejected.push({ index: row.index, rejected: detail })
      return []
    }
    const line = lines.get(externalId)
    if (line !== undefined) return reject(message('duplicateKey', { line }))
    lines.set(externalId, table.lines[row.index]?.line ?? 0)
    const [match, another] = found.get(externalId) ?? []
    if (another !== undefined) return reject(message('ambiguousKey'))
    return [match === undefined ? row : { ...row, values: { ...row.values, [keyName]: match.key } }]
  })
  return { known, rejected }
}

function externalIdOf({ values }: ImportRow, keyName: string): string | null {
  const { externalId } = values
  return values[keyName] === undefined && typeof externalId === 'string' ? externalId : null
}

/** Changed records come first: they may reference added ones, which can be deleted afterwards. */
async function undoChanges(
  transaction: Transaction,
  resource: Resource,
  changes: readonly ImportChange[],
  context: ActionContext,
): Promise<NotUndone[]> {
  const kept: NotUndone[] = []
  const restored: DirectoryRow[] = []
  const added: RecordKey[] = []
  await forEachChunk(changes, chunkRows, async (chunk) => {
    const keys = chunk.map(({ key }) => keyOf(resource, key))
    const records = await findRecords(transaction, resource, keys)
    chunk.forEach(({ key, before, changedAt }) => {
      const record = records.get(keyOf(resource, key))
      if (record === undefined) kept.push({ key, why: 'deleted' })
      else if (record['changedAt'] !== changedAt) kept.push({ key, why: 'changed' })
      else if (before === null) added.push(keyOf(resource, key))
      else restored.push({ location: key, values: parseStoredValues(resource, before) })
    })
  })
  const save = createSaveHandler({ schema: serviceSchema, resource, ifStored: 'changed', ifMissing: 'rejected' })
  const outcomes = await save(transaction, restored, context)
  outcomes.forEach((outcome, index) => {
    if ('problem' in outcome) kept.push({ key: restored[index]?.location ?? '', why: 'invalid' })
  })
  const used = await deleteUnused(transaction, { schema: serviceSchema, resource, keys: added }, context)
  return [...kept, ...used.map((key): NotUndone => ({ key: String(key), why: 'referenced' }))]
}

function keyOf(resource: Resource, key: string): RecordKey {
  return resource.fields[keyNameOf(resource)]?.type === 'integer' ? Number(key) : key
}

/** The stored values of all writable fields. */
function parseStoredValues({ fields }: Resource, before: string): DirectoryRow['values'] {
  const stored: StoredRecord = JSON.parse(before)
  const writable = Object.keys(fields).filter((name) => fields[name]?.readOnly !== true)
  return Object.fromEntries(writable.map((name) => [name, stored[name] ?? null]))
}
