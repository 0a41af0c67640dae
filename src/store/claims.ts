// Claims: lines that one caller holds for a while, so that two workers never import the same one.
import { sql } from 'kysely'
import { inserter, insertRows } from '#store/insert-rows.ts'
import { changesOf, rowsOf, statement } from '#store/statement.ts'
import type { Awaitable, Transaction } from '#store/store.ts'
import type { BatchTable } from '#store/tables.ts'

export type Batch = Omit<BatchTable, 'companyId'>

export const batchOf = (
  transaction: Transaction,
  destinationId: number,
  id: number,
): Awaitable<Batch | undefined> =>
  transaction.first(batchStatement, { companyId: transaction.companyId, destinationId, id })

/** Those that hold lines now. */
export const openBatches = (transaction: Transaction, destinationId: number): Awaitable<Batch[]> =>
  transaction.all(openStatement, { companyId: transaction.companyId, destinationId })

/** Ends the claims that nobody extended in time; their lines are free, and their fencing number is past. */
export const expireBatches = async (transaction: Transaction, now: number): Promise<void> => {
  const values = { companyId: transaction.companyId, now }
  if ((await transaction.first(overdueStatement, values)) === undefined) return
  await transaction.run(fenceOverdueStatement, values)
  await transaction.run(expireStatement, values)
}

/** The next fencing number of a destination. */
export const raiseFence = async (
  transaction: Transaction,
  destinationId: number,
): Promise<number> => {
  const values = { companyId: transaction.companyId, destinationId }
  const raised = await transaction.first(fenceStatement, values)
  if (raised === undefined) throw new Error(`there is no destination ${destinationId}`)
  return raised.fence
}

/** Makes a claim over lines that are ready and free. */
export const insertBatch = async (
  transaction: Transaction,
  batch: Batch,
  lineIds: readonly number[],
): Promise<void> => {
  const { companyId } = transaction
  await insertRows(transaction, adding, [batch])
  const rows = JSON.stringify(lineIds.map((id) => ({ id })))
  const values = { companyId, rows, batchId: batch.id, destinationId: batch.destinationId }
  await transaction.run(linesStatement, values)
  await transaction.run(holdStatement, values)
}

export const changeBatch = async (
  transaction: Transaction,
  { id, state, expiresAt }: Pick<Batch, 'id' | 'state' | 'expiresAt'>,
): Promise<void> => {
  const { companyId } = transaction
  await transaction.run(changeStatement, { companyId, id, state, expiresAt })
}

/** How many lines of a claim are still to be reported. */
export const linesLeft = async (transaction: Transaction, batch: Batch): Promise<number> => {
  const { id: batchId, destinationId } = batch
  const values = { companyId: transaction.companyId, batchId, destinationId }
  return (await transaction.first(leftStatement, values))?.count ?? 0
}

/** A line that somebody holds. */
export interface Held extends Pick<Batch, 'holder' | 'expiresAt' | 'destinationId'> {
  readonly lineId: number
}

/** Which of these lines are held, at whichever destinations. */
export const heldAmong = (transaction: Transaction, ids: readonly number[]): Awaitable<Held[]> =>
  transaction.all(heldStatement, {
    companyId: transaction.companyId,
    ids: JSON.stringify(ids.map((id) => ({ id }))),
  })

const columns = [
  'id',
  'destinationId',
  'fence',
  'holder',
  'state',
  'expiresAt',
  'createdAt',
  'requestId',
  'handOutId',
] as const

const batchStatement = statement<Batch>(({ db, value }) =>
  db
    .selectFrom('batch')
    .select(columns)
    .where('companyId', '=', value('companyId'))
    .where('destinationId', '=', value('destinationId'))
    .where('id', '=', value('id')),
)

const openStatement = statement<Batch>(({ db, value }) =>
  db
    .selectFrom('batch')
    .select(columns)
    .where('companyId', '=', value('companyId'))
    .where('destinationId', '=', value('destinationId'))
    .where('state', '=', sql.lit('open'))
    .orderBy('id'),
)

const overdue = sql.raw(`batch.state = 'open' and batch."expiresAt" <=`)

const overdueStatement = statement<{ id: number }>(
  ({ value }) => sql`
    select id from batch where "companyId" = ${value('companyId')} and ${overdue} ${value('now')} limit 1`,
)

const fenceOverdueStatement = statement(
  ({ value }) => sql`
    update destination set fence = fence + 1 where "companyId" = ${value('companyId')}
      and exists (select 1 from batch where batch."companyId" = destination."companyId"
        and batch."destinationId" = destination.id and ${overdue} ${value('now')})`,
)

const expireStatement = statement(
  ({ value }) => sql`
    update batch set state = 'expired' where "companyId" = ${value('companyId')} and ${overdue} ${value('now')}`,
)

const fenceStatement = statement<{ fence: number }>(
  ({ value }) => sql`
    update destination set fence = fence + 1 where "companyId" = ${value('companyId')}
      and id = ${value('destinationId')} returning fence`,
)

const adding = inserter('batch', {
  id: 'integer',
  destinationId: 'integer',
  fence: 'integer',
  holder: 'text',
  state: 'text',
  expiresAt: 'integer',
  createdAt: 'integer',
  requestId: 'text',
  handOutId: 'integer',
})

const linesStatement = statement(
  (build) => sql`
    insert into "batchLine" ("companyId", "batchId", "lineId", revision)
    select offer."companyId", cast(${build.value('batchId')} as bigint), offer."lineId", offer.revision
    from ${rowsOf(build, 'rows', { id: 'integer' })} cross join offer
    where offer."companyId" = ${build.value('companyId')} and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id`,
)

const holdStatement = statement(
  (build) => sql`
    update offer set "batchId" = ${build.value('batchId')} from ${changesOf(build, 'rows', { id: 'integer' })}
    where offer."companyId" = r."companyId" and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id and offer.state = 'ready'`,
)

const changeStatement = statement(({ db, value, values }) =>
  db
    .updateTable('batch')
    .set(values('state', 'expiresAt'))
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('id')),
)

const leftStatement = statement<{ count: number }>(
  ({ value }) => sql`
    select count(*) as count from "batchLine" as line
    join offer on offer."companyId" = line."companyId" and offer."destinationId" = ${value('destinationId')}
      and offer."lineId" = line."lineId" and offer.state = 'ready' and offer."batchId" = line."batchId"
    where line."companyId" = ${value('companyId')} and line."batchId" = ${value('batchId')}`,
)

const heldStatement = statement<Held>(
  (build) => sql`
    select offer."lineId", offer."destinationId", batch.holder, batch."expiresAt"
    from ${rowsOf(build, 'ids', { id: 'integer' })}
    cross join destination
    cross join offer
    cross join batch
    where destination."companyId" = ${build.value('companyId')} and offer."companyId" = ${build.value('companyId')}
      and offer."destinationId" = destination.id and offer."lineId" = r.id and offer.state = 'ready'
      and batch."companyId" = ${build.value('companyId')} and batch.id = offer."batchId" and batch.state = 'open'`,
)
