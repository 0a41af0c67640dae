// Import mappings: saved column assignments for files, by name, company and entity set.
import { deleteReturning, selectWhere, upsertInto } from '../row-statements.ts'
import { companyCommand, companyRowQuery, rowsQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ImportMappingTable } from '../tables/directory.ts'

export type ImportMapping = Pick<ImportMappingTable, 'name' | 'columns' | 'savedAt'>

/** The mappings of an entity set by its wire name, the last saved first. */
export const listImportMappings = rowsQuery<{ companyId: CompanyId; resource: string }, ImportMapping>(
  selectWhere('importMapping', ['companyId', 'resource'], {
    columns: ['name', 'columns', 'savedAt'],
    orderBy: ['savedAt desc', 'name'],
  }),
)

/** Replaces a mapping of the same name. */
export const saveImportMapping = companyCommand(
  upsertInto('importMapping', ['companyId', 'resource', 'name'], ['columns', 'savedAt']),
)

/** Returns the renamed mapping; undefined where there was none. The caller has checked that the new name is free. */
export const renameImportMapping = companyRowQuery<MappingName & { to: string }, { name: string }>(
  ({ value }) => sql`
    update "importMapping" set name = ${value('to')}
    where "companyId" = ${value('companyId')} and resource = ${value('resource')} and name = ${value('name')}
    returning name`,
)

/** Returns the deleted mapping; undefined where there was none. */
export const deleteImportMapping = companyRowQuery(deleteReturning('importMapping', 'companyId', 'resource', 'name'))

type MappingName = Pick<ImportMappingTable, 'resource' | 'name'>
