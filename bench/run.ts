// The benchmark: starts the servers, runs the requested parts, prints results beside the goals and saves them.
import { compare, problemsIn, type Comparison } from './comparison.ts'
import { contendersAmong } from './contenders.ts'
import { figure } from './figure.ts'
import { goalRows } from './goals.ts'
import { measureGrowth } from './growth.ts'
import {
  longListResult,
  measureInterference,
  streamResults,
  type Interference,
  type LoadGenerators,
} from './interference.ts'
import { measureInterfaceLoad } from './interface-load.ts'
import { loadCores, pinThisProcess } from './machine.ts'
import { LoadGenerator } from './load-generator.ts'
import { scratchFolder } from './location.ts'
import { measureMaterial } from './material.ts'
import { measureMixedWorkload } from './mixed-workload.ts'
import { measureNeighbours } from './neighbours.ts'
import { optionsFrom, usage, type BenchmarkOptions, type Part } from './options.ts'
import { profile } from './profile.ts'
import { reasonOf } from './program.ts'
import { contendersOf, isCompared, ratioResults } from './ratios.ts'
import { print, save, type BenchmarkResult } from './report.ts'
import type { DatasetSize } from './rows.ts'
import { startCopy, startPostgresCopy, startServers, type BenchmarkRun } from './servers.ts'
import { smoke } from './smoke.ts'
import { measureStarts } from './starts.ts'

// The servers stop when this process exits, however it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
await main()

async function main(): Promise<void> {
  try {
    const options = optionsFrom(process.argv.slice(2))
    if (options === null) console.log(usage)
    else {
      // It sends requests too, which would take time from the server.
      pinThisProcess(loadCores)
      await execute(options)
    }
  } catch (error) {
    console.error(reasonOf(error))
    process.exit(1)
  }
}

/** Everything that one run measured. */
interface Measurements {
  readonly results: BenchmarkResult[]
  readonly comparisons: Comparison[]
  readonly interferences: Record<string, Interference[]>
  /** What could not be measured, and why. */
  readonly problems: string[]
}

async function execute(options: BenchmarkOptions): Promise<void> {
  const log = (text: string) => console.error(`… ${text}`)
  const run: BenchmarkRun = { options, scratch: scratchFolder(), log }
  const generators: LoadGenerators = { large: new LoadGenerator(), small: new LoadGenerator() }
  try {
    for (const name of options.profile) await profile(run, name, mainSize(run), generators.large)
    if (options.profile.length > 0) return
    const problems = options.isSmoke
      ? await smoke(run, { rows: options.rows, companies: 2 }, generators)
      : await measure(run, generators)
    for (const problem of problems) console.error(problem)
    if (problems.length > 0) process.exitCode = 1
  } finally {
    generators.large.close()
    generators.small.close()
  }
}

async function measure(run: BenchmarkRun, generators: LoadGenerators): Promise<string[]> {
  const { options } = run
  const measurements: Measurements = { results: [], comparisons: [], interferences: {}, problems: [] }
  const { results, comparisons, problems } = measurements
  const attempt = attemptIn(run, measurements)
  await measureComparisons(run, generators, measurements)
  await attempt('stream', () => measureStream(run, generators, measurements))
  await attempt('start', async () => {
    results.push(...(await measureStarts(run, mainSize(run))))
  })
  await attempt('material', async () => {
    const material = await measureMaterial(run, mainSize(run))
    comparisons.push(...material.comparisons)
    results.push(...material.results)
  })
  await attempt('mixed', () => measureMixed(run, measurements))
  await attempt('neighbours', () => measureFloods(run, measurements))
  await attempt('interface', () => measureInterface(run, generators, measurements))
  await attempt('growth', async () => {
    const growth = await measureGrowth(run, generators.large)
    comparisons.push(...growth.comparisons)
    results.push(...growth.results)
  })
  problems.push(...comparisons.flatMap(problemsIn))
  if (options.rows !== goalRows)
    console.log(`With ${figure(options.rows)} records; the goals are for ${figure(goalRows)}.\n`)
  print(results, comparisons)
  console.log(`\n${save({ options, ...measurements }, new Date())}`)
  return problems
}

