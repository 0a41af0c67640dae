// Compaction of the retrieval log: replaces old retrievals with one row per day.
import { updateWhere } from '../row-statements.ts'
import { companyCommand, companyRowsQuery, rowsQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { rowsFromJson, statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { RetrievalTable } from '../tables/exports.ts'

/** A retrieval, or the retrievals of a day. */
export type CompactableRetrieval = Omit<RetrievalTable, 'companyId' | 'destinationId'> & {
  /** The number of retrievals in this row. */
  readonly retrievalCount: number
  /** The last id of those retrievals; null for one. */
  readonly lastRetrievalId: number | null
}

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
    select id, actor, "requestId", at, query, "lastLineId", count, quantity, amount, hash, "claimId",
      "retrievalCount", "lastRetrievalId"
    from retrieval where "companyId" = ${value('companyId')} and "destinationId" = ${value('destinationId')}
      and at >= ${value('compactedUntil')} and at < ${value('before')}
    order by at, id limit ${value('limit')}`,
)

/** Replaces several rows with one, which has the id of one of them. */
export async function replaceRetrievals(
  transaction: Transaction,
  ids: readonly number[],
  compacted: CompactableRetrieval,
): Promise<void> {
  const { companyId } = transaction
  const deleted = ids.filter((id) => id !== compacted.id).map((id) => ({ id }))
  await transaction.run(deleteStatement, { companyId, ids: JSON.stringify(deleted) })
  await transaction.run(updateStatement, { companyId, ...compacted })
}

export const recordCompaction = companyCommand<PendingCompaction>(
  ({ value }) => sql`
    update destination set "compactedUntil" = ${value('compactedUntil')}
    where "companyId" = ${value('companyId')} and id = ${value('destinationId')}`,
)

const deleteStatement = statement(
  (build) => sql`
    delete from retrieval where "companyId" = ${build.value('companyId')}
      and id in (select r.id from ${rowsFromJson(build, 'ids', { id: 'integer' })})`,
)

const updateStatement = statement(
  updateWhere(
    'retrieval',
    ['companyId', 'id'],
    [
      'actor',
      'requestId',
      'at',
      'query',
      'lastLineId',
      'count',
      'quantity',
      'amount',
      'hash',
      'claimId',
      'retrievalCount',
      'lastRetrievalId',
    ],
  ),
)
