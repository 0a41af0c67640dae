// When lines became ready, when they were fetched first, and when they were reported as taken in.
import { sql } from 'kysely'
import type { Receiving, Span } from './export-log.ts'
import { eachIfAny, statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'

/** Microseconds since 1970. */
export interface Wait {
  readonly readyAt: number
  /** By the first retrieval that asked for some lines and got this one, perhaps before it was made ready anew. */
  readonly servedAt: number | null
  /** By the first retrieval of all that waited since then. */
  readonly sweptAt: number | null
  readonly markedAt: number | null
  /** Whether it waits still. */
  readonly isReady: number
}

/** At most so many lines are looked at, whatever the span. */
export const waitsMost = 20_000

/** The lines that became ready in a span, the latest first: `waitsMost` of them at most. */
export function waitsWithin(reader: Reader, receiving: Receiving, span: Span): Awaitable<Wait[]> {
  return reader.all(waitsStatement, { ...receiving, ...span })
}

const waitsStatement = statement<Wait>((build) => {
  const { value } = build
  const itsService = sql`"servedLine"."companyId" = offer."companyId"
    and "servedLine"."destinationId" = offer."destinationId" and "servedLine"."lineId" = offer."lineId"
    and "servedLine".revision = offer.revision`
  const itsRetrieval = sql`"handOut"."companyId" = "servedLine"."companyId"
    and "handOut".id = "servedLine"."firstHandOutId"`
  return sql`
    select offer."readyAt", offer."markedAt", case when offer.state = 'ready' then 1 else 0 end as "isReady",
      "handOut".at as "servedAt",
      (select sweep.at from "handOut" as sweep where sweep."companyId" = offer."companyId"
        and sweep."destinationId" = offer."destinationId" and sweep.at >= offer."readyAt"
        and sweep.query is null order by sweep.at limit 1) as "sweptAt"
    from (
      select * from offer where "companyId" = ${value('companyId')}
        and "destinationId" = ${value('destinationId')} and "readyAt" >= ${value('from')}
        and "readyAt" < ${value('to')} and state in ('ready', 'exported')
      order by "readyAt" desc limit ${sql.lit(waitsMost)}
    ) as offer
    ${eachIfAny(build, 'servedLine', itsService)}
    ${eachIfAny(build, 'handOut', itsRetrieval)}
    order by offer."readyAt" desc`
})
