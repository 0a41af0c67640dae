// Prometheus metrics of a server: no secrets, no company names, a fixed set of label values.
import type { PasswordHashLoad } from '../../auth/authenticator/authenticator.ts'
import type { SentReply } from '../../http/log.ts'
import type { HttpLoad } from '../../http/server.ts'
import type { StoreLoad } from '../../store/store.ts'

/** The load values that are read at each scrape. */
export interface MetricsSources {
  readonly authenticator: () => PasswordHashLoad
  readonly http: () => HttpLoad
  readonly store: () => StoreLoad
}

export interface Metrics {
  observe(answered: SentReply): void
  /** All metrics as data, so that several workers can be aggregated. */
  snapshot(): Promise<object>
}

/** The text format of one or several aggregated snapshots. */
export async function formatMetrics(snapshots: readonly object[]): Promise<string> {
  const { Registry } = await import('@prometheus-io/client')
  return Registry.aggregate([...snapshots]).metrics()
}

/** Loads the library only when metrics are enabled, to keep the start of other servers fast. */
export async function startMetrics(sources: MetricsSources): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('@prometheus-io/client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const durations = new Histogram({
    name: 'dagsverk_http_request_duration_seconds',
    help: 'Time to the start of the response, by route template, method and status class',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const errors = new Counter({
    name: 'dagsverk_refusals_total',
    help: 'Error responses by error code, including RateLimited and TooManyFailedLogins',
    labelNames: ['code'],
    registers,
  })
  for (const [name, [help, read]] of Object.entries(gauges(sources))) {
    const gauge: InstanceType<typeof Gauge> = new Gauge({ name, help, registers, collect: () => gauge.set(read()) })
  }
  for (const [name, [help, read]] of Object.entries(totals(sources))) {
    const collect = () => {
      counter.reset()
      counter.inc(read())
    }
    const counter: InstanceType<typeof Counter> = new Counter({ name, help, registers, collect })
  }
  return {
    observe: ({ route, method, status, ms, logContext: { code } }) => {
      durations.observe({ route, method, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
      if (code !== undefined) errors.inc({ code })
    },
    snapshot: () => registry.getMetricsAsJSON(),
  }
}

/** By name: the help text, and the value at a scrape. */
type Readings = Readonly<Record<string, readonly [help: string, read: () => number]>>

function gauges({ authenticator, http, store }: MetricsSources): Readings {
  return {
    dagsverk_http_connections: ['Open connections', () => http().connections],
    dagsverk_http_body_bytes_in_flight: [
      'Bytes of request bodies that are being received or processed',
      () => http().bodyBytesInFlight,
    ],
    dagsverk_password_checks_running: ['Password hashes that are being computed', () => authenticator().hashesRunning],
    dagsverk_password_checks_waiting: ['Password hashes that wait in the queue', () => authenticator().hashesWaiting],
    dagsverk_store_operations_waiting: ['Writes that wait for a transaction', () => store().operationsWaiting],
    dagsverk_store_streams_open: ['Streamed responses that hold a database snapshot', () => store().streamsOpen],
    dagsverk_store_connections_open: ['Connections to the database', () => store().connectionsOpen],
    dagsverk_store_connections_idle: ['Idle connections to the database', () => store().connectionsIdle],
    dagsverk_store_connections_awaited: ['Statements that wait for a connection', () => store().connectionsAwaited],
  }
}

/** Writes divided by commits is the average size of a group commit. */
function totals({ store }: MetricsSources): Readings {
  return {
    dagsverk_store_commits_total: ['Durable commits of writes', () => store().commits],
    dagsverk_store_operations_total: [
      'Committed writes; several can share a commit',
      () => store().operationsCommitted,
    ],
  }
}
