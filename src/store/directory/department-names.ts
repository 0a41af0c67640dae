// Names of the departments of a company, for screens.
import type { CompanyId } from '../../engine/model/resource.ts'
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'

export function listDepartments(
  reader: Reader,
  companyId: CompanyId,
): Awaitable<{ id: string; name: string | null }[]> {
  return reader.all(listStatement, { companyId })
}

const listStatement = statement<{ id: string; name: string | null }>(
  ({ value }) => sql`select id, name from department where "companyId" = ${value('companyId')} order by id`,
)
