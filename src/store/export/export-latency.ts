// Export latency: when lines became ready, were first retrieved, and were acknowledged.
import { sql } from 'kysely'
import type { Receiving, Span } from './export-log.ts'
import { eachIfAny, statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'

/** Microseconds since 1970. */
export interface Wait {
  readonly readyAt: number
  /** The first partial retrieval that contained the line, perhaps before an undo made it ready again. */
  readonly servedAt: number | null
  /** The first full retrieval after the line became ready. */
  readonly sweptAt: number | null
  readonly markedAt: number | null
  /** Whether it is still ready. */
  readonly isReady: number
}

/** The maximum number of lines that are read, whatever the time range. */
export const waitsMost = 20_000

/** The lines that became ready in a time range, the latest first; at most `latencyLinesMax`. */
export function waitsWithin(
  reader: Reader,
  destination: Receiving,
  range: Span,
): Awaitable<Wait[]> {
  return reader.all(latencyStatement, { ...destination, ...range })
}

const latencyStatement = statement<Wait>((build) => {
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
      order by "readyAt" desc limit ${sql.lit(waitsMost)}
    ) as offer
    ${eachIfAny(build, 'servedLine', itsRetrievedLine)}
    ${eachIfAny(build, 'handOut', itsRetrieval)}
    order by offer."readyAt" desc`
})
