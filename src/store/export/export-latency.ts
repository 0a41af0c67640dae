// Export latency: when lines became ready, were first retrieved, and were acknowledged.
import { sql } from 'kysely'
import type { DestinationKey, TimeRange } from './export-log.ts'
import { leftJoinEach, statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'

/** Microseconds since 1970. */
export interface LineLatency {
  readonly readyAt: number
  /** The first partial retrieval that contained the line, perhaps before an undo made it ready again. */
  readonly firstRetrievedAt: number | null
  /** The first full retrieval after the line became ready. */
  readonly fullRetrievalAt: number | null
  readonly markedAt: number | null
  /** Whether it is still ready. */
  readonly isReady: number
}

/** The maximum number of lines that are read, whatever the time range. */
export const latencyLinesMax = 20_000

/** The lines that became ready in a time range, the latest first; at most `latencyLinesMax`. */
export function listLineLatencies(
  reader: Reader,
  destination: DestinationKey,
  range: TimeRange,
): Awaitable<LineLatency[]> {
  return reader.all(latencyStatement, { ...destination, ...range })
}

const latencyStatement = statement<LineLatency>((build) => {
  const { value } = build
  const itsRetrievedLine = sql`"servedLine"."companyId" = offer."companyId"
    and "servedLine"."destinationId" = offer."destinationId" and "servedLine"."lineId" = offer."lineId"
    and "servedLine".revision = offer.revision`
  const itsRetrieval = sql`"handOut"."companyId" = "servedLine"."companyId"
    and "handOut".id = "servedLine"."firstHandOutId"`
  return sql`
    select offer."readyAt", offer."markedAt", case when offer.state = 'ready' then 1 else 0 end as "isReady",
      "handOut".at as "firstRetrievedAt",
      (select retrieval.at from "handOut" as retrieval where retrieval."companyId" = offer."companyId"
        and retrieval."destinationId" = offer."destinationId" and retrieval.at >= offer."readyAt"
        and retrieval.query is null order by retrieval.at limit 1) as "fullRetrievalAt"
    from (
      select * from offer where "companyId" = ${value('companyId')}
        and "destinationId" = ${value('destinationId')} and "readyAt" >= ${value('from')}
        and "readyAt" < ${value('to')} and state in ('ready', 'exported')
      order by "readyAt" desc limit ${sql.lit(latencyLinesMax)}
    ) as offer
    ${leftJoinEach(build, 'servedLine', itsRetrievedLine)}
    ${leftJoinEach(build, 'handOut', itsRetrieval)}
    order by offer."readyAt" desc`
})
