// Neighbours: how long point reads of all companies and health checks take while one company floods the server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CaseName } from './cases.ts'
import { figure, rangeText } from './figure.ts'
import { healthPaths, timesOfHealthChecks } from './health-checks.ts'
import { LoadGenerator } from './load-generator.ts'
import type { LoadJob, LoadMeasurement } from './load-job.ts'
import { loadCores, pinned } from './machine.ts'
import type { BenchmarkResult } from './report.ts'
import { revenuePath } from './requests.ts'
import { median, quantile } from './statistics.ts'

/** What the first company sends at a time, as often as it gets replies. */
const loads: readonly { readonly case: CaseName; readonly connections: number }[] = [
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

interface Flood {
  readonly title: string
  /** Returns the function that ends it. */
  readonly begin: () => Promise<() => Promise<void>>
}

type NeighbourTarget = Pick<LoadJob, 'dialect' | 'size' | 'port'>

/** Each round measures the usual times and those beside the flood, right after each other. */
export async function measureNeighbours(
  { dialect, size, port }: NeighbourTarget,
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<NeighbourLoad> {
  const target = { dialect, size, port }
  const readers = new LoadGenerator()
  const flooders = new LoadGenerator(floodPriority)
  const load: NeighbourLoad = { results: [], problems: [] }
  try {
    for (const flood of floodsOn(target, flooders)) {
      const measured: NeighbourRound[] = []
      for (let round = 1; round <= rounds; round++) {
        await sleep(settlingMs)
        const usual = await measureReaders(target, readers, seconds * 1000)
        const end = await flood.begin()
        try {
          measured.push({ usual, beside: await measureReaders(target, readers, seconds * 1000) })
        } finally {
          await end()
        }
      }
      addResults(load, flood.title, measured)
    }
  } finally {
    readers.close()
    flooders.close()
  }
  return load
}

/** The first one is none: what a busy process on the core of the load does to the times alone. */
function floodsOn(target: NeighbourTarget, generator: LoadGenerator): Flood[] {
  return [
    { title: 'a process that only computes', begin: compute },
    ...loads.map((load) => ({
      title: `${load.connections} × ${load.case} of one company`,
      begin: () => send({ ...target, ...load, seed: 1, serverPid: 0, warmUpMs: 0 }, generator),
    })),
    { title: `${silentBodies.count} announced bodies of one company`, begin: () => announceBodies(target.port) },
  ]
}

async function compute(): Promise<() => Promise<void>> {
  const [program = '', ...args] = pinned(loadCores, [process.execPath, '--eval', 'for (;;);'])
  const child = spawn(program, args, { stdio: 'ignore' })
  await once(child, 'spawn')
  setPriority(child.pid ?? 0, floodPriority)
  return async () => {
    child.kill()
    await once(child, 'exit')
  }
}

/** A list is written although its client has gone, so the end of a flood of lists waits for the last of them. */
async function send(job: LoadJob, generator: LoadGenerator): Promise<() => Promise<void>> {
  const started = Promise.withResolvers<void>()
  const flooding = generator.measure({ ...job, isDraining: job.case === 'list100k' }, started.resolve)
  await Promise.race([started.promise, flooding])
  return async () => {
    generator.stop()
    await flooding
  }
}

interface NeighbourTimes {
  readonly points: LoadMeasurement
  /** By path, in ascending order. */
  readonly health: ReadonlyMap<string, readonly number[]>
}

interface NeighbourRound {
  readonly usual: NeighbourTimes
  readonly beside: NeighbourTimes
}

async function measureReaders(
  target: NeighbourTarget,
  generator: LoadGenerator,
  durationMs: number,
): Promise<NeighbourTimes> {
  const job: LoadJob = { ...target, case: 'point', seed: 1, serverPid: 0, connections: 8, warmUpMs: 300, durationMs }
  const [points, health] = await Promise.all([generator.measure(job), timesOfHealthChecks(target.port, durationMs)])
  return { points, health }
}

function addResults({ results, problems }: NeighbourLoad, title: string, rounds: readonly NeighbourRound[]): void {
  const each = (read: (times: NeighbourTimes) => number, when: keyof NeighbourRound) =>
    rounds.map((round) => read(round[when]))
  const p99 = ({ points }: NeighbourTimes) => points.p99Ms
  const ratios = rounds.map(({ usual, beside }) => p99(beside) / p99(usual))
  results.push({
    title: `beside ${title}: p99 of point reads / usual`,
    value: median(ratios),
    unit: '',
    detail: `${rangeText(ratios)}; p99 ${figure(median(each(p99, 'beside')))} ms, usually ${figure(median(each(p99, 'usual')))} ms`,
  })
  for (const path of healthPaths) {
    const longest = ({ health }: NeighbourTimes) => quantile(health.get(path) ?? [], 1)
    results.push({
      title: `beside ${title}: longest reply of ${path}`,
      value: Math.max(...each(longest, 'beside')),
      unit: ' ms',
      detail: `of each round ${rangeText(each(longest, 'beside'))} ms; usually ${rangeText(each(longest, 'usual'))} ms`,
    })
  }
  for (const { points } of rounds.map(({ beside }) => beside))
    if (points.rejected > 0)
      problems.push(`beside ${title}, ${points.rejected} point reads were rejected: ${points.firstRejection}`)
}

/** The generator of the flood gets the core only where that of the readers, which shares it, needs no time. */
const floodPriority = 19

/** After a flood, in which the server ends what it still reads. */
const settlingMs = 1000

/** Returns the function that closes the connections. */
async function announceBodies(port: number): Promise<() => Promise<void>> {
  const head = [
    `POST ${revenuePath(1, 'LagreEllerOppdaterListe')} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${silentBodies.bytes}`,
  ].join('\r\n')
  const sockets = Array.from({ length: silentBodies.count }, () =>
    connect(port, '127.0.0.1').on('error', () => undefined),
  )
  const closings = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  for (const socket of sockets) {
    await once(socket, 'connect')
    socket.write(`${head}\r\n\r\n`)
  }
  return async () => {
    for (const socket of sockets) socket.destroy()
    await Promise.all(closings)
  }
}
