// Export latency: time from approval to retrieval and to acknowledgement, by day or week.
import type { ExportLatency, LatencyFigures, LatencySummary } from '../contract/export.ts'
import { parseDay, periodStarts } from '../date-range.ts'
import { plusDays } from '../../lib/calendar.ts'
import type { AppRequest } from '../route.ts'
import { dateInZone, startOfDate } from '../../lib/calendar-date.ts'
import { latencyLinesMax, listLineLatencies, type LineLatency } from '../../store/export/export-latency.ts'
import { parseChoice, parseId, queryIn } from '../request-values.ts'

/**
 * The lines of each day or week of a range: count, time until retrieval and acknowledgement, how many still wait, and the
 * longest wait. With more than `latencyLinesMax` lines only the complete days are included; `since` is the first of them.
 */
export async function getExportLatency(appRequest: AppRequest): Promise<ExportLatency> {
  const { store, request, clock, today, companyId, company } = appRequest
  // No later than the company's day, which is fixed in a sandbox (ADR 0005).
  const now = Math.min(clock(), startOfDate(company.zone, plusDays(today(company.zone), 1)))
  const query = queryIn(request, parameters)
  const destinationId = parseId(query.get('destination') ?? '1', 'destination')
  const starts = periodStarts[parseChoice(query.get('per') ?? 'day', ['day', 'week'], 'per')]
  const days = { from: parseDay(query.get('from'), 'from'), to: parseDay(query.get('to'), 'to') }
  const from = starts(days.from)
  const span = { from: startOfDate(company.zone, from), to: startOfDate(company.zone, plusDays(days.to, 1)) }
  const waits = await listLineLatencies(store, { companyId, destinationId, ...span })
  const periods = Map.groupBy(waits, ({ readyAt }) => starts(dateInZone(company.zone, readyAt)))
  // The earliest period may be incomplete.
  if (waits.length === latencyLinesMax && periods.size > 1) periods.delete([...periods.keys()].at(-1) ?? '')
  return {
    since: (waits.length < latencyLinesMax ? undefined : [...periods.keys()].at(-1)) ?? from,
    all: summarize(waits, now),
    periods: [...periods].map(([start, of]) => ({ start, ...summarize(of, now) })).toReversed(),
  }
}

const parameters = ['destination', 'from', 'to', 'per'] as const

function summarize(waits: readonly LineLatency[], now: number): LatencyFigures {
  const waiting = waits.filter(({ isReady }) => isReady === 1)
  return {
    count: waits.length,
    retrieved: summarizeLatency(waits.map(retrievedAfter)),
    exported: summarizeLatency(
      waits.map(({ readyAt, acknowledgedAt }) => (acknowledgedAt === null ? null : acknowledgedAt - readyAt)),
    ),
    notRetrieved: waiting.filter((wait) => retrievedAfter(wait) === null).length,
    waiting: waiting.length,
    longestWaiting: waiting.reduce((longest, { readyAt }) => Math.max(longest, now - readyAt), 0),
  }
}

/** Time until the first retrieval; an acknowledged line is no longer retrieved. */
function retrievedAfter({ readyAt, firstRetrievedAt, fullRetrievalAt, acknowledgedAt }: LineLatency): number | null {
  const times = [firstRetrievedAt, fullRetrievalAt].filter((at) => at !== null)
  const first = Math.min(...times.filter((at) => at >= readyAt && at <= (acknowledgedAt ?? at)))
  return Number.isFinite(first) ? first - readyAt : null
}

/** Of the finished ones. */
function summarizeLatency(spans: readonly (number | null)[]): LatencySummary {
  const over = spans.filter((span) => span !== null).toSorted((one, other) => one - other)
  return { count: over.length, median: over[Math.floor((over.length - 1) / 2)] ?? null, longest: over.at(-1) ?? null }
}
