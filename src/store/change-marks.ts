// How far a company has come: numbers that move with everything that is stored of material and of revenue.
import { sql } from 'kysely'
import type { CompanyId } from '#model/resource.ts'
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader } from '#store/store.ts'

/** Each grows with every change of its kind, and means nothing besides. */
export interface ChangeMarks {
  readonly material: number
  readonly handOuts: number
  readonly revenue: number
}

/**
 * One row by its key, whatever the company has. Every act on material is audited, every change of revenue is in its
 * journal; who comes and goes is audited too, and changes nothing.
 */
export const changeMarks = (
  reader: Reader,
  companyId: CompanyId,
): Awaitable<ChangeMarks | undefined> => reader.first(marksStatement, { companyId })

const marksStatement = statement<ChangeMarks>(
  ({ value }) => sql`
    select counter."materialId" + counter."ledgerId" + counter."batchId"
        + counter."auditId" - counter.passages as material,
      counter."handOutId" as "handOuts", counter."revenueLogId" as revenue
    from counter where counter."companyId" = ${value('companyId')}`,
)
