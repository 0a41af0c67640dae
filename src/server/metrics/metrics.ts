// What a server counts of itself, in the words of Prometheus: no secrets, no companies, labels from closed lists alone.
import type { GateLoad } from '../../auth/authenticator/authenticator.ts'
import type { Answered, HttpLoad } from '../../http/load.ts'
import type { StoreLoad } from '../../store/store.ts'

/** What is looked at when somebody asks. */
export interface Watched {
  readonly gate: () => GateLoad
  readonly http: () => HttpLoad
  readonly store: () => StoreLoad
}

export interface Metrics {
  observe(answered: Answered): void
  /** All that was counted, for whoever adds several servers together. */
  snapshot(): Promise<object>
}

/** The text that is scraped, of one server or of several added together. */
export async function textOf(snapshots: readonly object[]): Promise<string> {
  const { Registry } = await import('@prometheus-io/client')
  return Registry.aggregate([...snapshots]).metrics()
}

/** The library is opened only where somebody watches: it costs the start of every other server nothing. */
export async function startMetrics(watched: Watched): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } =
    await import('@prometheus-io/client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const durations = new Histogram({
    name: 'dagsverk_http_request_duration_seconds',
    help: 'Time until an answer begins, by route template, method and status class',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const refusals = new Counter({
    name: 'dagsverk_refusals_total',
    help: 'Refused requests by their code, RateLimited and TooManyFailedLogins among them',
    labelNames: ['code'],
    registers,
  })
  for (const { name, help, read } of gauges(watched)) {
    const gauge: InstanceType<typeof Gauge> = new Gauge({
      name,
      help,
      registers,
      collect: () => gauge.set(read()),
    })
  }
  for (const { name, help, read } of totals(watched)) {
    let told = 0
    const counter: InstanceType<typeof Counter> = new Counter({
      name,
      help,
      registers,
      collect: () => {
        const total = read()
        counter.inc(total - told)
        told = total
      },
    })
  }
  return {
    observe: ({ route, method, status, ms, about: { code } }) => {
      durations.observe({ route, method, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
      if (code !== undefined) refusals.inc({ code })
    },
    snapshot: () => registry.getMetricsAsJSON(),
  }
}

interface Reading {
  readonly name: string
  readonly help: string
  readonly read: () => number
}

function gauges({ gate, http, store }: Watched): readonly Reading[] {
  return [
    {
      name: 'dagsverk_http_connections',
      help: 'Open connections',
      read: () => http().connections,
    },
    {
      name: 'dagsverk_http_body_bytes_in_flight',
      help: 'Bytes of the bodies that are being received or worked on',
      read: () => http().bodyBytesInFlight,
    },
    {
      name: 'dagsverk_password_checks_running',
      help: 'Costly checks of chosen passwords that are under way',
      read: () => gate().hashesRunning,
    },
    {
      name: 'dagsverk_password_checks_waiting',
      help: 'Costly checks of chosen passwords that wait for their turn',
      read: () => gate().hashesWaiting,
    },
    {
      name: 'dagsverk_store_acts_waiting',
      help: 'Writes that wait for a transaction',
      read: () => store().actsWaiting,
    },
    {
      name: 'dagsverk_store_streams_open',
      help: 'Long answers that hold a snapshot of the database',
      read: () => store().streamsOpen,
    },
    {
      name: 'dagsverk_store_connections_open',
      help: 'Connections to the database',
      read: () => store().connectionsOpen,
    },
    {
      name: 'dagsverk_store_connections_idle',
      help: 'Connections to the database that nobody uses',
      read: () => store().connectionsIdle,
    },
    {
      name: 'dagsverk_store_connections_awaited',
      help: 'Statements that wait for a connection',
      read: () => store().connectionsAwaited,
    },
  ]
}

/** Acts divided by commits is the size of a group. */
function totals({ store }: Watched): readonly Reading[] {
  return [
    {
      name: 'dagsverk_store_commits_total',
      help: 'Durable commits of writes',
      read: () => store().commits,
    },
    {
      name: 'dagsverk_store_acts_total',
      help: 'Writes that were committed; several share a commit',
      read: () => store().actsCommitted,
    },
  ]
}
