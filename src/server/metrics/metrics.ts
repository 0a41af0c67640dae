// Prometheus metrics of a server: no secrets, no company names, a fixed set of label values.
import type { PasswordHashLoad } from '../../auth/authenticator/authenticator.ts'
import type { SentReply, HttpLoad } from '../../http/load.ts'
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
  for (const { name, help, read } of gauges(sources)) {
    const gauge: InstanceType<typeof Gauge> = new Gauge({ name, help, registers, collect: () => gauge.set(read()) })
  }
  for (const { name, help, read } of totals(sources)) {
    let reported = 0
    const counter: InstanceType<typeof Counter> = new Counter({
      name,
      help,
      registers,
      collect: () => {
        const total = read()
        counter.inc(total - reported)
        reported = total
      },
    })
  }
  return {
    observe: ({ route, method, status, ms, logContext: { code } }) => {
      durations.observe({ route, method, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
      if (code !== undefined) errors.inc({ code })
    },
    snapshot: () => registry.getMetricsAsJSON(),
  }
}

interface Reading {
  readonly name: string
  readonly help: string
  readonly read: () => number
}

function gauges({ authenticator, http, store }: MetricsSources): readonly Reading[] {
  return [
    { name: 'dagsverk_http_connections', help: 'Open connections', read: () => http().connections },
    {
      name: 'dagsverk_http_body_bytes_in_flight',
      help: 'Bytes of request bodies that are being received or processed',
      read: () => http().bodyBytesInFlight,
    },
    {
      name: 'dagsverk_password_checks_running',
      help: 'Password hashes that are being computed',
      read: () => authenticator().hashesRunning,
    },
    {
      name: 'dagsverk_password_checks_waiting',
      help: 'Password hashes that wait in the queue',
      read: () => authenticator().hashesWaiting,
    },
    {
      name: 'dagsverk_store_operations_waiting',
      help: 'Writes that wait for a transaction',
      read: () => store().operationsWaiting,
    },
    {
      name: 'dagsverk_store_streams_open',
      help: 'Streamed responses that hold a database snapshot',
      read: () => store().streamsOpen,
    },
    {
      name: 'dagsverk_store_connections_open',
      help: 'Connections to the database',
      read: () => store().connectionsOpen,
    },
    {
      name: 'dagsverk_store_connections_idle',
      help: 'Idle connections to the database',
      read: () => store().connectionsIdle,
    },
    {
      name: 'dagsverk_store_connections_awaited',
      help: 'Statements that wait for a connection',
      read: () => store().connectionsAwaited,
    },
  ]
}

/** Writes divided by commits is the average size of a group commit. */
function totals({ store }: MetricsSources): readonly Reading[] {
  return [
    { name: 'dagsverk_store_commits_total', help: 'Durable commits of writes', read: () => store().commits },
    {
      name: 'dagsverk_store_operations_total',
      help: 'Committed writes; several can share a commit',
      read: () => store().operationsCommitted,
    },
  ]
}
