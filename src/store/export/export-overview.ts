// Export overview: totals per stage, and the latest retrievals, ledger entries and alerts.
import { rowsQuery } from '../queries.ts'
import { sql, type RawBuilder } from 'kysely'
import { itsExportLine } from './destination-line-sql.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { sumAmount } from '../amount-sum.ts'
import { queryPerScope } from '../material/approval-filter.ts'
import { joinEach, type Build } from '../statement.ts'
import type { Reader } from '../store.ts'
import type { RetrievalTable, LedgerEntryTable } from '../tables/exports.ts'
import { ledgerSummaryColumns, type LedgerSummary } from './export-log.ts'

/** The stage of a line: ready, in an open claim, reported as failed, or exported. */
export type ExportStage = 'ready' | 'claimed' | 'failed' | 'exported'

export interface ExportStageTotals {
  readonly destination: string
  readonly stage: ExportStage
  readonly count: number
  /** Ten-thousandths. */
  readonly amount: number
  /** The parked lines among those that failed. */
  readonly parked: number
  /** When the oldest line reached the stage. */
  readonly oldestAt: number | null
}

/** Timestamps in microseconds. */
interface StageValues {
  readonly companyId: CompanyId
  /** Lines of expired claims count as ready. */
  readonly now: number
  /** Exported lines are counted if they became ready since then, because counting all years takes too long. */
  readonly since: number
}

/** Lines of a destination that have been ready since before a time. */
export interface OverdueLines {
  readonly destinationId: number
  readonly count: number
  /** Ten-thousandths. */
  readonly amount: number
  readonly oldestAt: number
}

/** The totals of all destinations; undefined without overdue lines. */
export async function getOverdueTotals(
  reader: Reader,
  companyId: number,
  before: number,
): Promise<Omit<OverdueLines, 'destinationId'> | undefined> {
  const all = await listOverdueLines(reader, { companyId, before }, null)
  if (all.length === 0) return undefined
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    amount: all.reduce((sum, { amount }) => sum + amount, 0),
    oldestAt: Math.min(...all.map(({ oldestAt }) => oldestAt)),
  }
}

export type RetrievalSummary = Pick<
  RetrievalTable,
  'id' | 'at' | 'actor' | 'count' | 'amount' | 'hash' | 'requestId' | 'query' | 'claimId'
> & { readonly destination: string }

/** The latest 50 retrievals, the newest first. */
export const listLatestRetrievals = rowsQuery<{ companyId: CompanyId }, RetrievalSummary>(
  ({ value }) => sql`
    select retrieval.id, retrieval.at, retrieval.actor, retrieval.count, retrieval.amount, retrieval.hash,
      retrieval."requestId", retrieval.query, retrieval."claimId", destination.name as destination
    from retrieval
    join destination on destination."companyId" = retrieval."companyId"
      and destination.id = retrieval."destinationId"
    where retrieval."companyId" = ${value('companyId')} order by retrieval.id desc limit 50`,
)

/** The latest 50 summaries of the last 20,000 ledger entries, by request and action, the newest first. */
export const listLatestLedgerSummaries = rowsQuery<{ companyId: CompanyId }, LedgerSummary>(
  ({ value }) => sql`
    ${ledgerSummaryColumns}
    from (
      select * from "ledgerEntry" where "companyId" = ${value('companyId')} order by id desc limit 20000
    ) as recent
    group by action, actor, "requestId" order by max(id) desc limit 50`,
)

/** An alert for a person: two vouchers for one line, or an incomplete correction pair. */
export type AlertSummary = Pick<
  LedgerEntryTable,
  'id' | 'destinationId' | 'lineId' | 'at' | 'actor' | 'code' | 'externalId'
>

/** The table of destination lines by the index of ready lines; SQLite would otherwise scan all lines. */
function readyLinesTable({ dialect }: Build): RawBuilder<unknown> {
  return dialect === 'sqlite' ? sql`"destinationLine" indexed by "destinationLineReady"` : sql`"destinationLine"`
}

