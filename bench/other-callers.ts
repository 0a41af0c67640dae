// The latency of a small caller while a large one is served: the stream of a whole company, the list of 100,000
// rows.
import { setTimeout as sleep } from 'node:timers/promises'
import { listLength, type CaseName } from './cases.ts'
import type { Job, Measurement } from './load.ts'
import type { Loader } from './loader.ts'
import { resetPeak, peakMbOf, residentMbOf } from './machine.ts'
import { figure, rangeText, type Finding } from './report.ts'
import { rowsOfCompany } from './rows.ts'
import type { Server } from './server.ts'
import { median } from './statistics.ts'

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

/** Point reads, one after the other, first alone and then while one large request is served. */
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
    resetPeak(pid)
    const during = await beside(loaders, point, { ...ask, case: name, warmUpMs: 0, replies: 1 })
    const rejection = [usual, during.large, during.during].find(
      (each) => each.refused > 0,
    )?.rejection
    if (rejection) throw new Error(`a request was refused: ${rejection}`)
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
      what: `${what}: memory above idle, at most`,
      reached: growths.length === 0 ? Number.NaN : Math.max(...growths),
      unit: ' MB',
      atMost: 45,
      detail: rangeText(growths),
    },
    {
      what: `${what}: longest stall of another client`,
      reached: median(disturbances.map((each) => each.during.longestMs)),
      unit: ' ms',
      atMost: 25,
      detail: detailOf(disturbances),
    },
  ]
}

export function listFindings(disturbances: Disturbance[], server: Server): Finding[] {
  const rows = figure(listLength(server.size, 100_000))
  return [
    {
      what: `list of ${rows} rows: another client's longest point read / its usual`,
      reached: median(disturbances.map((each) => each.during.longestMs / each.usual.p50Ms)),
      unit: 'x',
      atMost: 50,
      detail: detailOf(disturbances),
    },
  ]
}

/** Even without the large request there are stalls, on a machine that runs other programs. */
function detailOf(disturbances: Disturbance[]): string {
  const each = (read: (disturbance: Disturbance) => number) => disturbances.map(read)
  return [
    `longest ${rangeText(each(({ during }) => during.longestMs))} ms`,
    `p50 ${figure(median(each(({ during }) => during.p50Ms)))} ms`,
    `alone: longest ${rangeText(each(({ usual }) => usual.longestMs))} ms`,
    `p50 ${figure(median(each(({ usual }) => usual.p50Ms)))} ms`,
    `the large one took ${figure(median(each(({ large }) => large.longestMs / 1000)))} s`,
  ].join('; ')
}
