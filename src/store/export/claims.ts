// Claims: lines that one caller holds for a while, so that two workers never import the same one.
import { sql } from 'kysely'
import { inserter, insertRows } from '../bulk-insert.ts'
import { eachOf, rowsOf, statement, updateEach, type Build } from '../statement.ts'
import type { Awaitable, Transaction } from '../store.ts'
import type { BatchTable, OfferTable } from '../tables/exports.ts'

export type Batch = Omit<BatchTable, 'companyId'>

export function batchOf(
  transaction: Transaction,
  destinationId: number,
  id: number,
): Awaitable<Batch | undefined> {
  return transaction.first(batchStatement, { companyId: transaction.companyId, destinationId, id })
}

/** Those that hold lines now. */
export function openBatches(transaction: Transaction, destinationId: number): Awaitable<Batch[]> {
  return transaction.all(openStatement, { companyId: transaction.companyId, destinationId })
}

/** Ends the claims that nobody extended in time; their lines are free, and their fencing number is past. */
export async function expireBatches(transaction: Transaction, now: number): Promise<void> {
  const values = { companyId: transaction.companyId, now }
  if ((await transaction.first(overdueStatement, values)) === undefined) return
  await transaction.run(fenceOverdueStatement, values)
  await transaction.run(expireStatement, values)
}

/** The next fencing number of a destination. */
export async function raiseFence(transaction: Transaction, destinationId: number): Promise<number> {
  const values = { companyId: transaction.companyId, destinationId }
  const raised = await transaction.first(fenceStatement, values)
  if (raised === undefined) throw new Error(`there is no destination ${destinationId}`)
  return raised.fence
}

/** Makes a claim over lines that are ready and free. */
export async function insertBatch(
  transaction: Transaction,
  batch: Batch,
  lineIds: readonly number[],
): Promise<void> {
  const { companyId } = transaction
  await insertRows(transaction, adding, [batch])
  const rows = JSON.stringify(lineIds.map((id) => ({ id })))
  const values = { companyId, rows, batchId: batch.id, destinationId: batch.destinationId }
  await transaction.run(linesStatement, values)
  await transaction.run(holdStatement, values)
}

export async function changeBatch(
  transaction: Transaction,
  { id, state, expiresAt }: Pick<Batch, 'id' | 'state' | 'expiresAt'>,
): Promise<void> {
  const { companyId } = transaction
  await transaction.run(changeStatement, { companyId, id, state, expiresAt })
}

/** A line of a claim. */
export type HeldLine = Pick<OfferTable, 'lineId' | 'revision' | 'generation'>

/** The first lines of a claim that are still to be reported. */
export function linesHeld(
  transaction: Transaction,
  { id: batchId, destinationId }: Batch,
  limit: number,
): Awaitable<HeldLine[]> {
  return transaction.all(leftStatement, {
    companyId: transaction.companyId,
    batchId,
    destinationId,
    limit,
  })
}

/** The lines that count as exported and were last claimed with this batch, ascending. */
export async function linesExported(
  transaction: Transaction,
  { id: batchId, destinationId }: Batch,
): Promise<number[]> {
  const limit = Number.MAX_SAFE_INTEGER
  const values = { companyId: transaction.companyId, batchId, destinationId, limit }
  return (await transaction.all(exportedStatement, values)).map(({ lineId }) => lineId)
}

/** A line that somebody holds. */
export interface Held extends Pick<Batch, 'holder' | 'expiresAt' | 'destinationId'> {
  readonly lineId: number
}

/** Which of these lines are held, at whichever destinations. */
export function heldAmong(transaction: Transaction, ids: readonly number[]): Awaitable<Held[]> {
  return transaction.all(heldStatement, {
    companyId: transaction.companyId,
    ids: JSON.stringify(ids.map((id) => ({ id }))),
  })
}

/** The same by transaction: its own line, and those that put it right. */
export function heldOfMaterials(
  transaction: Transaction,
  materialIds: readonly number[],
): Awaitable<(Held & { readonly materialId: number })[]> {
  return transaction.all(heldOfMaterialsStatement, {
    companyId: transaction.companyId,
    ids: JSON.stringify(materialIds.map((id) => ({ id }))),
  })
}

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
    from ${rowsOf(build, 'rows', { id: 'integer' })} ${eachOf(
      build,
      'offer',
      sql`
      offer."companyId" = ${build.value('companyId')} and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id`,
    )}`,
)

const holdStatement = statement((build) =>
  updateEach(build, {
    table: 'offer',
    set: sql`"batchId" = ${build.value('batchId')}`,
    columns: { id: 'integer' },
    where: sql`offer."companyId" = r."companyId" and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id and offer.state = 'ready'`,
  }),
)

const changeStatement = statement(({ db, value, values }) =>
  db
    .updateTable('batch')
    .set(values('state', 'expiresAt'))
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('id')),
)

function linesIn(state: OfferTable['state']) {
  return statement<HeldLine>(
    ({ value }) => sql`
    select offer."lineId", offer.revision, offer.generation from "batchLine" as line
    cross join offer
    where line."companyId" = ${value('companyId')} and line."batchId" = ${value('batchId')}
      and offer."companyId" = line."companyId" and offer."destinationId" = ${value('destinationId')}
      and offer."lineId" = line."lineId" and offer.state = ${sql.lit(state)}
      and offer."batchId" = line."batchId" order by line."lineId" limit ${value('limit')}`,
  )
}

const leftStatement = linesIn('ready')
const exportedStatement = linesIn('exported')

function heldBy({ value }: Build) {
  return sql`
  batch."companyId" = ${value('companyId')} and batch.id = offer."batchId" and batch.state = 'open'
    and offer."companyId" = ${value('companyId')} and offer."destinationId" = destination.id
    and offer.state = 'ready' and destination."companyId" = ${value('companyId')}`
}

const heldStatement = statement<Held>(
  (build) => sql`
    select offer."lineId", offer."destinationId", batch.holder, batch."expiresAt"
    from ${rowsOf(build, 'ids', { id: 'integer' })}
    cross join destination
    cross join offer
    cross join batch
    where ${heldBy(build)} and offer."lineId" = r.id`,
)

const heldOfMaterialsStatement = statement<Held & { materialId: number }>((build) => {
  const held = sql`r.id as "materialId", offer."lineId", offer."destinationId", batch.holder, batch."expiresAt"`
  return sql`
    select ${held} from ${rowsOf(build, 'ids', { id: 'integer' })}
    cross join destination
    cross join offer
    cross join batch
    where ${heldBy(build)} and offer."lineId" = r.id
    union all
    select ${held} from ${rowsOf(build, 'ids', { id: 'integer' })}
    cross join "exportLine" as line
    cross join destination
    cross join offer
    cross join batch
    where ${heldBy(build)} and line."companyId" = ${build.value('companyId')} and line."materialId" = r.id
      and line."lineKind" <> 'Original' and offer."lineId" = line.id and offer.revision = line.revision`
})
