// Change counters: numbers that grow with each change of a company's material, revenue or records.
import { rowQuery } from './queries.ts'
import { sql } from 'kysely'
import type { CompanyId } from '../engine/model/resource.ts'

/** Each number grows with every change of its kind; its value has no other meaning. */
export interface ChangeCounters {
  readonly material: number
  readonly retrievals: number
  readonly revenue: number
  readonly directory: number
}

/**
 * Reads one row by its key and the ends of five indexes, however much data the company has. Every action on material is
 * audited, every change of revenue has a log entry, and timestamps of the directory only grow. Sign-in events are
 * audited too but change nothing, so their number is subtracted.
 */
export const getChangeCounters = rowQuery<{ companyId: CompanyId }, ChangeCounters>(({ value }) => {
  const latest = sql.join(
    timestampColumns.map(
      ([table, at]) =>
        sql`select max(${sql.ref(at)}) as at from ${sql.table(table)} where "companyId" = ${value('companyId')}`,
    ),
    sql` union all `,
  )
  return sql`
    select sequence."materialId" + sequence."ledgerId" + sequence."claimId" + sequence."auditId"
        - sequence."signInEvents" as material,
      sequence."retrievalId" as "retrievals", sequence."revenueLogId" as revenue,
      (select coalesce(max(latest.at), 0) from (${latest}) as latest) as directory
    from sequence where sequence."companyId" = ${value('companyId')}`
})

/** The columns that tell when the directory was changed. */
const timestampColumns = [
  ['department', 'changedAt'],
  ['site', 'changedAt'],
  ['project', 'changedAt'],
  ['employee', 'changedAt'],
  ['directoryDeletion', 'at'],
] as const
