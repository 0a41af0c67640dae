// Interference: the latency of a small client while a large request is served, a stream or a list of 100,000 rows.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CaseName } from './cases.ts'
import { figure, rangeText } from './figure.ts'
import type { LoadGenerator } from './load-generator.ts'
import type { LoadJob, LoadMeasurement } from './load-job.ts'
import { resetPeak, peakMbOf, residentMbOf } from './machine.ts'
import type { BenchmarkResult } from './report.ts'
import { listLength, rowsOfCompany } from './rows.ts'
import type { ServerUnderTest } from './server.ts'
import { median } from './statistics.ts'

export interface Interference {
  readonly large: LoadMeasurement
  /** The small client's point reads before, and during. */
  readonly usual: LoadMeasurement
  readonly during: LoadMeasurement
  readonly idleMb: number | null
  readonly peakMb: number | null
}

/** One generator for the load of interest, and another for what is sent beside it. */
export interface LoadGenerators {
  readonly large: LoadGenerator
  readonly small: LoadGenerator
}

/** Point reads, one after the other, first alone and then while one large request is served. */
export async function measureInterference(
  server: ServerUnderTest,
  name: CaseName,
  generators: LoadGenerators,
  rounds: number,
): Promise<Interference[]> {
  const interferences: Interference[] = []
  for (let seed = 1; seed <= rounds; seed++) {
    const { dialect, size, port, pid } = server
    const target = { dialect, size, seed, port, serverPid: pid }
    const point: LoadJob = { ...target, case: 'point', connections: 1, warmUpMs: 300 }
    const usual = await generators.small.measure({ ...point, durationMs: 700 })
    await sleep(300)
    const idleMb = residentMbOf(pid)
    resetPeak(pid)
    const large: LoadJob = { ...target, case: name, warmUpMs: 0, replies: 1 }
    const during = await measureBeside(generators, point, large)
    const rejection = [usual, during.large, during.during].find((each) => each.rejected > 0)?.firstRejection
    if (rejection) throw new Error(`a request was rejected: ${rejection}`)
    interferences.push({ ...during, usual, idleMb, peakMb: peakMbOf(pid) })
  }
  return interferences
}

/** The small job runs from before the large one until after it. */
async function measureBeside({ large, small }: LoadGenerators, smallJob: LoadJob, largeJob: LoadJob) {
  const started = Promise.withResolvers<void>()
  const during = small.measure(smallJob, started.resolve)
  await Promise.race([started.promise, during])
  const measured = await large.measure(largeJob)
  small.stop()
  return { large: measured, during: await during }
}

export function streamResults(interferences: readonly Interference[], server: ServerUnderTest): BenchmarkResult[] {
  const title = `stream of ${figure(rowsOfCompany(server.size))} records`
  const growths = interferences.flatMap(({ idleMb, peakMb }) =>
    idleMb === null || peakMb === null ? [] : [peakMb - idleMb],
  )
  return [
    {
      title: `${title}: memory above idle, at most`,
      value: growths.length === 0 ? Number.NaN : Math.max(...growths),
      unit: ' MB',
      goal: 'streamMemory',
      detail: `${title}; ${rangeText(growths)}`,
    },
    {
      title: `${title}: longest wait of another client`,
      value: median(interferences.map((each) => each.during.longestMs)),
      unit: ' ms',
      goal: 'streamWait',
      detail: detailOf(interferences),
    },
  ]
}

export function longListResult(interferences: readonly Interference[], server: ServerUnderTest): BenchmarkResult {
  const rows = figure(listLength(server.size, 100_000))
  return {
    title: `list of ${rows} rows: another client's longest point read / its usual`,
    value: median(interferences.map((each) => each.during.longestMs / each.usual.p50Ms)),
    unit: '',
    goal: 'longListWait',
    detail: detailOf(interferences),
  }
}

/** Even without the large request there are long waits, on a machine that runs other programs. */
function detailOf(interferences: readonly Interference[]): string {
  const each = (read: (interference: Interference) => number) => interferences.map(read)
  return [
    `longest ${rangeText(each(({ during }) => during.longestMs))} ms`,
    `p50 ${figure(median(each(({ during }) => during.p50Ms)))} ms`,
    `alone: longest ${rangeText(each(({ usual }) => usual.longestMs))} ms`,
    `p50 ${figure(median(each(({ usual }) => usual.p50Ms)))} ms`,
    `the large one took ${figure(median(each(({ large }) => large.longestMs / 1000)))} s`,
  ].join('; ')
}
