// Compaction of the retrieval log: replaces old retrievals with one row per day.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { rowsOf, statement } from '../statement.ts'
import type { Awaitable, Reader, Transaction } from '../store.ts'
import type { HandOutTable } from '../tables/exports.ts'

/** A retrieval, or the retrievals of a day. */
export type Foldable = Omit<HandOutTable, 'companyId' | 'destinationId'> & {
  /** The number of retrievals in this row. */
  readonly retrievals: number
  /** The last id of those retrievals; null for one. */
  readonly throughId: number | null
}

export interface Unfolded {
  readonly destinationId: number
  readonly foldedUntil: number
}

/** The destinations with retrievals before a time, in microseconds, that are not compacted yet. */
export function unfoldedBefore(
  reader: Reader,
  companyId: CompanyId,
  before: number,
): Awaitable<Unfolded[]> {
  return reader.all(pendingStatement, { companyId, before })
}

/** The next such retrievals, by time. */
export function foldables(
  transaction: Transaction,
  { destinationId, foldedUntil }: Unfolded,
  { before, limit }: { readonly before: number; readonly limit: number },
): Awaitable<Foldable[]> {
  return transaction.all(compactableStatement, {
    companyId: transaction.companyId,
    destinationId,
    foldedUntil,
    before,
    limit,
  })
}

/** Replaces several rows with one, which has the id of one of them. */
export async function replaceHandOuts(
  transaction: Transaction,
  ids: readonly number[],
  compacted: Foldable,
): Promise<void> {
  const { companyId } = transaction
  const deleted = ids.filter((id) => id !== compacted.id).map((id) => ({ id }))
  await transaction.run(deleteStatement, { companyId, ids: JSON.stringify(deleted) })
  await transaction.run(updateStatement, { companyId, ...compacted })
}

export function noteFolded(
  transaction: Transaction,
  destinationId: number,
  foldedUntil: number,
): Awaitable<void> {
  return transaction.run(recordStatement, {
    companyId: transaction.companyId,
    destinationId,
    foldedUntil,
  })
}

const pendingStatement = statement<Unfolded>(
  ({ value }) => sql`
    select destination.id as "destinationId", destination."foldedUntil" from destination
    where destination."companyId" = ${value('companyId')} and exists (select 1 from "handOut"
      where "handOut"."companyId" = destination."companyId" and "handOut"."destinationId" = destination.id
        and "handOut".at >= destination."foldedUntil" and "handOut".at < ${value('before')})
    order by destination.id`,
)

const compactableStatement = statement<Foldable>(
  ({ value }) => sql`
    select id, actor, "requestId", at, query, "upperLineId", count, quantity, amount, hash, "batchId",
      retrievals, "throughId"
    from "handOut" where "companyId" = ${value('companyId')} and "destinationId" = ${value('destinationId')}
      and at >= ${value('foldedUntil')} and at < ${value('before')}
    order by at, id limit ${value('limit')}`,
)

const deleteStatement = statement(
  (build) => sql`
    delete from "handOut" where "companyId" = ${build.value('companyId')}
      and id in (select r.id from ${rowsOf(build, 'ids', { id: 'integer' })})`,
)

const updateStatement = statement(({ db, value, values }) =>
  db
    .updateTable('handOut')
    .set(
      values(
        'actor',
        'requestId',
        'at',
        'query',
        'upperLineId',
        'count',
        'quantity',
        'amount',
        'hash',
        'batchId',
        'retrievals',
        'throughId',
      ),
    )
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('id')),
)

const recordStatement = statement(({ db, value, values }) =>
  db
    .updateTable('destination')
    .set(values('foldedUntil'))
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('destinationId')),
)
