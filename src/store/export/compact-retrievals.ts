// Retrievals of long ago, of which one row a day is enough: found, and replaced by what they come to.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { rowsOf, statement } from '../statement.ts'
import type { Awaitable, Reader, Transaction } from '../store.ts'
import type { HandOutTable } from '../tables/exports.ts'

/** A retrieval, or a day of them. */
export type Foldable = Omit<HandOutTable, 'companyId' | 'destinationId'> & {
  /** How many it stands for. */
  readonly retrievals: number
  /** The last number that it stands for; null for one. */
  readonly throughId: number | null
}

export interface Unfolded {
  readonly destinationId: number
  readonly foldedUntil: number
}

/** The destinations that have retrievals from before a moment, in microseconds, which were not looked at yet. */
export function unfoldedBefore(
  reader: Reader,
  companyId: CompanyId,
  before: number,
): Awaitable<Unfolded[]> {
  return reader.all(unfoldedStatement, { companyId, before })
}

/** The next of them, in the order of time. */
export function foldables(
  transaction: Transaction,
  { destinationId, foldedUntil }: Unfolded,
  { before, limit }: { readonly before: number; readonly limit: number },
): Awaitable<Foldable[]> {
  return transaction.all(foldableStatement, {
    companyId: transaction.companyId,
    destinationId,
    foldedUntil,
    before,
    limit,
  })
}

/** Puts one row in the place of several; it has the number of one of them. */
export async function replaceHandOuts(
  transaction: Transaction,
  ids: readonly number[],
  folded: Foldable,
): Promise<void> {
  const { companyId } = transaction
  const gone = ids.filter((id) => id !== folded.id).map((id) => ({ id }))
  await transaction.run(deleteStatement, { companyId, ids: JSON.stringify(gone) })
  await transaction.run(changeStatement, { companyId, ...folded })
}

export function noteFolded(
  transaction: Transaction,
  destinationId: number,
  foldedUntil: number,
): Awaitable<void> {
  return transaction.run(noteStatement, {
    companyId: transaction.companyId,
    destinationId,
    foldedUntil,
  })
}

const unfoldedStatement = statement<Unfolded>(
  ({ value }) => sql`
    select destination.id as "destinationId", destination."foldedUntil" from destination
    where destination."companyId" = ${value('companyId')} and exists (select 1 from "handOut"
      where "handOut"."companyId" = destination."companyId" and "handOut"."destinationId" = destination.id
        and "handOut".at >= destination."foldedUntil" and "handOut".at < ${value('before')})
    order by destination.id`,
)

const foldableStatement = statement<Foldable>(
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

const changeStatement = statement(({ db, value, values }) =>
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

const noteStatement = statement(({ db, value, values }) =>
  db
    .updateTable('destination')
    .set(values('foldedUntil'))
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('destinationId')),
)
