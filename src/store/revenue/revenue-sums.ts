// Revenue sums by day and by cell, and the records and log of a cell, for the browser app.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Revenue } from '../../model/revenue.ts'
import type { Cell } from './cells.ts'
import { sumAmount } from '../amount-sum.ts'
import { companyRowsQuery, rowsQuery, rowQuery } from '../queries.ts'
import { joinEach, type Build } from '../statement.ts'
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

interface SummedRevenue extends RevenueDayRange {
  readonly companyId: CompanyId
  readonly kind: string
}

/** One sum for each day that has records. */
export const sumByDay = rowsQuery<SummedRevenue, DaySum>(
  (build) => sql`select date, ${sum(build)} from revenue where ${within(build)} group by date order by date`,
)

/** One sum for each day and department that has records; `departmentId` is '' where a record has none. */
export const sumByCell = rowsQuery<SummedRevenue, CellSum>(
  (build) => sql`
    select date, "departmentId", ${sum(build)}, cast(count(*) as bigint) as records
    from revenue where ${within(build)} group by date, "departmentId" order by date, "departmentId"`,
)

interface CompanyCell extends Cell {
  readonly companyId: CompanyId
}

/** The first records of one cell, the leading one first. All records of a department without a date are one cell. */
export const listCellRecords = rowsQuery<CompanyCell & { limit: number }, Omit<RevenueTable, 'companyId'>>(
  (build) => sql`
    select ${sql.join(Object.keys(columnTypes(tables.revenue)).map((name) => sql.id(name)))}
    from revenue where ${ofCell(build)} order by "cellRank" limit ${build.value('limit')}`,
)

const logColumns = ['id', 'at', 'revenueId', 'action', 'amount', 'before', 'after', 'reference', 'actor'] as const

export type RevenueLogRow = Pick<RevenueLogTable, (typeof logColumns)[number]>

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
    select ${sql.join(logColumns.map((name) => sql.id(name)))}
    from "revenueLog" where "companyId" = ${value('companyId')} and ${isLinked} order by id desc limit ${latest}`
})

/** The ids of a department's records from the first to the last day. */
export const listRecordIds = companyRowsQuery<
  { departmentId: string; kind: string; from: string; to: string },
  { id: number }
>(
  (build) => sql`
    select id from revenue where ${within(build)} and "departmentId" = ${build.value('departmentId')} order by id`,
)

function sum(build: Build) {
  return sql`${sumAmount(build, sql`amount`)} as amount`
}

function within({ value }: Build) {
  return sql`
  "companyId" = ${value('companyId')} and date >= ${value('from')} and date <= ${value('to')}
  and kind = ${value('kind')}`
}

function ofCell({ value }: Build) {
  return sql`
  "companyId" = ${value('companyId')} and date = ${value('date')}
  and "departmentId" = ${value('departmentId')} and kind = ${value('kind')}`
}

/** When the revenue of the company was last changed, in microseconds. */
export const findLastRevenueChange = rowQuery<{ companyId: CompanyId }, Pick<Revenue, 'changedAt'>>((build) => {
  const isLast = sql`revenue."companyId" = log."companyId" and revenue.id = log."revenueId" and revenue."logId" = log.id`
  return sql`
    select revenue."changedAt" from "revenueLog" as log ${joinEach(build, 'revenue', isLast)}
    where log."companyId" = ${build.value('companyId')} order by log.id desc limit 1`
})
