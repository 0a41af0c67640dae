// Stored amounts: set for one cell, and on SQLite for many, by statements that write the log and then the records.
import { sql, type RawBuilder } from 'kysely'
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import { otherValueNames, type WrittenRevenue } from '../../model/revenue.ts'
import { revenueActions } from '../../model/revenue-log.ts'
import { cellColumns, cellKey, isLeader, joinsCell, type Cell } from './cells.ts'
import { insertLogSenders } from './log-senders.ts'
import type { LogSource } from './revenue-log.ts'
import { statement, type Build } from '../statement.ts'
import type { Transaction } from '../store.ts'

export interface CellAmount extends Cell {
  /** Ten-thousandths. */
  readonly amount: number
}

/**
 * Sets the amounts of the leading records of these cells, and returns the records. Null, and nothing is changed,
 * where a cell has no record or is there twice. The log takes the amounts before from the records, and the records of a
 * list take the amounts after from the log, so that a cell and its amount are all that is bound. No other write of the transaction
 * may assign numbers before it ends, except by `letNextStart`. `now` in microseconds UTC.
 */
export async function setStoredAmounts(
  transaction: Transaction,
  rows: readonly CellAmount[],
  { actor, requestId, now }: LogSource & { readonly now: number },
): Promise<WrittenRevenue[] | null> {
  const { companyId, sequences } = transaction
  const [first, ...others] = rows
  if (first === undefined) return []
  const before = sequences.snapshot()
  const logId = sequences.next('revenueLogId', rows.length)
  const at = sequences.nextStamps(now, rows.length)
  const values = { companyId, actor, requestId, logId, at }
  const unchanged =
    others.length === 0 ? await setOne(transaction, { ...values, ...first }) : await setMany(transaction, values, rows)
  if (unchanged === null) {
    sequences.restore(before)
    return null
  }
  await insertLogSenders(transaction, { count: rows.length, next: logId + rows.length, actor })
  return rows.map(({ date, departmentId, kind, amount }, index) => {
    const record = unchanged[index]
    if (record === undefined) throw new Error('an update returned fewer records than it was to change')
    return { ...record, date, kind, departmentId, amount, changedAt: at + index }
  })
}

/** Values that an amount leaves as they are. Of a list each has its `logId` too, which no reply shows. */
type UnchangedValues = Omit<WrittenRevenue, keyof Cell | 'amount' | 'changedAt'>

const unchangedColumns = sql.join(['id', ...otherValueNames].map((name) => sql.id(name)))

type StatementValues = Readonly<Record<string, string | number>>

async function setOne(transaction: Transaction, values: StatementValues): Promise<UnchangedValues[] | null> {
  if (transaction.dialect === 'sqlite') await transaction.run(logOneStatement, values)
  const updating = transaction.first(updateOneStatement, values)
  // An operation that has it writes nothing else.
  const requireAlone = transaction.letNextStart?.()
  const record = await updating
  if (record !== undefined) return [record]
  requireAlone?.()
  return null
}

async function setMany(
  transaction: Transaction,
  values: StatementValues & { readonly logId: number },
  rows: readonly CellAmount[],
): Promise<UnchangedValues[] | null> {
  if (!isAscending(rows) && new Set(rows.map(cellKey)).size < rows.length) return null
  const list = JSON.stringify(rows.map(({ date, departmentId, kind, amount }) => [date, departmentId, kind, amount]))
  const unchanged: UnchangedValues[] = []
  try {
    const logging = transaction.run(logManyStatement, { ...values, list })
    // Each of the two takes about half of the time.
    if (!transaction.hasOwnThread && rows.length > unsplitRowsMax) await yieldToEventLoop()
    // Where nothing was logged, the second one changes nothing.
    const [updated] = await Promise.all([transaction.all(updateManyStatement, values), logging])
    for (const record of updated) unchanged[record.logId - values.logId] = record
  } catch (error) {
    // A cell without a record, whose key is missing in the log: SQLite has undone the statement.
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_NOTNULL') return null
    throw error
  }
  return unchanged
}

/** Whether each cell is after the one before: then none is there twice, which is slower to find out. */
function isAscending(cells: readonly Cell[]): boolean {
  return cells.every((cell, index) => {
    const before = cells[index - 1]
    if (before === undefined || before.date < cell.date) return true
    if (before.date > cell.date || before.departmentId > cell.departmentId) return false
    return before.departmentId < cell.departmentId || before.kind < cell.kind
  })
}

/** Of a longer list, the two statements run in different turns of the event loop, unless they have a thread of their own. */
const unsplitRowsMax = 50

/** Inserts the log entries that set `amount` in the revenue of `from`; `index` counts them from 0. */
function logSet({ value }: Build, amount: RawBuilder<unknown>, from: RawBuilder<unknown>, index?: RawBuilder<unknown>) {
  const plusIndex = (name: string) => (index === undefined ? value(name) : sql`${value(name)} + ${index}`)
  const entry = {
    companyId: value('companyId'),
    id: plusIndex('logId'),
    at: plusIndex('at'),
    revenueId: sql.ref('revenue.id'),
    date: sql.ref('revenue.date'),
    departmentId: sql.ref('revenue.departmentId'),
    kind: sql.ref('revenue.kind'),
    action: sql.lit(revenueActions.set),
    amount,
    before: sql.ref('revenue.amount'),
    after: amount,
    actor: value('actor'),
    requestId: value('requestId'),
    previousId: sql.ref('revenue.logId'),
  }
  return sql`insert into "revenueLog" (${sql.join(Object.keys(entry).map((name) => sql.id(name)))})
    select ${sql.join(Object.values(entry))} from ${from}`
}

function logOne(build: Build) {
  return logSet(build, build.value('amount'), sql`revenue where ${isLeader(build)}`)
}

const logOneStatement = statement(logOne)

/** On PostgreSQL with the log, which takes the amount before from the same snapshot. */
const updateOneStatement = statement<UnchangedValues>((build) => {
  const { dialect, value } = build
  const logging = dialect === 'postgres' ? sql`with logged as (${logOne(build)})` : sql``
  return sql`
    ${logging} update revenue set amount = ${value('amount')}, "changedAt" = ${value('at')}, "logId" = ${value('logId')}
    where ${isLeader(build)} returning ${unchangedColumns}`
})

const logManyStatement = statement((build) => {
  const columns = [...Object.keys(cellColumns), 'amount'].map(
    (name, index) => sql`value ->> ${sql.lit(index)} as ${sql.id(name)}`,
  )
  const list = sql`(select key as "index", ${sql.join(columns)} from jsonb_each(${build.value('list')})) as r`
  const from = sql`${list} left join revenue on revenue."companyId" = ${build.value('companyId')}
    and ${joinsCell('revenue')} and revenue."cellRank" = 0`
  return logSet(build, sql.ref('r.amount'), from, sql.ref('r.index'))
})

/** An upsert, because an update of a list would first copy the list into a temporary table. */
const updateManyStatement = statement<UnchangedValues & { logId: number }>(
  ({ value }) => sql`
    insert into revenue
      ("companyId", id, date, "departmentId", kind, amount, "changedAt", "createdAt", "cellRank", "logId")
    select "companyId", "revenueId", date, "departmentId", kind, "after", at, at, 0, id from "revenueLog"
    where "companyId" = ${value('companyId')} and id >= ${value('logId')} order by id
    on conflict ("companyId", date, "departmentId", kind, "cellRank")
    do update set amount = excluded.amount, "changedAt" = excluded."changedAt", "logId" = excluded."logId"
    returning ${unchangedColumns}, "logId"`,
)
