// A table becomes records of the directory: bound to its columns, matched with what is stored, and saved or only tried.
import type { DirectoryRow } from '#directory/act.ts'
import type { ImportColumn, ImportColumns } from '#directory/import-columns.ts'
import { keyNameOf } from '#directory/keys.ts'
import type { Table } from '#directory/read-table.ts'
import { saves } from '#directory/save.ts'
import { Fault, type Detail } from '#faults.ts'
import { inSlices } from '#lib/next-tick.ts'
import type { CompanyId, RecordKey, Resource } from '#model/resource.ts'
import type { Schema } from '#model/schema.ts'
import { phrase } from '#phrases.ts'
import { keysByExternalId } from '#store/directory-records.ts'
import type { Store, Transaction } from '#store/store.ts'
import { CellRows } from '#wire/cell-rows.ts'
import { listRowsMax } from '#wire/read-records.ts'

export interface Import {
  readonly schema: Schema
  readonly resource: Resource
  readonly table: Table
  readonly columns: ImportColumns
  /** The company's, an IANA name. */
  readonly zone: string
  /** An empty cell empties its field; otherwise it leaves it as it is. */
  readonly isEmptying: boolean
  /** All rows or none, or those that can be taken. */
  readonly takes: 'all' | 'good'
  readonly isDryRun: boolean
  /** Microseconds UTC. */
  readonly now: number
  /** Told how many rows are behind it. */
  readonly onProgress?: (step: 'reading' | 'storing', rows: number) => void
}

/** What became of the rows; of a dry run, and of a refused table, what would have. */
export interface ImportReport {
  readonly isStored: boolean
  readonly inserted: number
  readonly changed: number
  readonly unchanged: number
  readonly wrong: readonly WrongLine[]
}

export interface WrongLine {
  /** As the file counts, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  readonly problems: readonly LineProblem[]
}

export interface LineProblem {
  /** The header of the column; null where it is none of one cell. */
  readonly header: string | null
  readonly detail: Detail
}

/** One transaction for all of it, undone where nothing is to be stored. */
export const runImport = async (
  store: Store,
  companyId: CompanyId,
  job: Import,
): Promise<ImportReport> => {
  const bound = await bind(job)
  try {
    return await store.inTransaction(companyId, async (transaction) => {
      const report = await apply(transaction, bound, job)
      if (!report.isStored) throw new Undone(report)
      return report
    })
  } catch (error) {
    if (error instanceof Undone) return error.report
    throw error
  }
}

class Undone extends Error {
  readonly report: ImportReport

  constructor(report: ImportReport) {
    super('an import is undone')
    this.report = report
  }
}

interface Bound {
  /** The rows that can be read, with the index of their line. */
  readonly rows: readonly { readonly index: number; readonly row: DirectoryRow }[]
  readonly wrong: ReadonlyMap<number, readonly Detail[]>
}

const bind = async ({
  resource,
  table,
  columns,
  zone,
  isEmptying,
  onProgress,
}: Import): Promise<Bound> => {
  const cells = new CellRows({
    resource,
    columns: columns.read,
    zone,
    rowsMax: listRowsMax,
    isEmptying,
  })
  await inSlices(table.lines, sliceRows, (slice, start) => {
    for (const line of slice) cells.add(line.cells)
    onProgress?.('reading', start + slice.length)
  })
  const wrong = new Map<number, readonly Detail[]>()
  const rows: { index: number; row: DirectoryRow }[] = []
  const linesByKey = new Map<unknown, number>()
  cells.rows.forEach((row, index) => {
    const own = [...row.details, ...beyondHeaders(table, index, row)]
    const details = own.length > 0 ? own : repeated(row, resource, linesByKey)
    if (details.length > 0) wrong.set(index, details)
    else rows.push({ index, row })
    const key = row.values[keyNameOf(resource)]
    if (key !== undefined && !linesByKey.has(key))
      linesByKey.set(key, table.lines[index]?.line ?? 0)
  })
  return { rows, wrong }
}

const sliceRows = 1000

/** A cell too many is mostly a delimiter inside of another, and then those behind it are all in the wrong place. */
const beyondHeaders = (
  { headers, lines }: Table,
  index: number,
  { place }: DirectoryRow,
): readonly Detail[] => {
  const cell = lines[index]?.cells.slice(headers.length).find((one) => one.trim() !== '')
  if (cell === undefined) return []
  const says = { field: `"${cell.slice(0, 60)}"`, problem: phrase('cellsBeyond') }
  return [new Fault('InvalidValue', { says }).detail(place)]
}

