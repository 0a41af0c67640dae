// References of material transactions to the directory: which of them exist.
import { sql } from 'kysely'
import { rowsOf, statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { StoredContent } from '../material/materials.ts'

/** The columns that refer to the directory, and the tables that they refer to. */
export const subjects = {
  employeeId: 'employee',
  departmentId: 'department',
  projectId: 'project',
  siteId: 'site',
} as const

export type Subject = keyof typeof subjects

/** The ids in these contents that exist in the directory, by column. */
export async function knownSubjects(
  transaction: Transaction,
  contents: readonly StoredContent[],
): Promise<Readonly<Record<Subject, ReadonlySet<string | number>>>> {
  const known = async (field: Subject) => {
    const ids = [...new Set(contents.flatMap((content) => content[field] ?? []))]
    if (ids.length === 0) return new Set<string | number>()
    const rows = await transaction.all(knownStatements[field], {
      companyId: transaction.companyId,
      ids: JSON.stringify(ids.map((id) => ({ id }))),
    })
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
export async function isUnknown(
  transaction: Transaction,
  field: 'projectId' | 'departmentId',
  id: string,
): Promise<boolean> {
  return (
    (await transaction.first(unknownStatements[field], {
      companyId: transaction.companyId,
      id,
    })) !== undefined
  )
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
  projectId: unknownIn(subjects.projectId),
  departmentId: unknownIn(subjects.departmentId),
} as const

function knownIn(table: string, type: 'text' | 'integer') {
  return statement<{ id: string | number }>(
    (build) => sql`
      select found.id from ${rowsOf(build, 'ids', { id: type })} cross join ${sql.table(table)} as found
      where found."companyId" = ${build.value('companyId')} and found.id = r.id`,
  )
}

const knownStatements = {
  employeeId: knownIn(subjects.employeeId, 'integer'),
  departmentId: knownIn(subjects.departmentId, 'text'),
  projectId: knownIn(subjects.projectId, 'text'),
  siteId: knownIn(subjects.siteId, 'text'),
} as const
