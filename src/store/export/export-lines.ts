// Export lines of a destination and the open claims on them, for display.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { statement, type Statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'
import type { ClaimTable, ExportLineTable, DestinationLineTable } from '../tables/exports.ts'

/** Ready lines, those of them that were reported as failed, or exported and closed lines. */
export type LineListName = 'waiting' | 'failed' | 'gone'

export type ListedLine = Pick<
  DestinationLineTable,
  'state' | 'failures' | 'parkedAt' | 'externalId' | 'markedAt' | 'markedBy'
> &
  Pick<
    ExportLineTable,
    'id' | 'lineKind' | 'date' | 'itemId' | 'itemName' | 'unit' | 'quantity' | 'amount'
  > & {
    /** The holder of an open claim; null without one. */
    readonly holder: string | null
    /** The reason of the last reported failure. */
    readonly failure: string | null
  }

export interface LinePage {
  readonly destinationId: number
  /** Only ids below this one. */
  readonly before: number
  readonly top: number
  /** Microseconds; expired claims are ignored. */
  readonly now: number
}

/** The lines of a list, the latest first. */
export function listLines(
  reader: Reader,
  companyId: CompanyId,
  list: LineListName,
  page: LinePage,
): Awaitable<ListedLine[]> {
  return reader.all(lineStatements[list], { companyId, ...page })
}

export type OpenClaimSummary = Pick<
  ClaimTable,
  'id' | 'destinationId' | 'holder' | 'createdAt' | 'expiresAt'
> & {
  readonly count: number
}

/** The open claims; `now` in microseconds. */
export function listOpenClaimSummaries(
  reader: Reader,
  companyId: CompanyId,
  now: number,
): Awaitable<OpenClaimSummary[]> {
  return reader.all(claimStatement, { companyId, now })
}

function lineStatement(condition: RawBuilder<unknown>): Statement<ListedLine> {
  return statement<ListedLine>(
    ({ value }) => sql`
    select line.id, line."lineKind", line.date, line."itemId", line."itemName", line.unit, line.quantity,
      line.amount, offer.state, offer.failures, offer."parkedAt", offer."externalId", offer."markedAt", offer."markedBy",
      batch.holder, case when offer.failures > 0 then (select entry.reason from "ledgerEntry" as entry
        where entry."companyId" = offer."companyId" and entry."lineId" = offer."lineId"
          and entry."destinationId" = offer."destinationId" and entry.act = 'failed'
        order by entry.id desc limit 1) end as failure
    from offer
    join "exportLine" as line on line."companyId" = offer."companyId" and line.id = offer."lineId"
      and line.revision = offer.revision
    left join batch on batch."companyId" = offer."companyId" and batch.id = offer."batchId"
      and batch.state = 'open' and batch."expiresAt" > ${value('now')}
    where offer."companyId" = ${value('companyId')} and offer."destinationId" = ${value('destinationId')}
      and offer."lineId" < ${value('before')} and ${condition}
    order by offer."lineId" desc limit ${value('top')}`,
  )
}

const lineStatements: Readonly<Record<LineListName, Statement<ListedLine>>> = {
  waiting: lineStatement(sql`offer.state = 'ready'`),
  failed: lineStatement(sql`offer.state = 'ready' and offer.failures > 0`),
  gone: lineStatement(sql`offer.state in ('exported', 'closed')`),
}

const claimStatement = statement<OpenClaimSummary>(
  ({ value }) => sql`
    select batch.id, batch."destinationId", batch.holder, batch."createdAt", batch."expiresAt",
      (select count(*) from "batchLine" as line where line."companyId" = batch."companyId"
        and line."batchId" = batch.id) as count
    from batch where batch."companyId" = ${value('companyId')} and batch.state = 'open'
      and batch."expiresAt" > ${value('now')} order by batch.id`,
)
