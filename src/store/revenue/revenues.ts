// Revenue records: found by key or by cell, and written together with their log.
import { sql } from 'kysely'
import { revenueValueNames, type Revenue } from '../../model/revenue.ts'
import { cellColumns, cellKey, cellOf, isLeader, joinsCell, type Cell } from './cells.ts'
import { bulkInsert, type NewRow } from '../bulk-insert.ts'
import { insertLogSenders } from './log-senders.ts'
import { insertDepartures, insertLogRows, toLogRow, type LogSource, type NewRevenueLogEntry } from './revenue-log.ts'
import { updateWhere } from '../row-statements.ts'
import { rowsFromJson, statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import { columnTypes } from '../tables/define-table.ts'
import type { RevenueTable } from '../tables/revenue.ts'
import { idsQuery, type NoValues } from '../queries.ts'

/** A stored record; `cellRank` is 0 for the leading one of its cell. */
export type StoredRevenue = Revenue & Pick<RevenueTable, 'cellRank' | 'logId'>

/** A record before and after a change; `before` is null for an insert, `after` for a deletion. */
export interface RevenueChange {
  readonly before: StoredRevenue | null
  readonly after: StoredRevenue | null
  readonly log: readonly NewRevenueLogEntry[]
}

/** The leading records of these cells, by `cellKey`. */
export async function findLeadingRecords(
  transaction: Transaction,
  cells: readonly Cell[],
): Promise<Map<string, StoredRevenue>> {
  const [only] = cells
  const rows =
    only !== undefined && cells.length === 1
      ? await transaction.all(leaderStatement, { companyId: transaction.companyId, ...only })
      : await transaction.all(leadersStatement, { companyId: transaction.companyId, cells: JSON.stringify(cells) })
  return new Map(rows.map((row) => [cellKey(row), row]))
}

/** Records by key; keys that do not exist in this company are not in the map. */
export async function findRevenues(
  transaction: Transaction,
  ids: readonly number[],
): Promise<Map<number, StoredRevenue>> {
  const rows = await listByIds(transaction, ids)
  return new Map(rows.map((row) => [row.id, toStored(row)]))
}

/**
 * Writes the changes and their log. A record that moves to another cell is not leading at first; then the record with the
 * lowest key becomes the leading one of each cell that lost or gained a record (ADR 0010).
 */
export async function saveRevenues(
  transaction: Transaction,
  changes: readonly RevenueChange[],
  source: LogSource,
): Promise<void> {
  if (changes.length === 0) return
  const { companyId } = transaction
  const inserted: RevenueTableRow[] = []
  const updated: RevenueTableRow[] = []
  const moved: LoggedChange[] = []
  const deleted: LoggedChange[] = []
  const entries: NewRow<typeof tables.revenueLog>[] = []
  const departures: NewRow<typeof tables.revenueDeparture>[] = []
  for (const change of changes) {
    const { before, after, log } = change
    const row = toRow(change)
    const movedFrom = before !== null && after !== null && isMoved(before, after) ? before : null
    // In its new cell, the record begins a chain of entries.
    if (movedFrom !== null) row.logId = null
    for (const entry of log) {
      const logRow = toLogRow(transaction, row, entry, source)
      entries.push(logRow)
      row.logId = logRow.id
    }
    const left = after === null ? row : movedFrom
    if (left !== null && left.logId !== null) departures.push(toDeparture(left, left.logId))
    if (before === null) inserted.push(row)
    else if (left === null) updated.push(row)
    else (after === null ? deleted : moved).push({ before, after, row })
  }
  const write = async (statement: typeof moveStatement, list: readonly LoggedChange[]) => {
    if (list.length === 0) return
    const rows = JSON.stringify(list.map(({ row }) => row))
    await transaction.run(statement, { companyId, rows })
  }
  // PostgreSQL, and SQLite on a thread of its own, receives them together and runs them in this order.
  await Promise.all([
    saveRecords(transaction, inserted, updated),
    write(moveStatement, moved),
    write(deleteStatement, deleted),
    updateLeading(transaction, [...moved, ...deleted]),
    insertLogRows(transaction, entries),
    insertLogSenders(transaction, {
      count: entries.length,
      next: transaction.sequences.last('revenueLogId') + 1,
      actor: source.actor,
    }),
    insertDepartures(transaction, departures),
  ])
}

/** A short list of stored records is updated by key: an upsert looks for conflicts in every unique index first. */
async function saveRecords(
  transaction: Transaction,
  inserted: readonly RevenueTableRow[],
  updated: readonly RevenueTableRow[],
): Promise<void> {
  const { companyId, dialect } = transaction
  if (inserted.length + updated.length >= listLengthMin[dialect])
    return upsertRecords(transaction, [...inserted, ...updated])
  await Promise.all([
    upsertRecords(transaction, inserted),
    // An async function: an error that is thrown here would leave that of the insert unhandled.
    ...updated.map(async (row) => transaction.updateRow(updateStatement, { ...row, companyId })),
  ])
}

/** From this length on, a list is upserted: in statements of twenty rows on SQLite, in one on PostgreSQL. */
const listLengthMin = { sqlite: 20, postgres: 1 } as const

function isMoved(before: Revenue, after: Revenue): boolean {
  return before.date !== after.date || before.departmentId !== after.departmentId || before.kind !== after.kind
}

function toDeparture({ date, departmentId, kind }: Cell | Revenue, logId: number) {
  return { date: date ?? '', departmentId: departmentId ?? '', kind, logId }
}

async function updateLeading(transaction: Transaction, changes: readonly LoggedChange[]): Promise<void> {
  const cells = new Map<string, Cell>()
  for (const { before, after } of changes)
    for (const record of [before, after]) {
      const cell = record === null ? null : cellOf(record)
      if (cell !== null) cells.set(cellKey(cell), cell)
    }
  if (cells.size === 0) return
  const values = { companyId: transaction.companyId, cells: JSON.stringify([...cells.values()]) }
  await Promise.all([transaction.run(demoteStatement, values), transaction.run(promoteStatement, values)])
}

/** A row of the table, without the company. */
type RevenueTableRow = Omit<RevenueTable, 'companyId'>

interface LoggedChange extends Pick<RevenueChange, 'before' | 'after'> {
  /** As it is stored, or was before its deletion; with the last of the new log entries. */
  readonly row: RevenueTableRow
}

function toRow({ before, after }: RevenueChange): RevenueTableRow {
  const stored = after ?? before
  if (stored === null) throw new Error('a change without a record')
  return { ...stored, date: stored.date ?? '', departmentId: stored.departmentId ?? '' }
}

function toStored(row: RevenueTableRow): StoredRevenue {
  return {
    ...row,
    date: row.date === '' ? null : row.date,
    departmentId: row.departmentId === '' ? null : row.departmentId,
  }
}

const rowColumns = columnTypes(tables.revenue)

const changedColumns = [...revenueValueNames, 'changedAt', 'logId'] as const

function setChanged(from: 'excluded' | 'r') {
  return sql.join(changedColumns.map((name) => sql`${sql.id(name)} = ${sql.ref(`${from}.${name}`)}`))
}

const recordColumns = sql.join(Object.keys(rowColumns).map((name) => sql.ref(`revenue.${name}`)))

const leaderStatement = statement<RevenueTableRow>(
  (build) => sql`select ${recordColumns} from revenue where ${isLeader(build)}`,
)

const leadersStatement = statement<RevenueTableRow>(
  (build) => sql`
    select ${recordColumns} from ${rowsFromJson(build, 'cells', cellColumns)}
    cross join revenue
    where revenue."companyId" = ${build.value('companyId')} and ${joinsCell('revenue')}
      and revenue."cellRank" = 0`,
)

const listByIds = idsQuery<NoValues, RevenueTableRow>(
  ({ value }, ids) => sql`
    select ${recordColumns} from ${ids} cross join revenue
    where revenue."companyId" = ${value('companyId')} and revenue.id = r.id`,
)

const upsertRecords = bulkInsert(
  tables.revenue,
  sql`on conflict ("companyId", date, "departmentId", kind, "cellRank") do update set ${setChanged('excluded')}`,
)

const updateStatement = statement(
  updateWhere('revenue', ['companyId', 'date', 'departmentId', 'kind', 'cellRank'], changedColumns),
)

const moveStatement = statement(
  (build) => sql`
    update revenue set date = r.date, "departmentId" = r."departmentId", kind = r.kind, "cellRank" = r.id,
      ${setChanged('r')}
    from ${rowsFromJson(build, 'rows', rowColumns)}
    where revenue."companyId" = ${build.value('companyId')} and revenue.id = r.id`,
)

const deleteStatement = statement(
  (build) => sql`
    delete from revenue where "companyId" = ${build.value('companyId')}
      and id in (select r.id from ${rowsFromJson(build, 'rows', { id: 'integer' })})`,
)

const lowestOfCell = sql.raw(`(select min(lowest.id) from revenue as lowest
  where lowest."companyId" = revenue."companyId" and lowest.date = revenue.date
    and lowest."departmentId" = revenue."departmentId" and lowest.kind = revenue.kind)`)

/** Runs before the promotion, because a cell has one leading record only. */
const demoteStatement = statement(
  (build) => sql`
    update revenue set "cellRank" = revenue.id from ${rowsFromJson(build, 'cells', cellColumns)}
    where revenue."companyId" = ${build.value('companyId')} and ${joinsCell('revenue')}
      and revenue."cellRank" = 0 and revenue.id <> ${lowestOfCell}`,
)

const promoteStatement = statement(
  (build) => sql`
    update revenue set "cellRank" = 0 from ${rowsFromJson(build, 'cells', cellColumns)}
    where revenue."companyId" = ${build.value('companyId')} and ${joinsCell('revenue')}
      and revenue."cellRank" <> 0 and revenue.id = ${lowestOfCell}`,
)
