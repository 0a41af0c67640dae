// Revenue sums by day and by cell, and the records and log of a cell, for the browser app.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Revenue } from '../../model/revenue.ts'
import type { Cell } from './cells.ts'
import { rowsQuery } from '../queries.ts'
import { joinEach, statement, type Build } from '../statement.ts'
import type { Reader, Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import { columnTypes } from '../tables/define-table.ts'
import type { RevenueLogTable, RevenueTable } from '../tables/revenue.ts'

/** First and last day, both included, `YYYY-MM-DD`. */
export interface RevenueDayRange {
  readonly from: string
  readonly to: string
}

/** In ten-thousandths; above 2^53 the last digits of a sum are rounded. */
export interface DaySum {
  readonly date: string
  readonly amount: number
}

export interface CellSum extends DaySum {
  readonly departmentId: string
  readonly records: number
}

/** One sum for each day that has records. */
export async function sumByDay(
  reader: Reader,
  companyId: CompanyId,
  kind: string,
  days: RevenueDayRange,
): Promise<DaySum[]> {
  return (await reader.all(dayStatement, { companyId, kind, ...days })).map(withAmount)
}

/** One sum for each day and department that has records; `departmentId` is '' where a record has none. */
export async function sumByCell(
  reader: Reader,
  companyId: CompanyId,
  kind: string,
  days: RevenueDayRange,
): Promise<CellSum[]> {
  return (await reader.all(cellStatement, { companyId, kind, ...days })).map(withAmount)
}

interface CompanyCell extends Cell {
  readonly companyId: CompanyId
}

/** The first records of one cell, the leading one first. All records of a department without a date are one cell. */
export const listCellRecords = rowsQuery<CompanyCell & { limit: number }, Omit<RevenueTable, 'companyId'>>(
  (build) => sql`
    select ${sql.join(Object.keys(columnTypes(tables.revenue)).map((name) => sql.id(name)))}
    from revenue where ${ofCell(build)} order by "cellRank" limit ${build.value('limit')}`,
)

/**
 * The latest 200 log entries of one cell, the latest first. Follows the entries of records of the cell, and of records that
 * left it, from the last one back. Only those with the latest last entries can have one of the latest entries. SQLite
 * follows the latest entry first, and stops at the limit.
 */
export const listCellLog = rowsQuery<CompanyCell, RevenueLogRow>((build) => {
  const { dialect, value } = build
  const latest = sql.lit(200)
  const ids = sql`
    with recursive entry(id, depth) as (
      select * from (
        select "logId", 1 from revenue where ${ofCell(build)} and "logId" is not null order by "logId" desc limit ${latest}
      ) as record
      union all
      select * from (
        select "logId", 1 from "revenueDeparture" where ${ofCell(build)} order by "logId" desc limit ${latest}
      ) as departure
      union all
      select (
        select log."previousId" from "revenueLog" as log
        where log."companyId" = ${value('companyId')} and log.id = entry.id
      ), entry.depth + 1
      from entry where entry.id is not null and entry.depth < ${latest}
      ${dialect === 'sqlite' ? sql`order by 1 desc limit ${latest}` : sql``}
    )
    select id from entry where id is not null`
  // PostgreSQL might join to a subquery by reading the whole log.
  const isLinked = dialect === 'sqlite' ? sql`id in (${ids})` : sql`id = any(array(${ids}))`
  return sql`
    select id, at, "revenueId", action, amount, "before", "after", reference, actor
    from "revenueLog" where "companyId" = ${value('companyId')} and ${isLinked} order by id desc limit ${latest}`
})

export type RevenueLogRow = Pick<
  RevenueLogTable,
  'id' | 'at' | 'revenueId' | 'action' | 'amount' | 'before' | 'after' | 'reference' | 'actor'
>

/** The ids of a department's records from the first to the last day. */
export async function listRecordIds(
  transaction: Transaction,
  of: { readonly departmentId: string; readonly kind: string; readonly first: string; readonly last: string },
): Promise<number[]> {
  const rows = await transaction.all(idsStatement, { companyId: transaction.companyId, ...of })
  return rows.map(({ id }) => id)
}

/** When the revenue of the company was last changed, in microseconds. */
export async function getLastRevenueChange(reader: Reader, companyId: CompanyId): Promise<Revenue['changedAt'] | null> {
  return (await reader.first(lastChangeStatement, { companyId }))?.changedAt ?? null
}

interface Parts {
  readonly whole: number
  readonly part: number
}

function withAmount<Row extends Parts>({ whole, part, ...row }: Row) {
  return { ...row, amount: whole * 10_000 + part }
}

/** Summed as wholes and ten-thousandths, so that no sum overflows an integer of the database. */
const sums = sql`
  cast(coalesce(sum(amount / 10000), 0) as bigint) as whole,
  cast(coalesce(sum(amount % 10000), 0) as bigint) as part`

function within({ value }: Build) {
  return sql`
  "companyId" = ${value('companyId')} and date >= ${value('from')} and date <= ${value('to')}
  and kind = ${value('kind')}`
}

const dayStatement = statement<Parts & { date: string }>(
  (build) => sql`select date, ${sums} from revenue where ${within(build)} group by date order by date`,
)

const cellStatement = statement<Parts & { date: string; departmentId: string; records: number }>(
  (build) => sql`
    select date, "departmentId", ${sums}, cast(count(*) as bigint) as records
    from revenue where ${within(build)} group by date, "departmentId" order by date, "departmentId"`,
)

function ofCell({ value }: Build) {
  return sql`
  "companyId" = ${value('companyId')} and date = ${value('date')}
  and "departmentId" = ${value('departmentId')} and kind = ${value('kind')}`
}

const idsStatement = statement<{ id: number }>(
  ({ value }) => sql`
    select id from revenue where "companyId" = ${value('companyId')}
      and date >= ${value('first')} and date <= ${value('last')}
      and "departmentId" = ${value('departmentId')} and kind = ${value('kind')} order by id`,
)

const lastChangeStatement = statement<{ changedAt: number }>((build) => {
  const isLast = sql`revenue."companyId" = log."companyId" and revenue.id = log."revenueId" and revenue."logId" = log.id`
  return sql`
    select revenue."changedAt" from "revenueLog" as log ${joinEach(build, 'revenue', isLast)}
    where log."companyId" = ${build.value('companyId')} order by log.id desc limit 1`
})
