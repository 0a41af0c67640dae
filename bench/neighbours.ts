// What a small caller feels while a large one is served: the stream of a whole company, and the list of 100,000 rows.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CaseName } from './cases.ts'
import type { Job, Measurement } from './load.ts'
import type { Loader } from './loader.ts'
import { forgetPeak, peakMbOf, residentMbOf } from './machine.ts'
import { figure, type Finding } from './report.ts'
import { rowsOfCompany } from './rows.ts'
import type { Server } from './server.ts'
import { median, quantile } from './statistics.ts'

export interface Disturbance {
  readonly large: Measurement
  /** The small caller's point reads before, and during. */
  readonly usual: Measurement
  readonly during: Measurement
  readonly idleMb: number | null
  readonly peakMb: number | null
}

export interface Loaders {
  readonly large: Loader
  readonly small: Loader
}

/** Point reads, one after the other, first alone and then while one large request is answered. */
export async function disturb(
  server: Server,
  name: CaseName,
  loaders: Loaders,
  rounds: number,
): Promise<Disturbance[]> {
  const disturbances: Disturbance[] = []
  for (let seed = 1; seed <= rounds; seed++) {
    const { dialect, size, port, pid } = server
    const ask = { dialect, size, seed, port, serverPid: pid }
    const point: Job = { ...ask, case: 'point', connections: 1, warmUpMs: 300 }
    const usual = await loaders.small.measure({ ...point, measureMs: 700 })
    await sleep(300)
    const idleMb = residentMbOf(pid)
    forgetPeak(pid)
    const during = await beside(loaders, point, { ...ask, case: name, warmUpMs: 0, answers: 1 })
    disturbances.push({ ...during, usual, idleMb, peakMb: peakMbOf(pid) })
  }
  return disturbances
}

/** The small job runs from before the large one until after it. */
async function beside({ large, small }: Loaders, smallJob: Job, largeJob: Job) {
  const started = Promise.withResolvers<void>()
  const during = small.measure(smallJob, started.resolve)
  await Promise.race([started.promise, during])
  const measured = await large.measure(largeJob)
  small.stop()
  return { large: measured, during: await during }
}

export function streamFindings(disturbances: Disturbance[], server: Server): Finding[] {
  const what = `stream of ${figure(rowsOfCompany(server.size))} records`
  const growths = disturbances.flatMap(({ idleMb, peakMb }) =>
    idleMb === null || peakMb === null ? [] : [peakMb - idleMb],
  )
  return [
    {
      what: `${what}: memory above idle, largest`,
      reached: quantile(growths.toSorted(ascending), 1),
      unit: ' MB',
      atMost: 45,
      detail: `median ${figure(median(growths))}; idle ${figure(median(disturbances.map((d) => d.idleMb ?? Number.NaN)))} MB`,
    },
    {
      what: `${what}: longest stall of another client`,
      reached: median(disturbances.map((each) => each.during.longestMs)),
      unit: ' ms',
      atMost: 25,
      detail: `${stallDetail(disturbances)}; stream ${figure(median(disturbances.map((each) => each.large.longestMs / 1000)))} s`,
    },
  ]
}

export function listFindings(disturbances: Disturbance[], server: Server): Finding[] {
  const rows = Math.min(100_000, rowsOfCompany(server.size))
  return [
    {
      what: `list of ${figure(rows)} rows: another client's longest point read / its usual`,
      reached: median(disturbances.map((each) => each.during.longestMs / each.usual.p50Ms)),
      unit: 'x',
      atMost: 50,
      detail: `${stallDetail(disturbances)}; list ${figure(median(disturbances.map((each) => each.large.longestMs / 1000)))} s`,
    },
  ]
}

function stallDetail(disturbances: Disturbance[]): string {
  const middle = (read: (each: Disturbance) => number) => figure(median(disturbances.map(read)))
  const worst = quantile(disturbances.map((each) => each.during.longestMs).toSorted(ascending), 1)
  return [
    `worst round ${figure(worst)} ms`,
    `p50 ${middle((each) => each.during.p50Ms)} for ${middle((each) => each.usual.p50Ms)} ms`,
    `longest without it ${middle((each) => each.usual.longestMs)} ms`,
  ].join('; ')
}

const ascending = (a: number, b: number): number => a - b
