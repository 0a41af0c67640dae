// Neighbours: how long point reads and upserts of all other companies, and health checks, take while one floods the server.
import { setTimeout as sleep } from 'node:timers/promises'
import { figure, rangeText } from './figure.ts'
import { openFloods, type FloodTarget } from './floods.ts'
import { healthPaths, timesOfHealthChecks } from './health-checks.ts'
import { LoadGenerator } from './load-generator.ts'
import type { LoadMeasurement } from './load-job.ts'
import type { BenchmarkResult } from './report.ts'
import { median, quantile } from './statistics.ts'

export interface NeighbourLoad {
  readonly results: BenchmarkResult[]
  readonly problems: string[]
}

export interface NeighbourOptions {
  readonly seconds: number
  readonly rounds: number
  /** Before the title of each result. */
  readonly prefix?: string
}

/** What the neighbours send meanwhile. */
const calls = [
  { case: 'point', title: 'point reads', connections: 8 },
  { case: 'upsert', title: 'upserts', connections: 4 },
] as const

/** Each round measures the usual times and those beside the flood, right after each other. */
export async function measureNeighbours(
  { dialect, size, port }: FloodTarget,
  { seconds, rounds, prefix = '' }: NeighbourOptions,
): Promise<NeighbourLoad> {
  const target = { dialect, size, port }
  const generators = calls.map(() => new LoadGenerator())
  const { floods, close } = openFloods(target)
  const load: NeighbourLoad = { results: [], problems: [] }
  try {
    for (const flood of floods) { if (process.env.ONLY && !new RegExp(process.env.ONLY).test(flood.title)) continue
      const measured: NeighbourRound[] = []
      for (let round = 1; round <= rounds; round++) {
        await sleep(settlingMs)
        const usual = await measureCalls(target, generators, seconds * 1000)
        const end = await flood.begin()
        try {
          measured.push({ usual, beside: await measureCalls(target, generators, seconds * 1000) })
        } finally {
          await end()
        }
      }
      addResults(load, `${prefix}beside ${flood.title}`, measured)
    }
  } finally {
    for (const generator of generators) generator.close()
    close()
  }
  return load
}

interface NeighbourTimes {
  /** As in `calls`. */
  readonly calls: readonly LoadMeasurement[]
  /** By path, in ascending order. */
  readonly health: ReadonlyMap<string, readonly number[]>
}

interface NeighbourRound {
  readonly usual: NeighbourTimes
  readonly beside: NeighbourTimes
}

async function measureCalls(
  target: FloodTarget,
  generators: readonly LoadGenerator[],
  durationMs: number,
): Promise<NeighbourTimes> {
  const common = { ...target, seed: 1, firstCompany: 2, serverPid: 0, warmUpMs: 300, durationMs }
  const measuring = generators.flatMap((generator, index) => {
    const call = calls[index]
    return call === undefined ? [] : generator.measure({ ...common, case: call.case, connections: call.connections })
  })
  const health = timesOfHealthChecks(target.port, durationMs)
  return { calls: await Promise.all(measuring), health: await health }
}

function addResults({ results, problems }: NeighbourLoad, title: string, rounds: readonly NeighbourRound[]): void {
  const each = (read: (times: NeighbourTimes) => number, when: keyof NeighbourRound) =>
    rounds.map((round) => read(round[when]))
  for (const [index, call] of calls.entries()) {
    const p99 = (times: NeighbourTimes) => times.calls[index]?.p99Ms ?? Number.NaN
    const ratios = rounds.map(({ usual, beside }) => p99(beside) / p99(usual))
    results.push({
      title: `${title}: p99 of ${call.title} / usual`,
      value: median(ratios),
      unit: '',
      detail: `${rangeText(ratios)}; p99 ${figure(median(each(p99, 'beside')))} ms, usually ${figure(median(each(p99, 'usual')))} ms`,
    })
    for (const { beside } of rounds) {
      const { rejected = 0, firstRejection } = beside.calls[index] ?? {}
      if (rejected > 0) problems.push(`${title}, ${rejected} ${call.title} were rejected: ${firstRejection}`)
    }
  }
  for (const path of healthPaths) {
    const longest = ({ health }: NeighbourTimes) => quantile(health.get(path) ?? [], 1)
    results.push({
      title: `${title}: longest reply of ${path}`,
      value: Math.max(...each(longest, 'beside')),
      unit: ' ms',
      detail: `of each round ${rangeText(each(longest, 'beside'))} ms; usually ${rangeText(each(longest, 'usual'))} ms`,
    })
  }
}

/** After a flood, in which the server ends what it still reads. */
const settlingMs = 1000
