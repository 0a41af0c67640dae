// References of material transactions to the directory: which of them exist.
import { sql } from 'kysely'
import { rowsFromJson, statement, toIdRows } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { StoredContent } from '../material/materials.ts'

/** The columns that refer to the directory, and the tables that they refer to. */
export const referenceTables = {
  employeeId: 'employee',
  departmentId: 'department',
  projectId: 'project',
  siteId: 'site',
} as const

export type ReferenceField = keyof typeof referenceTables

/** The ids in these contents that exist in the directory, by column. */
export async function findKnownReferences(
  transaction: Transaction,
  contents: readonly StoredContent[],
): Promise<Readonly<Record<ReferenceField, ReadonlySet<string | number>>>> {
  const known = async (field: ReferenceField) => {
    const ids = [...new Set(contents.flatMap((content) => content[field] ?? []))]
    if (ids.length === 0) return new Set<string | number>()
    const rows = await transaction.all(knownStatements[field], { companyId: transaction.companyId, ids: toIdRows(ids) })
    return new Set(rows.map(({ id }) => id))
  }
  return {
    employeeId: await known('employeeId'),
    departmentId: await known('departmentId'),
    projectId: await known('projectId'),
    siteId: await known('siteId'),
  }
}

/** Whether the directory has records of this kind, but none with this id. */
export async function isUnknownReference(
  transaction: Transaction,
  field: 'projectId' | 'departmentId',
  id: string,
): Promise<boolean> {
  return (await transaction.first(unknownStatements[field], { companyId: transaction.companyId, id })) !== undefined
}

function unknownIn(table: string) {
  return statement<{ id: string }>(
    ({ value }) => sql`
      select other.id from ${sql.table(table)} as other where other."companyId" = ${value('companyId')}
        and not exists (select 1 from ${sql.table(table)} as found
          where found."companyId" = ${value('companyId')} and found.id = ${value('id')}) limit 1`,
  )
}

const unknownStatements = {
  projectId: unknownIn(referenceTables.projectId),
  departmentId: unknownIn(referenceTables.departmentId),
} as const

function knownIn(table: string, type: 'text' | 'integer') {
  return statement<{ id: string | number }>(
    (build) => sql`
      select found.id from ${rowsFromJson(build, 'ids', { id: type })} cross join ${sql.table(table)} as found
      where found."companyId" = ${build.value('companyId')} and found.id = r.id`,
  )
}

const knownStatements = {
  employeeId: knownIn(referenceTables.employeeId, 'integer'),
  departmentId: knownIn(referenceTables.departmentId, 'text'),
  projectId: knownIn(referenceTables.projectId, 'text'),
  siteId: knownIn(referenceTables.siteId, 'text'),
} as const
