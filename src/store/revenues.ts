// Revenue records as acts see them: found by key or by cell, and written with their journal in one go.
import { sql } from 'kysely'
import type { Revenue } from '#model/revenue.ts'
import { inserter, insertRows } from '#store/insert-rows.ts'
import { rowsOf, statement, type RowColumns } from '#store/statement.ts'
import type { Transaction } from '#store/store.ts'
import type { RevenueLogTable } from '#store/tables.ts'

/** Where revenue is counted: one department on one date, of one type. */
export interface Cell {
  readonly date: string
  readonly departmentId: string
  readonly kind: string
}

/** A record as it is stored: it knows whether it leads its cell. */
export interface StoredRevenue extends Revenue {
  readonly isLeading: boolean
}

/** What the journal tells of one change. */
export type LogEntry = Pick<
  RevenueLogTable,
  'action' | 'amount' | 'before' | 'after' | 'reference' | 'actor' | 'requestId'
>

/** A record before and after; `before` null is a new one, `after` null a deletion. */
export interface RevenueChange {
  readonly before: StoredRevenue | null
  readonly after: StoredRevenue | null
  readonly log: readonly LogEntry[]
}

/** One text per cell, for maps. */
export const cellKey = ({ date, departmentId, kind }: Cell): string =>
  `${date} ${kind.length} ${kind}${departmentId}`

/** The cell of a record; null where it has no date or no department, because such a record leads nothing. */
export const cellOf = ({ date, departmentId, kind }: Revenue): Cell | null =>
  date === null || departmentId === null ? null : { date, departmentId, kind }

/** The leading records of these cells, by `cellKey`. */
export const leadersOf = async (
  transaction: Transaction,
  cells: readonly Cell[],
): Promise<Map<string, StoredRevenue>> => {
  const [only] = cells
  const rows =
    only !== undefined && cells.length === 1
      ? await transaction.all(leaderStatement, { companyId: transaction.companyId, ...only })
      : await transaction.all(leadersStatement, {
          companyId: transaction.companyId,
          cells: JSON.stringify(cells),
        })
  return new Map(rows.map((row) => [cellKey(row), toStored(row)]))
}

/** Records by key; keys that do not exist in this company are not in the map. */
export const revenuesById = async (
  transaction: Transaction,
  ids: readonly number[],
): Promise<Map<number, StoredRevenue>> => {
  const rows = await transaction.all(byIdStatement, {
    companyId: transaction.companyId,
    ids: JSON.stringify(ids.map((id) => ({ id }))),
  })
  return new Map(rows.map((row) => [row.id, toStored(row)]))
}

/** Which of these references the journal holds already, with the amount each was used with, by `referenceKey`. */
export const usedReferences = async (
  transaction: Transaction,
  references: readonly (Cell & { readonly reference: string })[],
): Promise<Map<string, number>> => {
  if (references.length === 0) return new Map()
  const rows = await transaction.all(referencesStatement, {
    companyId: transaction.companyId,
    references: JSON.stringify(references),
  })
  return new Map(rows.map((row) => [referenceKey(row), row.amount ?? 0]))
}

export const referenceKey = (used: Cell & { readonly reference: string }): string =>
  `${cellKey(used)} ${used.reference}`

/**
 * Writes the changes and their journal. A record that goes to another cell never leads at first; then
 * each cell that lost or gained a record is given its leader: the lowest key (contract of ADR 0012).
 */
export const writeRevenues = async (
  transaction: Transaction,
  changes: readonly RevenueChange[],
): Promise<void> => {
  if (changes.length === 0) return
  const { companyId } = transaction
  const saved: RevenueChange[] = []
  const moved: RevenueChange[] = []
  const deleted: RevenueChange[] = []
  for (const change of changes) {
    if (change.after === null) deleted.push(change)
    else if (change.before === null || !isMoved(change)) saved.push(change)
    else moved.push(change)
  }
  const write = async (statement: typeof moveStatement, list: readonly RevenueChange[]) => {
    if (list.length === 0) return
    await transaction.run(statement, { companyId, rows: JSON.stringify(list.map(toRow)) })
  }
  // Sent together where the database is a server, and done in this order.
  await Promise.all([
    insertRows(transaction, saving, saved.map(toRow)),
    write(moveStatement, moved),
    write(deleteStatement, deleted),
    lead(transaction, [...moved, ...deleted]),
    writeLog(transaction, changes),
  ])
}

const isMoved = ({ before, after }: RevenueChange): boolean =>
  before !== null &&
  after !== null &&
  (before.date !== after.date ||
    before.departmentId !== after.departmentId ||
    before.kind !== after.kind)

const lead = async (transaction: Transaction, changes: readonly RevenueChange[]): Promise<void> => {
  const cells = new Map<string, Cell>()
  for (const { before, after } of changes)
    for (const record of [before, after]) {
      const cell = record === null ? null : cellOf(record)
      if (cell !== null) cells.set(cellKey(cell), cell)
    }
  if (cells.size === 0) return
  const values = { companyId: transaction.companyId, cells: JSON.stringify([...cells.values()]) }
  await Promise.all([
    transaction.run(stepDownStatement, values),
    transaction.run(stepUpStatement, values),
  ])
}

const writeLog = (transaction: Transaction, changes: readonly RevenueChange[]) => {
  const rows = changes.flatMap((change) => {
    const record = change.after ?? change.before
    if (record === null) throw new Error('a change without a record')
    return change.log.map((entry) => ({
      ...entry,
      id: transaction.counters.nextRevenueLogId(),
      at: record.changedAt,
      revenueId: record.id,
      date: record.date ?? '',
      departmentId: record.departmentId ?? '',
      kind: record.kind,
    }))
  })
  return insertRows(transaction, logging, rows)
}

