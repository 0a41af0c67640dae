// The growth curve: the same server on databases of several sizes at once, and the cost of a request in each.
import type { CaseName } from './cases.ts'
import { compare, ratiosOf, type Comparison, type ComparisonBasis } from './comparison.ts'
import { contendersAmong } from './contenders.ts'
import { figure } from './figure.ts'
import type { GoalName } from './goals.ts'
import type { LoadGenerator } from './load-generator.ts'
import { ratioDetail } from './ratios.ts'
import type { BenchmarkResult } from './report.ts'
import type { ServerUnderTest } from './server.ts'
import { startCopy, startPostgresCopy, type BenchmarkRun } from './servers.ts'
import { median } from './statistics.ts'

export interface Growth {
  readonly comparisons: Comparison[]
  readonly results: BenchmarkResult[]
}

const growthCases: readonly CaseName[] = ['point', 'page100', 'first100', 'upsert']

/** The cost of a request in a larger database over that in the smallest: 1 is flat. */
export async function measureGrowth(run: BenchmarkRun, generator: LoadGenerator): Promise<Growth> {
  const sqlite = await growthOf(run, generator, {
    database: 'SQLite',
    by: 'cpu',
    goal: 'growthSqlite',
    warmUpMs: 0,
    start: (name, rows) => startCopy(run, name, { rows, companies }),
  })
  if (run.options.postgres === undefined) return sqlite
  const postgres = await growthOf(run, generator, {
    database: 'PostgreSQL',
    by: 'total',
    goal: 'growthPostgres',
    warmUpMs: 20_000,
    start: (name, rows) => startPostgresCopy(run, name, { rows, companies }),
  })
  return {
    comparisons: [...sqlite.comparisons, ...postgres.comparisons],
    results: [...sqlite.results, ...postgres.results],
  }
}

const companies = 10

interface GrowthSeries {
  readonly database: string
  readonly by: ComparisonBasis
  readonly goal: GoalName
  /** Length of the reads before the first measurement: a process of PostgreSQL maps each page of the cache at its first use. */
  readonly warmUpMs: number
  readonly start: (name: string, rows: number) => Promise<ServerUnderTest | null>
}

async function growthOf(run: BenchmarkRun, generator: LoadGenerator, series: GrowthSeries): Promise<Growth> {
  const { sizes, rounds } = run.options
  const { database, start, warmUpMs } = series
  const nameOf = (rows: number) => `${database}-${rows}`.toLowerCase()
  const servers: ServerUnderTest[] = []
  const comparisons: Comparison[] = []
  try {
    for (const rows of sizes) {
      const server = await start(nameOf(rows), rows)
      if (server !== null) servers.push(server)
    }
    if (warmUpMs > 0) {
      run.log(`reads for ${warmUpMs / 1000} s from each database, ${database}`)
      for (const { dialect, size, port } of servers) {
        const job = { case: 'point', dialect, size, port, seed: 0, serverPid: 0 } as const
        await generator.measure({ ...job, warmUpMs: 0, durationMs: warmUpMs })
      }
    }
    for (const name of growthCases) {
      const contenders = contendersAmong(sizes.map(nameOf), servers, generator, run)
      const onRound = (round: number) => run.log(`growth of ${name}, ${database}, round ${round}`)
      comparisons.push(await compare(name, contenders, rounds, onRound))
    }
  } finally {
    for (const server of servers) await server.stop()
  }
  const [smallest = 0, ...larger] = sizes
  return { comparisons, results: larger.map((rows) => growthResult(comparisons, series, { smallest, rows, nameOf })) }
}

interface GrowthPair {
  readonly smallest: number
  readonly rows: number
  readonly nameOf: (rows: number) => string
}

/** The goal is for the sizes that it names. */
function growthResult(
  comparisons: readonly Comparison[],
  { database, by, goal }: GrowthSeries,
  { smallest, rows, nameOf }: GrowthPair,
): BenchmarkResult {
  const names = [nameOf(smallest), nameOf(rows), by] as const
  const costs = comparisons.map((comparison) => median(ratiosOf(comparison, ...names)))
  const details = comparisons.map((comparison) => {
    return `${comparison.name} ${ratioDetail(comparison, ...names)}`
  })
  return {
    title: `${database}: cost of a request at ${figure(rows)} records / at ${figure(smallest)} (${by})`,
    value: Math.max(...costs),
    unit: '',
    detail: details.join('; '),
    ...(rows === 10_000_000 && smallest === 10_000 ? { goal } : {}),
  }
}
