// Export overview: totals per stage, and the latest retrievals, reports and alerts.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { joinEach, statement, type Build } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'
import type { RetrievalTable, LedgerEntryTable } from '../tables/exports.ts'

/** The stage of a line: ready, in an open claim, reported as failed, or exported. */
export type ExportStage = 'ready' | 'claimed' | 'failed' | 'exported'

export interface ExportStageTotals {
  readonly destination: string
  readonly lane: ExportStage
  readonly count: number
  /** Ten-thousandths. */
  readonly amount: number
  /** The parked lines among those that failed. */
  readonly parked: number
  /** When the oldest line reached the stage. */
  readonly oldestAt: number | null
}

/** Timestamps in microseconds. */
export interface ExportStageTimes {
  /** Lines of expired claims count as ready. */
  readonly now: number
  /** Exported lines are counted if they became ready since then, because counting all years takes too long. */
  readonly since: number
}

export async function getExportStageTotals(
  reader: Reader,
  companyId: CompanyId,
  times: ExportStageTimes,
): Promise<ExportStageTotals[]> {
  return (await reader.all(stageStatement, { companyId, ...times })).map(
    ({ whole, part, ...lane }) => ({
      ...lane,
      amount: whole * 10_000 + part,
    }),
  )
}

export type RetrievalSummary = Pick<
  RetrievalTable,
  'id' | 'at' | 'actor' | 'count' | 'amount' | 'hash' | 'requestId' | 'query' | 'batchId'
> & { readonly destination: string }

/** The latest 50 retrievals, the newest first. */
export function listLatestRetrievals(
  reader: Reader,
  companyId: CompanyId,
): Awaitable<RetrievalSummary[]> {
  return reader.all(retrievalStatement, { companyId })
}

/** One request that reported or undid lines. */
export type RequestReport = Pick<
  LedgerEntryTable,
  'act' | 'at' | 'actor' | 'requestId' | 'reason'
> & {
  readonly count: number
  readonly firstLineId: number
  readonly lastLineId: number
}

/** The latest 50 reports in the last 20,000 ledger entries, the newest first. */
export function listLatestReports(
  reader: Reader,
  companyId: CompanyId,
): Awaitable<RequestReport[]> {
  return reader.all(reportStatement, { companyId })
}

/** An alert for a person: two vouchers for one line, or an incomplete correction pair. */
export type AlertSummary = Pick<
  LedgerEntryTable,
  'id' | 'destinationId' | 'lineId' | 'at' | 'actor' | 'code' | 'externalId'
>

/** The latest 50 alerts of a destination, the newest first. */
export function listLatestAlerts(
  reader: Reader,
  companyId: CompanyId,
  destinationId: number,
): Awaitable<AlertSummary[]> {
  return reader.all(alertStatement, { companyId, destinationId })
}

export type FailedLineCount = Pick<ExportStageTotals, 'count' | 'parked'>

/** Counts the ready lines that were reported as failed, over all destinations. */
export async function countFailedLines(
  reader: Reader,
  companyId: CompanyId,
): Promise<FailedLineCount> {
  return (await reader.first(failedStatement, { companyId })) ?? { count: 0, parked: 0 }
}

/** The table of destination lines by the index of ready lines; SQLite would otherwise scan all lines. */
export function readyLinesTable({ dialect }: Build): RawBuilder<unknown> {
  return dialect === 'sqlite' ? sql`offer indexed by "offerReady"` : sql`offer`
}

const failedStatement = statement<FailedLineCount>(
  (build) => sql`
    select cast(count(*) as bigint) as count, cast(count(offer."parkedAt") as bigint) as parked
    from ${readyLinesTable(build)} where offer."companyId" = ${build.value('companyId')} and offer.state = 'ready'
      and offer.failures > 0`,
)

const alertStatement = statement<AlertSummary>(
  ({ value }) => sql`
    select id, "destinationId", "lineId", at, actor, code, "externalId" from "ledgerEntry"
    where "companyId" = ${value('companyId')} and "destinationId" = ${value('destinationId')}
      and act = 'alarm' order by id desc limit 50`,
)

const stageStatement = statement<
  Omit<ExportStageTotals, 'amount'> & { whole: number; part: number }
>((build) => {
  const { value, dialect } = build
  const itsLine = sql`line."companyId" = offer."companyId" and line.id = offer."lineId"
    and line.revision = offer.revision`
  const ofLatest = dialect === 'sqlite' ? sql`cross join offer` : sql`join offer`
  return sql`
    select destination.name as destination, staged.lane, cast(count(*) as bigint) as count,
      cast(coalesce(sum(staged.amount / 10000), 0) as bigint) as whole,
      cast(coalesce(sum(staged.amount % 10000), 0) as bigint) as part,
      cast(count(staged."parkedAt") as bigint) as parked, min(staged.since) as "oldestAt"
    from (
      select offer."companyId", offer."destinationId", line.amount, offer."parkedAt",
        coalesce(offer."markedAt", offer."readyAt") as since,
        case when offer.state = 'exported' then 'exported'
          when batch.id is not null then 'claimed'
          when offer.failures > 0 then 'failed'
          else 'ready' end as lane
      from (
        select * from ${readyLinesTable(build)} where "companyId" = ${value('companyId')} and state = 'ready'
        union all
        select offer.* from destination ${ofLatest}
          on offer."companyId" = destination."companyId" and offer."destinationId" = destination.id
          and offer."readyAt" >= ${value('since')}
        where destination."companyId" = ${value('companyId')} and offer.state = 'exported'
      ) as offer
      ${joinEach(build, 'exportLine', itsLine, 'line')}
      left join batch on batch."companyId" = offer."companyId" and batch.id = offer."batchId"
        and batch.state = 'open' and batch."expiresAt" > ${value('now')}
    ) as staged
    join destination on destination."companyId" = staged."companyId"
      and destination.id = staged."destinationId"
    group by destination.name, staged.lane`
})

const retrievalStatement = statement<RetrievalSummary>(
  ({ value }) => sql`
    select "handOut".id, "handOut".at, "handOut".actor, "handOut".count, "handOut".amount, "handOut".hash,
      "handOut"."requestId", "handOut".query, "handOut"."batchId", destination.name as destination
    from "handOut"
    join destination on destination."companyId" = "handOut"."companyId"
      and destination.id = "handOut"."destinationId"
    where "handOut"."companyId" = ${value('companyId')} order by "handOut".id desc limit 50`,
)

const reportStatement = statement<RequestReport>(
  ({ value }) => sql`
    select recent.act, max(recent.at) as at, recent.actor, recent."requestId", max(recent.reason) as reason,
      cast(count(*) as bigint) as count, min(recent."lineId") as "firstLineId",
      max(recent."lineId") as "lastLineId"
    from (
      select * from "ledgerEntry" where "companyId" = ${value('companyId')} order by id desc limit 20000
    ) as recent
    group by recent.act, recent.actor, recent."requestId" order by max(recent.id) desc limit 50`,
)