export type FailedLineCount = Pick<ExportStageTotals, 'count' | 'parked'>

/** One row: the number of ready lines that were reported as failed, over all destinations. */
export const countFailedLines = queryPerScope<{ companyId: CompanyId }, FailedLineCount>(
  (build, inScope) => sql`
    select cast(count(*) as bigint) as count, cast(count("destinationLine"."parkedAt") as bigint) as parked
    from ${readyLinesTable(build)}
    cross join "exportLine" as line
    where "destinationLine"."companyId" = ${build.value('companyId')} and "destinationLine".state = 'ready'
      and "destinationLine".failures > 0 and ${itsExportLine} and ${inScope}`,
)

/** The latest 50 alerts of a destination, the newest first. */
export const listLatestAlerts = queryPerScope<{ companyId: CompanyId; destinationId: number }, AlertSummary>(
  ({ value }, inScope) => sql`
    select entry.id, entry."destinationId", entry."lineId", entry.at, entry.actor, entry.code, entry."externalId"
    from "ledgerEntry" as entry
    cross join "exportLine" as line
    where entry."companyId" = ${value('companyId')} and entry."destinationId" = ${value('destinationId')}
      and entry.action = 'alert' and line."companyId" = entry."companyId" and line.id = entry."lineId"
      and line.revision = entry.revision and ${inScope}
    order by entry.id desc limit 50`,
)

/** For each destination and stage. */
export const getExportStageTotals = queryPerScope<StageValues, ExportStageTotals>((build, inScope) => {
  const { value, dialect } = build
  const ofLatest = dialect === 'sqlite' ? sql`cross join "destinationLine"` : sql`join "destinationLine"`
  return sql`
    select destination.name as destination, staged.stage, cast(count(*) as bigint) as count,
      ${sumAmount(build, sql`staged.amount`)} as amount,
      cast(count(staged."parkedAt") as bigint) as parked, min(staged.since) as "oldestAt"
    from (
      select "destinationLine"."companyId", "destinationLine"."destinationId", line.amount, "destinationLine"."parkedAt",
        coalesce("destinationLine"."acknowledgedAt", "destinationLine"."readyAt") as since,
        case when "destinationLine".state = 'exported' then 'exported'
          when claim.id is not null then 'claimed'
          when "destinationLine".failures > 0 then 'failed'
          else 'ready' end as stage
      from (
        select * from ${readyLinesTable(build)} where "companyId" = ${value('companyId')} and state = 'ready'
        union all
        select "destinationLine".* from destination ${ofLatest}
          on "destinationLine"."companyId" = destination."companyId" and "destinationLine"."destinationId" = destination.id
          and "destinationLine"."readyAt" >= ${value('since')}
        where destination."companyId" = ${value('companyId')} and "destinationLine".state = 'exported'
      ) as "destinationLine"
      ${joinEach(build, 'exportLine', itsExportLine, 'line')}
      left join claim on claim."companyId" = "destinationLine"."companyId" and claim.id = "destinationLine"."claimId"
        and claim.state = 'open' and claim."expiresAt" > ${value('now')}
      where ${inScope}
    ) as staged
    join destination on destination."companyId" = staged."companyId"
      and destination.id = staged."destinationId"
    group by destination.name, staged.stage`
})

/** By destination; `before` in microseconds. */
export const listOverdueLines = queryPerScope<Readonly<{ companyId: number; before: number }>, OverdueLines>(
  (build, inScope) => sql`
    select "destinationLine"."destinationId", cast(count(*) as bigint) as count,
      ${sumAmount(build, sql`line.amount`)} as amount, min("destinationLine"."readyAt") as "oldestAt"
    from ${readyLinesTable(build)}
    cross join "exportLine" as line
    where "destinationLine"."companyId" = ${build.value('companyId')} and "destinationLine".state = 'ready'
      and "destinationLine"."readyAt" < ${build.value('before')}
      and ${itsExportLine} and ${inScope}
    group by "destinationLine"."destinationId" order by "destinationLine"."destinationId"`,
)