/** Which of two rows of one record is meant is not for us to say. */
const repeated = (
  { values, place }: DirectoryRow,
  resource: Resource,
  linesByKey: ReadonlyMap<unknown, number>,
): Detail[] => {
  const line = linesByKey.get(values[keyNameOf(resource)])
  if (line === undefined) return []
  return [problemAt(resource, keyNameOf(resource), place, phrase('keyInOtherLine', { line }))]
}

const problemAt = (
  { fields }: Resource,
  name: string,
  place: string,
  problem: ReturnType<typeof phrase>,
): Detail => {
  const field = fields[name]?.wire ?? name
  return new Fault('InvalidValue', { target: field, says: { field, problem } }).detail(place)
}

const apply = async (
  transaction: Transaction,
  bound: Bound,
  job: Import,
): Promise<ImportReport> => {
  const { schema, resource, takes, isDryRun, now, onProgress } = job
  const wrong = new Map(bound.wrong)
  const known = await withKnownKeys(transaction, bound, { job, wrong })
  const save = saves({
    schema,
    resource,
    stored: 'changed',
    missing: 'inserted',
    onStored: (count) => onProgress?.('storing', count),
  })
  const outcomes = await save(
    transaction,
    known.map(({ row }) => row),
    { now },
  )
  const counts = { inserted: 0, changed: 0, unchanged: 0 }
  outcomes.forEach((outcome, position) => {
    if ('refused' in outcome) wrong.set(known[position]?.index ?? 0, [outcome.refused])
    else counts[outcome.isNew ? 'inserted' : outcome.isApplied ? 'changed' : 'unchanged'] += 1
  })
  const isStored = !isDryRun && (wrong.size === 0 || takes === 'good')
  return { isStored, ...counts, wrong: wrongLines(wrong, job) }
}

/** A row without a key of its own means the record that has its external id. */
const withKnownKeys = async (
  transaction: Transaction,
  { rows }: Bound,
  { job: { resource, table }, wrong }: { job: Import; wrong: Map<number, readonly Detail[]> },
): Promise<Bound['rows']> => {
  const keyName = keyNameOf(resource)
  const externalOf = ({ values }: DirectoryRow): string | null => {
    const { externalId } = values
    return values[keyName] === undefined && typeof externalId === 'string' ? externalId : null
  }
  const wanted = [...new Set(rows.flatMap(({ row }) => externalOf(row) ?? []))]
  const found = new Map<string, RecordKey[]>()
  await inSlices(wanted, sliceRows, async (slice) => {
    for (const { externalId, key } of await keysByExternalId(transaction, resource, slice))
      found.set(externalId, [...(found.get(externalId) ?? []), key])
  })
  const linesByExternalId = new Map<string, number>()
  return rows.flatMap(({ index, row }) => {
    const externalId = externalOf(row)
    if (externalId === null) return [{ index, row }]
    const refuse = (problem: ReturnType<typeof phrase>) => {
      wrong.set(index, [problemAt(resource, 'externalId', row.place, problem)])
      return []
    }
    const line = linesByExternalId.get(externalId)
    if (line !== undefined) return refuse(phrase('keyInOtherLine', { line }))
    linesByExternalId.set(externalId, table.lines[index]?.line ?? 0)
    const [key, another] = found.get(externalId) ?? []
    if (another !== undefined) return refuse(phrase('keyOfSeveral'))
    return [{ index, row: key === undefined ? row : withKey(row, keyName, key) }]
  })
}

const withKey = ({ place, values }: DirectoryRow, name: string, key: RecordKey): DirectoryRow => ({
  place,
  values: { ...values, [name]: key },
})

const wrongLines = (
  wrong: ReadonlyMap<number, readonly Detail[]>,
  { table, columns }: Import,
): WrongLine[] =>
  [...wrong]
    .sort(([one], [other]) => one - other)
    .map(([index, details]) => ({
      line: table.lines[index]?.line ?? 0,
      cells: table.lines[index]?.cells ?? [],
      problems: details.map((detail) => ({ header: headerOf(detail, columns.read), detail })),
    }))

/** `[3].Fodt` is told of the column that was read as `Fodt`. */
const headerOf = ({ target }: Detail, columns: readonly ImportColumn[]): string | null => {
  const wire = target?.replace(/^\[\d+\]\.?/, '')
  return columns.find(({ field }) => field.wire === wire)?.header ?? null
}
