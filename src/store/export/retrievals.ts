// The evidence of reading: one row per retrieval, and rows for the lines of those that were less than all (ADR 0040).
import { createHash, type Hash } from 'node:crypto'
import { sql } from 'kysely'
import { writeLargeDecimal } from '../../lib/decimal.ts'
import { nextTick } from '../../lib/yield-to-event-loop.ts'
import { eachOf, rowsOf, statement, type Build } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { HandOutTable } from '../tables/exports.ts'

/** What the lines of an answer come to. */
export interface Tally extends Pick<
  HandOutTable,
  'count' | 'quantity' | 'amount' | 'hash' | 'upperLineId'
> {
  /** When the line that waits longest became ready; null without a line. */
  readonly oldestReadyAt: number | null
}

/** Of all that is ready for the destination, and was at this stamp. */
export async function tallyAll(
  transaction: Transaction,
  destinationId: number,
  readyUntil: number,
): Promise<Tally> {
  const { companyId } = transaction
  const total = new Total()
  for (let isLong = false; ; isLong = true) {
    const values = { companyId, destinationId, readyUntil, after: total.upperLineId }
    const part = await transaction.first(allStatement, { ...values, limit: chunkLines })
    if (part !== undefined && part.count > 0) total.add(part)
    if (part === undefined || part.count < chunkLines) return total.tally()
    if (!isLong) await transaction.readOnce()
    await nextTick()
  }
}

/** Of these lines, which are ready for the destination; ascending. */
export async function tallyOf(
  transaction: Transaction,
  destinationId: number,
  lineIds: readonly number[],
): Promise<Tally> {
  const { companyId } = transaction
  const total = new Total()
  for (let start = 0; start < lineIds.length; start += chunkLines) {
    if (start > 0) await nextTick()
    const ids = JSON.stringify(lineIds.slice(start, start + chunkLines).map((id) => ({ id })))
    const part = await transaction.first(someStatement, { companyId, destinationId, ids })
    if (part !== undefined && part.count > 0) total.add(part)
  }
  return total.tally()
}

export async function insertHandOut(
  transaction: Transaction,
  handOut: Omit<HandOutTable, 'companyId'>,
): Promise<void> {
  await transaction.run(insertStatement, { companyId: transaction.companyId, ...handOut })
}

export interface Served {
  readonly destinationId: number
  readonly handOutId: number
  /** Lines that were ready by then need no row: they were served with all the others. */
  readonly servedAt: number
  readonly day: string
}

/** Keeps of each line that it was served, as it is now; a second time on the same day changes nothing. */
export async function insertServed(
  transaction: Transaction,
  lineIds: readonly number[],
  served: Served,
): Promise<void> {
  const { companyId } = transaction
  for (let start = 0; start < lineIds.length; start += chunkLines) {
    if (start > 0) await nextTick()
    const ids = JSON.stringify(lineIds.slice(start, start + chunkLines).map((id) => ({ id })))
    await transaction.run(servedStatement, { companyId, ...served, ids })
  }
}

/** As many as one statement looks at: some milliseconds. */
const chunkLines = 5000

class Total {
  upperLineId = 0
  #count = 0
  #quantity = 0n
  #amount = 0n
  #oldest: number | null = null
  readonly #hash: Hash = createHash('sha256')

  add(part: Part): void {
    this.upperLineId = part.upper
    this.#count += part.count
    this.#quantity += BigInt(part.quantities) * 10_000n + BigInt(part.quantityRests)
    this.#amount += BigInt(part.amounts) * 10_000n + BigInt(part.amountRests)
    this.#oldest = Math.min(this.#oldest ?? part.oldest, part.oldest)
    this.#hash.update(part.told)
  }

  tally(): Tally {
    return {
      count: this.#count,
      quantity: writeLargeDecimal(this.#quantity),
      amount: writeLargeDecimal(this.#amount),
      hash: this.#hash.digest('base64url'),
      upperLineId: this.upperLineId,
      oldestReadyAt: this.#oldest,
    }
  }
}

/** Sums come in two parts, wholes and ten-thousandths, as text: no part is too large for the database. */
interface Part {
  readonly count: number
  readonly upper: number
  readonly oldest: number
  readonly told: string
  readonly quantities: string
  readonly quantityRests: string
  readonly amounts: string
  readonly amountRests: string
}

const lineColumns =
  sql.raw(`offer."lineId" as id, offer.revision as revision, offer."readyAt" as "readyAt",
  line.quantity as quantity, coalesce(line.amount, 0) as amount`)

const itsLine = sql.raw(`line."companyId" = offer."companyId" and line.id = offer."lineId"
  and line.revision = offer.revision`)

const totalled =
  sql.raw(`count(*) as count, coalesce(max(id), 0) as upper, min("readyAt") as oldest,
  string_agg(id || ':' || revision || ',', '' order by id) as told,
  cast(sum(quantity / 10000) as text) as quantities, cast(sum(quantity % 10000) as text) as "quantityRests",
  cast(sum(amount / 10000) as text) as amounts, cast(sum(amount % 10000) as text) as "amountRests"`)

function readyHere({ value }: Build) {
  return sql`offer."companyId" = ${value('companyId')}
  and offer."destinationId" = ${value('destinationId')} and offer.state = 'ready'`
}

const allStatement = statement<Part>(
  (build) => sql`
    select ${totalled} from (
      select ${lineColumns} from offer ${eachOf(build, 'exportLine', itsLine, 'line')}
      where ${readyHere(build)} and offer."lineId" > ${build.value('after')}
        and offer."readyAt" <= ${build.value('readyUntil')}
      order by offer."lineId" limit ${build.value('limit')}) as lines`,
)

const someStatement = statement<Part>(
  (build) => sql`
    select ${totalled} from (
      select ${lineColumns} from ${rowsOf(build, 'ids', { id: 'integer' })}
      ${eachOf(build, 'offer', sql`offer."lineId" = r.id and ${readyHere(build)}`)}
      ${eachOf(build, 'exportLine', itsLine, 'line')}) as lines`,
)

const insertStatement = statement(({ db, values }) =>
  db
    .insertInto('handOut')
    .values(
      values(
        'companyId',
        'id',
        'destinationId',
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
      ),
    ),
)

const servedStatement = statement(
  (build) => sql`
    insert into "servedLine" ("companyId", "destinationId", "lineId", revision, "firstHandOutId", "lastServedOn")
    select offer."companyId", offer."destinationId", offer."lineId", offer.revision,
      cast(${build.value('handOutId')} as bigint), ${build.value('day')}
    from ${rowsOf(build, 'ids', { id: 'integer' })} ${eachOf(
      build,
      'offer',
      sql`offer."lineId" = r.id
      and ${readyHere(build)} and offer."readyAt" > ${build.value('servedAt')}`,
    )} where true
    on conflict ("companyId", "destinationId", "lineId", revision) do update
      set "lastServedOn" = excluded."lastServedOn"
      where "servedLine"."lastServedOn" <> excluded."lastServedOn"`,
)
