// Imports: the runs, and for an undo the previous content of each changed record.
import { updateWhere } from '../row-statements.ts'
import { companyCommand, companyRowQuery, companyRowsQuery, rowsQuery, type NoValues } from '../queries.ts'
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { deleteInChunks } from '../delete-in-chunks.ts'
import { statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import type { ImportChangeTable, ImportRunTable } from '../tables/directory.ts'
import { bulkInsert } from '../bulk-insert.ts'

export type ImportRun = Omit<ImportRunTable, 'companyId' | 'requestId'>

export type ImportChange = Pick<ImportChangeTable, 'key' | 'before' | 'changedAt'>

/** The latest 50 runs, the newest first. */
export const listImportRuns = rowsQuery<{ companyId: CompanyId }, ImportRun>(
  ({ value }) => sql`
    select ${runColumns} from "importRun" where "companyId" = ${value('companyId')}
    order by id desc limit 50`,
)

export const findImportRun = companyRowQuery<{ id: number }, ImportRun>(
  ({ value }) => sql`
    select ${runColumns} from "importRun"
    where "companyId" = ${value('companyId')} and id = ${value('id')}`,
)

/** Inserts a run with the next id. A company has one writer, so ids are unique. */
export async function insertImportRun(
  transaction: Transaction,
  run: Omit<ImportRun, 'id' | 'undoneAt' | 'undoneBy'> & { readonly requestId: string },
): Promise<number> {
  const id = ((await findLastRun(transaction))?.id ?? 0) + 1
  await insertRun(transaction, [{ ...run, id, undoneAt: null, undoneBy: null }])
  return id
}

export const insertImportChanges = bulkInsert(tables.importChange)

/** The changes of a run by key, the next `top` after a key. */
export const listImportChanges = companyRowsQuery<{ runId: number; after: string; top: number }, ImportChange>(
  ({ value }) => sql`
    select key, "before", "changedAt" from "importChange"
    where "companyId" = ${value('companyId')} and "runId" = ${value('runId')}
      and key > ${value('after')}
    order by key limit ${value('top')}`,
)

export const recordImportUndone = companyCommand(
  updateWhere('importRun', ['companyId', 'id'], ['undoneAt', 'undoneBy']),
)

/** Deletes the changes of runs that cannot be undone any more: those before this time, and undone ones. */
export function deleteExpiredImportChanges(transaction: Transaction, before: number): Promise<void> {
  const { companyId } = transaction
  return deleteInChunks((limit) => transaction.all(deleteExpiredStatement, { companyId, before, limit }))
}

/** Deletes the previous content of a record, when a person is erased. */
export const deleteImportChangesOf = companyCommand<{ resource: string; key: string }>(
  ({ value }) => sql`
    delete from "importChange" where "companyId" = ${value('companyId')} and key = ${value('key')}
      and "runId" in (select id from "importRun"
        where "companyId" = ${value('companyId')} and resource = ${value('resource')})`,
)

const insertRun = bulkInsert(tables.importRun)

const runColumns = sql.raw(
  'id, at, actor, resource, file, inserted, changed, unchanged, invalid, "undoneAt", "undoneBy"',
)

const findLastRun = companyRowQuery<NoValues, { id: number }>(
  ({ value }) => sql`
    select id from "importRun" where "companyId" = ${value('companyId')} order by id desc limit 1`,
)

const deleteExpiredStatement = statement<unknown>(
  ({ value }) => sql`
    delete from "importChange" where ("companyId", "runId", key) in (
      select change."companyId", change."runId", change.key
      from "importRun" as run cross join "importChange" as change
      where run."companyId" = ${value('companyId')} and (run.at < ${value('before')} or run."undoneAt" is not null)
        and change."companyId" = run."companyId" and change."runId" = run.id limit ${value('limit')})
    returning 1 as deleted`,
)