/** A row as it lies in the table, without the company. */
const toRow = ({ before, after }: RevenueChange) => {
  const record = after ?? before
  if (record === null) throw new Error('a change without a record')
  return {
    id: record.id,
    date: record.date ?? '',
    departmentId: record.departmentId ?? '',
    kind: record.kind,
    extra: record.isLeading ? 0 : record.id,
    amount: record.amount,
    remark: record.remark,
    changedAt: record.changedAt,
    createdAt: record.createdAt,
  }
}

interface RevenueRow {
  id: number
  date: string
  departmentId: string
  kind: string
  extra: number
  amount: number | null
  remark: string | null
  changedAt: number
  createdAt: number
}

const toStored = ({ extra, ...row }: RevenueRow): StoredRevenue => ({
  ...row,
  date: row.date === '' ? null : row.date,
  departmentId: row.departmentId === '' ? null : row.departmentId,
  isLeading: extra === 0,
})

const rowColumns = {
  id: 'integer',
  date: 'text',
  departmentId: 'text',
  kind: 'text',
  extra: 'integer',
  amount: 'integer',
  remark: 'text',
  changedAt: 'integer',
  createdAt: 'integer',
} as const satisfies RowColumns

const cellColumns = { date: 'text', departmentId: 'text', kind: 'text' } as const

const names = (columns: RowColumns, table?: string) =>
  sql.join(Object.keys(columns).map((name) => (table ? sql.ref(`${table}.${name}`) : sql.id(name))))

/** Joins the rows `r` to the clustering key of the table, so that each is found by one step. */
const sameCell = sql.raw(
  `revenue.date = r.date and revenue."departmentId" = r."departmentId" and revenue.kind = r.kind`,
)

const leaderStatement = statement<RevenueRow>(({ db, value }) =>
  db
    .selectFrom('revenue')
    .select([
      'id',
      'date',
      'departmentId',
      'kind',
      'extra',
      'amount',
      'remark',
      'changedAt',
      'createdAt',
    ])
    .where('companyId', '=', value('companyId'))
    .where('date', '=', value('date'))
    .where('departmentId', '=', value('departmentId'))
    .where('kind', '=', value('kind'))
    .where('extra', '=', 0),
)

const leadersStatement = statement<RevenueRow>(
  (build) => sql`
    select ${names(rowColumns, 'revenue')} from ${rowsOf(build, 'cells', cellColumns)}
    cross join revenue
    where revenue."companyId" = ${build.value('companyId')} and ${sameCell} and revenue.extra = 0`,
)

const byIdStatement = statement<RevenueRow>(
  (build) => sql`
    select ${names(rowColumns, 'revenue')} from ${rowsOf(build, 'ids', { id: 'integer' })}
    cross join revenue
    where revenue."companyId" = ${build.value('companyId')} and revenue.id = r.id`,
)

const referencesStatement = statement<Cell & { reference: string; amount: number | null }>(
  (build) => sql`
    select log.date, log."departmentId", log.kind, log.reference, log.amount
    from ${rowsOf(build, 'references', { ...cellColumns, reference: 'text' })}
    cross join "revenueLog" as log
    where log."companyId" = ${build.value('companyId')} and log.date = r.date
      and log."departmentId" = r."departmentId" and log.kind = r.kind and log.reference = r.reference
      and log.reference is not null`,
)

const saving = inserter(
  'revenue',
  rowColumns,
  sql`on conflict ("companyId", date, "departmentId", kind, extra) do update set
    amount = excluded.amount, remark = excluded.remark, "changedAt" = excluded."changedAt"`,
)

const moveStatement = statement(
  (build) => sql`
    update revenue set date = r.date, "departmentId" = r."departmentId", kind = r.kind, extra = r.id,
      amount = r.amount, remark = r.remark, "changedAt" = r."changedAt"
    from ${rowsOf(build, 'rows', rowColumns)}
    where revenue."companyId" = ${build.value('companyId')} and revenue.id = r.id`,
)

const deleteStatement = statement(
  (build) => sql`
    delete from revenue where "companyId" = ${build.value('companyId')}
      and id in (select r.id from ${rowsOf(build, 'rows', { id: 'integer' })})`,
)

const lowestOfCell = sql.raw(`(select min(lowest.id) from revenue as lowest
  where lowest."companyId" = revenue."companyId" and lowest.date = revenue.date
    and lowest."departmentId" = revenue."departmentId" and lowest.kind = revenue.kind)`)

/** First the leader that is not the lowest any more steps down, so that the place is free. */
const stepDownStatement = statement(
  (build) => sql`
    update revenue set extra = revenue.id from ${rowsOf(build, 'cells', cellColumns)}
    where revenue."companyId" = ${build.value('companyId')} and ${sameCell}
      and revenue.extra = 0 and revenue.id <> ${lowestOfCell}`,
)

const stepUpStatement = statement(
  (build) => sql`
    update revenue set extra = 0 from ${rowsOf(build, 'cells', cellColumns)}
    where revenue."companyId" = ${build.value('companyId')} and ${sameCell}
      and revenue.extra <> 0 and revenue.id = ${lowestOfCell}`,
)

const logColumns = {
  id: 'integer',
  at: 'integer',
  revenueId: 'integer',
  date: 'text',
  departmentId: 'text',
  kind: 'text',
  action: 'text',
  amount: 'integer',
  before: 'integer',
  after: 'integer',
  reference: 'text',
  actor: 'text',
  requestId: 'text',
} as const satisfies RowColumns

const logging = inserter('revenueLog', logColumns)
