// Import mappings: saved column assignments for files, by name, company and entity set.
import { rowsQuery } from '../queries.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Transaction } from '../store.ts'
import type { ImportMappingTable } from '../tables/directory.ts'

export type ImportMapping = Pick<ImportMappingTable, 'name' | 'columns' | 'savedAt'>

/** The mappings of an entity set by its wire name, the last saved first. */
export const listImportMappings = rowsQuery<{ companyId: CompanyId; resource: string }, ImportMapping>(
  ({ db, value }) =>
    db
      .selectFrom('importMapping')
      .select(['name', 'columns', 'savedAt'])
      .where('companyId', '=', value('companyId'))
      .where('resource', '=', value('resource'))
      .orderBy('savedAt', 'desc')
      .orderBy('name'),
)

/** Replaces a mapping of the same name. */
export function saveImportMapping(transaction: Transaction, resource: string, mapping: ImportMapping): Awaitable<void> {
  return transaction.run(saveStatement, { companyId: transaction.companyId, resource, ...mapping })
}

export interface ImportMappingRename {
  readonly name: string
  readonly to: string
}

/** False where there is no such mapping. The caller has checked that the new name is free. */
export async function renameImportMapping(
  transaction: Transaction,
  resource: string,
  rename: ImportMappingRename,
): Promise<boolean> {
  const values = { companyId: transaction.companyId, resource, ...rename }
  return (await transaction.first(renameStatement, values)) !== undefined
}

/** Returns the deleted mapping; undefined where there was none. */
export function deleteImportMapping(
  transaction: Transaction,
  resource: string,
  name: string,
): Awaitable<Pick<ImportMapping, 'columns'> | undefined> {
  return transaction.first(deleteStatement, { companyId: transaction.companyId, resource, name })
}

const saveStatement = statement(({ db, values }) => {
  const updated = values('columns', 'savedAt')
  return db
    .insertInto('importMapping')
    .values({ ...updated, ...values('companyId', 'resource', 'name') })
    .onConflict((conflict) => conflict.columns(['companyId', 'resource', 'name']).doUpdateSet(updated))
})

const renameStatement = statement<{ name: string }>(({ db, value }) =>
  db
    .updateTable('importMapping')
    .set({ name: value('to') })
    .where('companyId', '=', value('companyId'))
    .where('resource', '=', value('resource'))
    .where('name', '=', value('name'))
    .returning('name'),
)

const deleteStatement = statement<Pick<ImportMapping, 'columns'>>(({ db, value }) =>
  db
    .deleteFrom('importMapping')
    .where('companyId', '=', value('companyId'))
    .where('resource', '=', value('resource'))
    .where('name', '=', value('name'))
    .returning('columns'),
)
