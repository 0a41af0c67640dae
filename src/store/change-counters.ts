// How far a company has come: numbers that move with everything that is stored of material, of revenue and of the directory.
import { sql } from 'kysely'
import type { CompanyId } from '../engine/model/resource.ts'
import { statement } from './statement.ts'
import type { Awaitable, Reader } from './store.ts'

/** Each grows with every change of its kind, and means nothing besides. */
export interface ChangeMarks {
  readonly material: number
  readonly handOuts: number
  readonly revenue: number
  readonly directory: number
}

/**
 * One row by its key and the ends of five indices, whatever the company has. Every act on material is audited, every
 * change of revenue is in its journal, and every change of the directory has a stamp above those before it. Who comes
 * and goes is audited too, and changes nothing.
 */
export function changeMarks(
  reader: Reader,
  companyId: CompanyId,
): Awaitable<ChangeMarks | undefined> {
  return reader.first(marksStatement, { companyId })
}

const marksStatement = statement<ChangeMarks>(({ value }) => {
  const latest = sql.join(
    moments.map(
      ([table, at]) =>
        sql`select max(${sql.ref(at)}) as at from ${sql.table(table)} where "companyId" = ${value('companyId')}`,
    ),
    sql` union all `,
  )
  return sql`
    select counter."materialId" + counter."ledgerId" + counter."batchId" + counter."auditId"
        - counter.passages as material,
      counter."handOutId" as "handOuts", counter."revenueLogId" as revenue,
      (select coalesce(max(latest.at), 0) from (${latest}) as latest) as directory
    from counter where counter."companyId" = ${value('companyId')}`
})

/** Where the directory tells when it was changed. */
const moments = [
  ['department', 'changedAt'],
  ['site', 'changedAt'],
  ['project', 'changedAt'],
  ['employee', 'changedAt'],
  ['directoryDeletion', 'at'],
] as const
