// Delta links: the timestamp that a company has reached, and the keys deleted since a timestamp.
import { sql } from 'kysely'
import type { CompanyId, Resource } from '../engine/model/resource.ts'
import { revenueActions } from '../model/revenue-log.ts'
import { statement, type Statement } from './statement.ts'
import type { Awaitable, Reader } from './store.ts'

/**
 * `lastStamp` is the latest timestamp of the company: every change from now on has a later one (ADR 0011). `restoredAt` is when the
 * database was restored: it may lack changes with earlier timestamps. Microseconds; 0 for never.
 */
export async function getDeltaPosition(
  reader: Reader,
  companyId: CompanyId,
): Promise<{ readonly lastStamp: number; readonly restoredAt: number }> {
  const row = await reader.first(positionStatement, { companyId })
  return { lastStamp: row?.lastTimestamp ?? 0, restoredAt: Number(row?.restoredAt ?? 0) }
}

/** The setting that has the time of the last restore. */
export const restoreSetting = 'restoredAt'

export function tracksDeletions({ table }: Resource): boolean {
  return deletionStatements.has(table)
}

/** The keys of records that were deleted after a timestamp, in the order of deletion; at most `limit`. */
export function listDeletedKeys(
  reader: Reader,
  { table }: Resource,
  values: { readonly companyId: CompanyId; readonly stamp: number; readonly limit: number },
): Awaitable<{ key: string | number }[]> {
  const found = deletionStatements.get(table)
  if (found === undefined) throw new Error(`deletions from ${table} are not recorded`)
  return reader.all(found, values)
}

const positionStatement = statement<{ lastTimestamp: number; restoredAt: string | null }>(
  ({ value }) => sql`
    select "lastTimestamp", (select value from setting where name = ${sql.lit(restoreSetting)}) as "restoredAt"
    from sequence where "companyId" = ${value('companyId')}`,
)

type DeletedKeys = Statement<{ key: string | number }>

const deletedRevenue: DeletedKeys = statement(
  ({ value }) => sql`
    select "revenueId" as key from "revenueLog"
    where "companyId" = ${value('companyId')} and action = ${sql.lit(revenueActions.delete)}
      and at > ${value('stamp')}
    order by at limit ${value('limit')}`,
)

function deletedFrom(table: string): DeletedKeys {
  return statement(
    ({ value }) => sql`
      select key from "directoryDeletion"
      where "companyId" = ${value('companyId')} and resource = ${sql.lit(table)}
        and at > ${value('stamp')}
      order by at limit ${value('limit')}`,
  )
}

const deletionStatements: ReadonlyMap<string, DeletedKeys> = new Map([
  ['revenue', deletedRevenue],
  ...['department', 'site', 'project', 'employee'].map((table): [string, DeletedKeys] => [table, deletedFrom(table)]),
])