/** Runs a requested part; when it fails, the others continue. */
function attemptIn({ options: { only } }: BenchmarkRun, { problems }: Measurements) {
  return async (part: Part, work: () => Promise<void>): Promise<void> => {
    if (!only.includes(part)) return
    await work().catch((error: unknown) => problems.push(`${part}: ${reasonOf(error)}`))
  }
}

function mainSize({ options: { rows } }: BenchmarkRun): DatasetSize {
  return { rows, companies: 10 }
}

/** The comparisons, and the long list beside which another client reads: all on the same servers. */
async function measureComparisons(
  run: BenchmarkRun,
  generators: LoadGenerators,
  measurements: Measurements,
): Promise<void> {
  const { only, rounds } = run.options
  const compared = only.filter(isCompared)
  const names = compared.flatMap(contendersOf)
  if (only.includes('list100k')) names.push('dagsverk')
  const { servers, problems } = await startServers(run, names, mainSize(run))
  measurements.problems.push(...problems)
  try {
    for (const name of compared) {
      const contenders = contendersAmong(contendersOf(name), servers, generators.large, run)
      const onRound = (round: number) => run.log(`${name}, round ${round} of ${rounds}`)
      const comparison = await compare(name, contenders, rounds, onRound)
      measurements.comparisons.push(comparison)
      measurements.results.push(...ratioResults(comparison))
    }
    const dagsverk = servers.find((server) => server.name === 'dagsverk')
    if (dagsverk === undefined) return
    await attemptIn(run, measurements)('list100k', async () => {
      run.log('a long list, and another client beside it')
      const interferences = await measureInterference(dagsverk, 'list100k', generators, rounds)
      measurements.interferences['list100k'] = interferences
      measurements.results.push(longListResult(interferences, dagsverk))
    })
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** A stream is of one company, so all rows belong to it here. */
async function measureStream(run: BenchmarkRun, generators: LoadGenerators, measurements: Measurements): Promise<void> {
  const { rows, rounds } = run.options
  const server = await startCopy(run, 'stream', { rows, companies: 1 })
  try {
    run.log('a long stream, and another client beside it')
    const interferences = await measureInterference(server, 'stream', generators, rounds)
    measurements.interferences['stream'] = interferences
    measurements.results.push(...streamResults(interferences, server))
  } finally {
    await server.stop()
  }
}

async function measureMixed(run: BenchmarkRun, { results, problems }: Measurements): Promise<void> {
  const server = await startCopy(run, 'mixed', mainSize(run))
  try {
    run.log('writers, pollers and a stream side by side')
    const mixed = await measureMixedWorkload(server, run.options.mixedSeconds)
    results.push(...mixed.results)
    problems.push(...mixed.problems)
  } finally {
    await server.stop()
  }
}

async function measureFloods(run: BenchmarkRun, { results, problems }: Measurements): Promise<void> {
  const onSqlite = { prefix: '', start: () => startCopy(run, 'neighbours', mainSize(run)) }
  const onPostgres = { prefix: 'PostgreSQL, ', start: () => startPostgresCopy(run, 'neighbours', mainSize(run)) }
  for (const { prefix, start } of [onSqlite, onPostgres]) {
    const server = await start()
    if (server === null) continue
    try {
      run.log(`${prefix}point reads and upserts while one company floods the server`)
      const load = await measureNeighbours(server, { ...run.options, prefix })
      results.push(...load.results)
      problems.push(...load.problems)
    } finally {
      await server.stop()
    }
  }
}

async function measureInterface(
  run: BenchmarkRun,
  generators: LoadGenerators,
  { results, problems }: Measurements,
): Promise<void> {
  const { rounds, seconds } = run.options
  const server = await startCopy(run, 'interface', mainSize(run))
  try {
    run.log('every request of the interface')
    const length = { durationMs: rounds * seconds * 1000 }
    const load = await measureInterfaceLoad(server, generators, length)
    console.log(`${load.table}\n`)
    results.push(load.result)
    problems.push(...load.problems)
  } finally {
    await server.stop()
  }
}
