// What columns of files mean, as a company keeps it under names for each set that is imported.
import type { CompanyId } from '../../engine/model/resource.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Transaction } from '../store.ts'
import type { ImportMappingTable } from '../tables/directory.ts'

export type ImportMapping = Pick<ImportMappingTable, 'name' | 'columns' | 'savedAt'>

/** Of a set, named on the wire; the one that was saved last comes first. */
export function importMappings(
  reader: Reader,
  companyId: CompanyId,
  resource: string,
): Awaitable<ImportMapping[]> {
  return reader.all(listStatement, { companyId, resource })
}

/** In the place of the one that has this name. */
export function saveImportMapping(
  transaction: Transaction,
  resource: string,
  mapping: ImportMapping,
): Awaitable<void> {
  return transaction.run(saveStatement, { companyId: transaction.companyId, resource, ...mapping })
}

export interface Renaming {
  readonly name: string
  readonly to: string
}

/** Whether there was one. The caller has seen that the new name is free. */
export async function renameImportMapping(
  transaction: Transaction,
  resource: string,
  renaming: Renaming,
): Promise<boolean> {
  const values = { companyId: transaction.companyId, resource, ...renaming }
  return (await transaction.first(renameStatement, values)) !== undefined
}

/** What it was; undefined where there was none. */
export function deleteImportMapping(
  transaction: Transaction,
  resource: string,
  name: string,
): Awaitable<Pick<ImportMapping, 'columns'> | undefined> {
  return transaction.first(deleteStatement, { companyId: transaction.companyId, resource, name })
}

const listStatement = statement<ImportMapping>(({ db, value }) =>
  db
    .selectFrom('importMapping')
    .select(['name', 'columns', 'savedAt'])
    .where('companyId', '=', value('companyId'))
    .where('resource', '=', value('resource'))
    .orderBy('savedAt', 'desc')
    .orderBy('name'),
)

const saveStatement = statement(({ db, values }) => {
  const changing = values('columns', 'savedAt')
  return db
    .insertInto('importMapping')
    .values({ ...changing, ...values('companyId', 'resource', 'name') })
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'resource', 'name']).doUpdateSet(changing),
    )
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
