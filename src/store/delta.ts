// What a reader who follows changes asks for: how far a company has come, and which records went since a moment.
import { sql } from 'kysely'
import type { CompanyId, Resource } from '../engine/model/resource.ts'
import { actions } from '../model/revenue-log.ts'
import { statement, type Statement } from './statement.ts'
import type { Awaitable, Reader } from './store.ts'

/** The last stamp that the company gave out: every change from now on has a later one (ADR 0013). */
export async function lastStamp(reader: Reader, companyId: CompanyId): Promise<number> {
  return (await reader.first(stampStatement, { companyId }))?.stamp ?? 0
}

/** Whether it is written down when a record of the resource goes. */
export function tracesRemovals({ table }: Resource): boolean {
  return removals.has(table)
}

/** The keys of the records that went after a stamp, in the order they went; no more than `limit`. */
export function removedAfter(
  reader: Reader,
  { table }: Resource,
  values: { readonly companyId: CompanyId; readonly stamp: number; readonly limit: number },
): Awaitable<{ key: string | number }[]> {
  const found = removals.get(table)
  if (found === undefined) throw new Error(`nobody writes down what goes from ${table}`)
  return reader.all(found, values)
}

const stampStatement = statement<{ stamp: number }>(({ db, value }) =>
  db.selectFrom('counter').select('stamp').where('companyId', '=', value('companyId')),
)

type Removals = Statement<{ key: string | number }>

const removedRevenue: Removals = statement(
  ({ value }) => sql`
    select "revenueId" as key from "revenueLog"
    where "companyId" = ${value('companyId')} and action = ${sql.lit(actions.delete)}
      and at > ${value('stamp')}
    order by at limit ${value('limit')}`,
)

function removedFrom(table: string): Removals {
  return statement(
    ({ value }) => sql`
      select key from "directoryDeletion"
      where "companyId" = ${value('companyId')} and resource = ${sql.lit(table)}
        and at > ${value('stamp')}
      order by at limit ${value('limit')}`,
  )
}

const removals: ReadonlyMap<string, Removals> = new Map([
  ['revenue', removedRevenue],
  ...['department', 'site', 'project', 'employee'].map((table): [string, Removals] => [
    table,
    removedFrom(table),
  ]),
])
