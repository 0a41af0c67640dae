// Retrieval log: one row per retrieval, and rows for the lines of partial retrievals (ADR 0031).
import { createHash, type Hash } from 'node:crypto'
import { sql } from 'kysely'
import { itsExportLine } from './destination-line-sql.ts'
import { formatLargeDecimal } from '../../lib/decimal.ts'
import { forEachChunk, yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import { insertRow } from '../row-statements.ts'
import { companyCommand, existsQuery, idsCommand, listQuery } from '../queries.ts'
import { joinEach, leftJoinEach, rowsFromJson, statement, toIdRows, type Build } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { retrieval, type RetrievalTable } from '../tables/exports.ts'

export interface RetrievalTotals extends Pick<RetrievalTable, 'count' | 'quantity' | 'amount' | 'hash' | 'lastLineId'> {
  /** When the oldest line became ready; null without a line. */
  readonly oldestReadyAt: number | null
}

/** Sums all lines of the destination that are ready, and were at this timestamp. */
export async function sumReadyLines(
  transaction: Transaction,
  destinationId: number,
  readyUntil: number,
): Promise<RetrievalTotals> {
  const { companyId } = transaction
  const total = new TotalsSum()
  for (;;) {
    const values = { companyId, destinationId, readyUntil, after: total.lastLineId }
    const part = await transaction.first(allStatement, { ...values, limit: chunkLines })
    if (part !== undefined && part.count > 0) total.add(part)
    if (part === undefined || part.count < chunkLines) return total.totals()
    await yieldToEventLoop()
  }
}

/** A line as a read before the transaction found it. */
export interface FoundLine {
  readonly id: number
  readonly revision: number
}

/** A line that is still ready for the destination. */
export interface ReadyLine {
  readonly id: number
  /** Who has claimed it; null for a free line. */
  readonly holder: string | null
  readonly isParked: number
}

/** Sums these lines, which are ready for the destination; ids ascending. */
export async function sumLines(
  transaction: Transaction,
  destinationId: number,
  lineIds: readonly number[],
): Promise<RetrievalTotals> {
  const { companyId } = transaction
  const total = new TotalsSum()
  await forEachChunk(lineIds, chunkLines, async (chunk) => {
    const values = { companyId, destinationId, ids: toIdRows(chunk) }
    const part = await transaction.first(someStatement, values)
    if (part !== undefined && part.count > 0) total.add(part)
  })
  return total.totals()
}

export const insertRetrieval = companyCommand(insertRow(retrieval, 'retrievalCount', 'lastRetrievalId'))

export type RetrievedLinesOptions = Readonly<{
  destinationId: number
  retrievalId: number
  /** Lines that were ready by then need no row: a full retrieval contained them. */
  retrievedThrough: number
  day: string
}>

/** Lines per statement: some milliseconds. */
const chunkLines = 2000

class TotalsSum {
  lastLineId = 0
  #count = 0
  #quantity = 0n
  #amount = 0n
  #oldest: number | null = null
  readonly #hash: Hash = createHash('sha256')

  add(part: ChunkTotals): void {
    this.lastLineId = part.upper
    this.#count += part.count
    this.#quantity += BigInt(part.quantities) * 10_000n + BigInt(part.quantityRests)
    this.#amount += BigInt(part.amounts) * 10_000n + BigInt(part.amountRests)
    this.#oldest = Math.min(this.#oldest ?? part.oldest, part.oldest)
    this.#hash.update(part.content)
  }

  totals(): RetrievalTotals {
    return {
      count: this.#count,
      quantity: formatLargeDecimal(this.#quantity),
      amount: formatLargeDecimal(this.#amount),
      hash: this.#hash.digest('base64url'),
      lastLineId: this.lastLineId,
      oldestReadyAt: this.#oldest,
    }
  }
}

/** The totals of a chunk. Sums are wholes and ten-thousandths as text, so that neither overflows in the database. */
interface ChunkTotals {
  readonly count: number
  readonly upper: number
  readonly oldest: number
  readonly content: string
  readonly quantities: string
  readonly quantityRests: string
  readonly amounts: string
  readonly amountRests: string
}

const lineColumns =
  sql.raw(`"destinationLine"."lineId" as id, "destinationLine".revision as revision, "destinationLine"."readyAt" as "readyAt",
  line.quantity as quantity, coalesce(line.amount, 0) as amount`)

const totalColumns = sql.raw(`count(*) as count, coalesce(max(id), 0) as upper, min("readyAt") as oldest,
  string_agg(id || ':' || revision || ',', '' order by id) as content,
  cast(sum(quantity / 10000) as text) as quantities, cast(sum(quantity % 10000) as text) as "quantityRests",
  cast(sum(amount / 10000) as text) as amounts, cast(sum(amount % 10000) as text) as "amountRests"`)

function readyHere({ value }: Build) {
  return sql`"destinationLine"."companyId" = ${value('companyId')}
  and "destinationLine"."destinationId" = ${value('destinationId')} and "destinationLine".state = 'ready'`
}

const allStatement = statement<ChunkTotals>(
  (build) => sql`
    select ${totalColumns} from (
      select ${lineColumns} from "destinationLine" ${joinEach(build, 'exportLine', itsExportLine, 'line')}
      where ${readyHere(build)} and "destinationLine"."lineId" > ${build.value('after')}
        and "destinationLine"."readyAt" <= ${build.value('readyUntil')}
      order by "destinationLine"."lineId" limit ${build.value('limit')}) as lines`,
)

/** So many lines take some 10 ms to log. */
export const manyLines = 1000

export const hasManyReadyLines = existsQuery<{ companyId: number; destinationId: number }>(
  (build) => sql`select 1 from "destinationLine" where ${readyHere(build)} limit 1 offset ${sql.lit(manyLines)}`,
)

const someStatement = statement<ChunkTotals>(
  (build) => sql`
    select ${totalColumns} from (
      select ${lineColumns} from ${rowsFromJson(build, 'ids', { id: 'integer' })}
      ${joinEach(build, 'destinationLine', sql`"destinationLine"."lineId" = r.id and ${readyHere(build)}`)}
      ${joinEach(build, 'exportLine', itsExportLine, 'line')}) as lines`,
)

/** Those of the lines that are ready for the destination, with the revision that was found. */
export const listReadyLines = listQuery<FoundLine, { destinationId: number }, ReadyLine>(
  { id: 'integer', revision: 'integer' },
  (build, lines) => {
    const itsLine = sql`"destinationLine"."lineId" = r.id and "destinationLine".revision = r.revision and ${readyHere(build)}`
    const itsClaim = sql`claim."companyId" = "destinationLine"."companyId"
    and claim.id = "destinationLine"."claimId" and claim.state = 'open'`
    return sql`
    select r.id, claim.holder, case when "destinationLine"."parkedAt" is null then 0 else 1 end as "isParked"
    from ${lines} ${joinEach(build, 'destinationLine', itsLine)} ${leftJoinEach(build, 'claim', itsClaim)}`
  },
)

/** Records that the current revisions of these lines were retrieved; again on the same day changes nothing. */
export const recordRetrievedLines = idsCommand<RetrievedLinesOptions>((build, ids) => {
  const itsLine = sql`"destinationLine"."lineId" = r.id and ${readyHere(build)}
    and "destinationLine"."readyAt" > ${build.value('retrievedThrough')}`
  return sql`
    insert into "retrievedLine" ("companyId", "destinationId", "lineId", revision, "firstRetrievalId", "lastRetrievedOn")
    select "destinationLine"."companyId", "destinationLine"."destinationId", "destinationLine"."lineId", "destinationLine".revision,
      cast(${build.value('retrievalId')} as bigint), ${build.value('day')}
    from ${ids} ${joinEach(build, 'destinationLine', itsLine)} where true
    on conflict ("companyId", "destinationId", "lineId", revision) do update
      set "lastRetrievedOn" = excluded."lastRetrievedOn"
      where "retrievedLine"."lastRetrievedOn" <> excluded."lastRetrievedOn"`
})
