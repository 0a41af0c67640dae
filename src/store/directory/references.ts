// References of material transactions to the directory: which of them exist.
import { sql } from 'kysely'
import { mapNames } from '../../lib/pick.ts'
import { idsQuery, companyRowQuery, type NoValues } from '../queries.ts'
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

const referenceFields = ['employeeId', 'departmentId', 'projectId', 'siteId'] as const satisfies ReferenceField[]

/** The ids in these contents that exist in the directory, by column. */
export async function findKnownReferences(
  transaction: Transaction,
  contents: readonly StoredContent[],
): Promise<Readonly<Record<ReferenceField, ReadonlySet<string | number>>>> {
  const known = mapNames<Record<ReferenceField, Set<string | number>>>(referenceFields, () => new Set())
  for (const field of referenceFields) {
    const ids = new Set(contents.flatMap((content) => content[field] ?? []))
    for (const { id } of await listKnown[field](transaction, [...ids])) known[field].add(id)
  }
  return known
}

/** Whether the directory has records of this kind, but none with this id. */
export async function isUnknownReference(
  transaction: Transaction,
  field: 'projectId' | 'departmentId',
  id: string,
): Promise<boolean> {
  return (await findUnknown[field](transaction, { id })) !== undefined
}

const listKnown = mapNames<Record<ReferenceField, ReturnType<typeof knownIn>>>(referenceFields, knownIn)

function knownIn(field: ReferenceField) {
  const table = sql.table(referenceTables[field])
  return idsQuery<NoValues, { id: string | number }>(
    ({ value }, ids) => sql`
      select found.id from ${ids} cross join ${table} as found
      where found."companyId" = ${value('companyId')} and found.id = r.id`,
    field === 'employeeId' ? 'integer' : 'text',
  )
}

const findUnknown = { projectId: unknownIn('project'), departmentId: unknownIn('department') } as const

function unknownIn(table: string) {
  return companyRowQuery<{ id: string }, { id: string }>(
    ({ value }) => sql`
      select other.id from ${sql.table(table)} as other where other."companyId" = ${value('companyId')}
        and not exists (select 1 from ${sql.table(table)} as found
          where found."companyId" = ${value('companyId')} and found.id = ${value('id')}) limit 1`,
  )
}
