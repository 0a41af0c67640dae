// Neighbours: how long point reads of all companies and health checks take while one company floods the server.
import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CaseName } from './cases.ts'
import { figure } from './figure.ts'
import type { LoadGenerators } from './interference.ts'
import type { BenchmarkResult } from './report.ts'
import { revenuePath } from './requests.ts'
import type { ServerUnderTest } from './server.ts'
import { quantile } from './statistics.ts'

/** What the first company sends at a time, as often as it gets replies. */
const floods: readonly { readonly case: CaseName; readonly connections: number }[] = [
  { case: 'costly', connections: 60 },
  { case: 'stream', connections: 60 },
  { case: 'list100k', connections: 4 },
]

/** Bodies that are announced and never sent. */
const silentBodies = { count: 64, bytes: 32 * 2 ** 20 }

export interface NeighbourLoad {
  readonly results: BenchmarkResult[]
  readonly problems: string[]
}

export async function measureNeighbours(
  { dialect, size, port }: Pick<ServerUnderTest, 'dialect' | 'size' | 'port'>,
  { large, small }: LoadGenerators,
  seconds: number,
): Promise<NeighbourLoad> {
  const target = { dialect, size, seed: 1, port, serverPid: 0 }
  const durationMs = seconds * 1000
  const readPoints = () => small.measure({ ...target, case: 'point', connections: 8, warmUpMs: 300, durationMs })
  const usual = await readPoints()
  const usualHealth = await timesOfHealthChecks(port, durationMs)
  const load: NeighbourLoad = { results: [], problems: [] }
  const measureBeside = async (flood: string) => {
    const [points, health] = await Promise.all([readPoints(), timesOfHealthChecks(port, durationMs)])
    const { p99Ms, longestMs, rejected, firstRejection } = points
    load.results.push({
      title: `beside ${flood} of one company: p99 of point reads / usual`,
      value: p99Ms / usual.p99Ms,
      unit: '',
      detail: `p99 ${figure(p99Ms)} ms, longest ${figure(longestMs)} ms; usually ${figure(usual.p99Ms)} ms`,
    })
    for (const [path, times] of health)
      load.results.push({
        title: `beside ${flood} of one company: longest reply of ${path}`,
        value: quantile(times, 1),
        unit: ' ms',
        detail: `${times.length} calls, median ${figure(quantile(times, 0.5))} ms; usually longest ${figure(quantile(usualHealth.get(path) ?? [], 1))} ms`,
      })
    if (rejected > 0) load.problems.push(`beside ${flood}, ${rejected} point reads were rejected: ${firstRejection}`)
  }
  for (const { case: name, connections } of floods) {
    const started = Promise.withResolvers<void>()
    const flooding = large.measure({ ...target, case: name, connections, warmUpMs: 0 }, started.resolve)
    await Promise.race([started.promise, flooding])
    await measureBeside(`${connections} × ${name}`)
    large.stop()
    await flooding
  }
  const close = await announceBodies(port)
  await measureBeside(`${silentBodies.count} announced bodies`)
  close()
  return load
}

/** By path, in ascending order. */
async function timesOfHealthChecks(port: number, durationMs: number): Promise<ReadonlyMap<string, number[]>> {
  const end = performance.now() + durationMs
  const measure = async (path: string): Promise<[string, number[]]> => {
    const times: number[] = []
    while (performance.now() < end) {
      const sentAt = performance.now()
      const reply = await fetch(`http://127.0.0.1:${port}${path}`)
      await reply.text()
      times.push(performance.now() - sentAt)
      if (!reply.ok) throw new Error(`${path}: ${reply.status}`)
      await sleep(healthCheckMs)
    }
    return [path, times.toSorted((a, b) => a - b)]
  }
  return new Map(await Promise.all(['/livez', '/readyz'].map(measure)))
}

const healthCheckMs = 20

/** Returns the function that closes the connections. */
async function announceBodies(port: number): Promise<() => void> {
  const head = [
    `POST ${revenuePath(1, 'LagreEllerOppdaterListe')} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${silentBodies.bytes}`,
  ].join('\r\n')
  const sockets = Array.from({ length: silentBodies.count }, () =>
    connect(port, '127.0.0.1').on('error', () => undefined),
  )
  for (const socket of sockets) {
    await once(socket, 'connect')
    socket.write(`${head}\r\n\r\n`)
  }
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}
