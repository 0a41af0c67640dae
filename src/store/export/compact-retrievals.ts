// Compaction of the retrieval log: replaces old retrievals with one row per day.
import { insertRow, updateWhere } from '../row-statements.ts'
import { companyCommand, companyRowsQuery, rowsQuery, idsCommand, type NoValues } from '../queries.ts'
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Transaction } from '../store.ts'
import { columnNames, type RowOf } from '../tables/define-table.ts'
import { retrieval } from '../tables/exports.ts'

/** A retrieval, or `retrievalCount` retrievals of a day; the last id of these is null for one. */
export type CompactableRetrieval = Omit<RowOf<typeof retrieval>, 'companyId'>

export interface PendingCompaction {
  readonly destinationId: number
  readonly compactedUntil: number
}

/** The destinations with retrievals before a time, in microseconds, that are not compacted yet. */
export const listPendingCompactions = rowsQuery<{ companyId: CompanyId; before: number }, PendingCompaction>(
  ({ value }) => sql`
    select destination.id as "destinationId", destination."compactedUntil" from destination
    where destination."companyId" = ${value('companyId')} and exists (select 1 from retrieval
      where retrieval."companyId" = destination."companyId" and retrieval."destinationId" = destination.id
        and retrieval.at >= destination."compactedUntil" and retrieval.at < ${value('before')})
    order by destination.id`,
)

/** The next such retrievals, by time. */
export const listCompactableRetrievals = companyRowsQuery<
  PendingCompaction & { before: number; limit: number },
  CompactableRetrieval
>(
  ({ value }) => sql`
    select ${sql.join(columnNames(retrieval).map((name) => sql.id(name)))}
    from retrieval where "companyId" = ${value('companyId')} and "destinationId" = ${value('destinationId')}
      and at >= ${value('compactedUntil')} and at < ${value('before')}
    order by at, id limit ${value('limit')}`,
)

/** Replaces several rows with one. */
export async function replaceRetrievals(
  transaction: Transaction,
  ids: readonly number[],
  compacted: CompactableRetrieval,
): Promise<void> {
  await deleteRetrievals(transaction, ids)
  await insertCompacted(transaction, compacted)
}

export const recordCompaction = companyCommand(updateWhere('destination', ['companyId', 'id'], ['compactedUntil']))

const deleteRetrievals = idsCommand<NoValues>(
  ({ value }, ids) => sql`
    delete from retrieval where "companyId" = ${value('companyId')} and id in (select r.id from ${ids})`,
)

const insertCompacted = companyCommand(insertRow(retrieval))
