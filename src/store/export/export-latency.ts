// Export latency: when lines became ready, were first retrieved, and were acknowledged.
import { rowsQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { DestinationKey, TimeRange } from './export-log.ts'
import { leftJoinEach } from '../statement.ts'

/** Microseconds since 1970. */
export interface LineLatency {
  readonly readyAt: number
  /** The first partial retrieval that contained the line, perhaps before an undo made it ready again. */
  readonly firstRetrievedAt: number | null
  /** The first full retrieval after the line became ready. */
  readonly fullRetrievalAt: number | null
  readonly acknowledgedAt: number | null
  /** Whether it is still ready. */
  readonly isReady: number
}

/** The maximum number of lines that are read, whatever the time range. */
export const latencyLinesMax = 20_000

/** The lines that became ready in a time range, the latest first; at most `latencyLinesMax`. */
export const listLineLatencies = rowsQuery<DestinationKey & TimeRange, LineLatency>((build) => {
  const { value } = build
  const itsRetrievedLine = sql`"retrievedLine"."companyId" = "destinationLine"."companyId"
    and "retrievedLine"."destinationId" = "destinationLine"."destinationId" and "retrievedLine"."lineId" = "destinationLine"."lineId"
    and "retrievedLine".revision = "destinationLine".revision`
  const itsRetrieval = sql`retrieval."companyId" = "retrievedLine"."companyId"
    and retrieval.id = "retrievedLine"."firstRetrievalId"`
  return sql`
    select "destinationLine"."readyAt", "destinationLine"."acknowledgedAt", case when "destinationLine".state = 'ready' then 1 else 0 end as "isReady",
      retrieval.at as "firstRetrievedAt",
      (select retrieval.at from retrieval as retrieval where retrieval."companyId" = "destinationLine"."companyId"
        and retrieval."destinationId" = "destinationLine"."destinationId" and retrieval.at >= "destinationLine"."readyAt"
        and retrieval.query is null order by retrieval.at limit 1) as "fullRetrievalAt"
    from (
      select * from "destinationLine" where "companyId" = ${value('companyId')}
        and "destinationId" = ${value('destinationId')} and "readyAt" >= ${value('from')}
        and "readyAt" < ${value('to')} and state in ('ready', 'exported')
      order by "readyAt" desc limit ${sql.lit(latencyLinesMax)}
    ) as "destinationLine"
    ${leftJoinEach(build, 'retrievedLine', itsRetrievedLine)}
    ${leftJoinEach(build, 'retrieval', itsRetrieval)}
    order by "destinationLine"."readyAt" desc`
})
