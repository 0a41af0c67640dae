// Export latency: time from approval to retrieval and to acknowledgement, by day or week.
import { dayAt, plusDays, weekdayOf } from '../date-range.ts'
import { json, type Asked } from '../route.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { dayIn, dayStart } from '../../lib/civil-date.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import { waitsMost, waitsWithin, type Wait } from '../../store/export/export-latency.ts'

/** Microseconds; null without any lines. */
interface Lag {
  readonly count: number
  readonly median: number | null
  readonly longest: number | null
}

/**
 * The lines of each day or week of a range: count, time until retrieval and acknowledgement, how many still wait, and the
 * longest wait. With more than `waitsMost` lines only the complete days are included; `since` is the first of them.
 */
export async function exportLag({ store, request, visitor, clock, today }: Asked): Promise<Reply> {
  const { companyId, company } = visitor.caller
  // No later than the company's day, which is fixed in a sandbox (ADR 0117).
  const now = Math.min(clock(), dayStart(company.zone, plusDays(today(company.zone), 1)))
  const query = parseQuery(request.search, knownParameters(parameters, 'refused'))
  const destinationId = destinationIn(query.get('destination') ?? '1')
  const starts = startOf(query.get('per') ?? 'day')
  const days = { from: dayAt(query.get('from'), 'from'), to: dayAt(query.get('to'), 'to') }
  const from = starts(days.from)
  const span = {
    from: dayStart(company.zone, from),
    to: dayStart(company.zone, plusDays(days.to, 1)),
  }
  const waits = await waitsWithin(store, { companyId, destinationId }, span)
  const periods = Map.groupBy(waits, ({ readyAt }) => starts(dayIn(company.zone, readyAt)))
  // The earliest period may be incomplete.
  if (waits.length === waitsMost && periods.size > 1)
    periods.delete([...periods.keys()].at(-1) ?? '')
  return json({
    since: waits.length < waitsMost ? from : [...periods.keys()].at(-1),
    all: told(waits, now),
    periods: [...periods].map(([start, of]) => ({ start, ...told(of, now) })).toReversed(),
  })
}

const parameters = ['destination', 'from', 'to', 'per'] as const

function told(waits: readonly Wait[], now: number) {
  const waiting = waits.filter(({ isReady }) => isReady === 1)
  return {
    count: waits.length,
    fetched: lagOf(waits.map(fetchedAfter)),
    exported: lagOf(
      waits.map(({ readyAt, markedAt }) => (markedAt === null ? null : markedAt - readyAt)),
    ),
    unfetched: waiting.filter((wait) => fetchedAfter(wait) === null).length,
    waiting: waiting.length,
    longestWaiting: waiting.reduce((longest, { readyAt }) => Math.max(longest, now - readyAt), 0),
  }
}

/** Time until the first retrieval; an acknowledged line is no longer retrieved. */
function fetchedAfter({ readyAt, servedAt, sweptAt, markedAt }: Wait): number | null {
  const times = [servedAt, sweptAt].filter((at) => at !== null)
  const first = Math.min(...times.filter((at) => at >= readyAt && at <= (markedAt ?? at)))
  return Number.isFinite(first) ? first - readyAt : null
}

/** Of the finished ones. */
function lagOf(spans: readonly (number | null)[]): Lag {
  const over = spans.filter((span) => span !== null).toSorted((one, other) => one - other)
  return {
    count: over.length,
    median: over[Math.floor((over.length - 1) / 2)] ?? null,
    longest: over.at(-1) ?? null,
  }
}

function startOf(per: string): (day: string) => string {
  if (per === 'day') return (day) => day
  if (per === 'week') return (day) => plusDays(day, -weekdayOf(day))
  throw noChoice('per')
}

function destinationIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw noChoice('destination')
  return Number(text)
}

function noChoice(field: string): Fault {
  return new Fault('InvalidValue', {
    target: field,
    says: { field, problem: phrase('noSuchChoice') },
  })
}
