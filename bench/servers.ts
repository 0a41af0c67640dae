// Starts the servers of a benchmark run, each on its own copy of a filled database.
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { filledCap, startCap } from './cap.ts'
import { startDagsverk, type DagsverkServer, type Installation } from './dagsverk.ts'
import { filledDagsverk } from './fill-dagsverk.ts'
import { benchFolder, copyFolder } from './location.ts'
import { serverCores, twoWorkerCores } from './machine.ts'
import type { BenchmarkOptions } from './options.ts'
import { copyName, copyPostgres, dropDatabase } from './postgres.ts'
import { reasonOf } from './program.ts'
import type { DatasetSize } from './rows.ts'
import { startServer, type ServerUnderTest } from './server.ts'

/** What the parts of a run share. */
export interface BenchmarkRun {
  readonly options: BenchmarkOptions
  /** A folder that is deleted after the run. */
  readonly scratch: string
  readonly log: (text: string) => void
}

/** How each contender's server is started. `raw` is none: it has no server. */
const starts: Record<string, (run: BenchmarkRun, size: DatasetSize) => Promise<ServerUnderTest | null>> = {
  baseline: ({ scratch }, size) => startBaseline(size, join(scratch, 'baseline.log')),
  dagsverk: (run, size) => startCopy(run, 'dagsverk', size),
  // The same server and data, but with one commit per write.
  'one-commit-each': (run, size) => startCopy(run, 'one-commit-each', size, { program: ['bench/one-commit-each.ts'] }),
  // The same server and data, but it counts commits.
  metrics: (run, size) => startCopy(run, 'metrics', size, { hasMetrics: true }),
  cap: startCapCopy,
  postgres: (run, size) => startPostgresCopy(run, 'postgres', size),
  'two-workers': async (run, size) => {
    if (twoWorkerCores === null && !run.options.isSmoke) {
      run.log('two workers are not compared: that takes four cores')
      return null
    }
    const env = { DAGSVERK_WORKERS: '2' }
    return startPostgresCopy(run, 'two-workers', size, { env, cores: twoWorkerCores ?? serverCores })
  },
}

/**
 * Starts the servers among `names`, except those that the options or the machine exclude, and reports those that
 * failed.
 */
export async function startServers(
  run: BenchmarkRun,
  names: Iterable<string>,
  size: DatasetSize,
): Promise<{ servers: ServerUnderTest[]; problems: string[] }> {
  const servers: ServerUnderTest[] = []
  const problems: string[] = []
  for (const name of new Set(names)) {
    try {
      const server = await starts[name]?.(run, size)
      if (server) servers.push(server)
    } catch (error) {
      problems.push(`${name} could not be started: ${reasonOf(error)}`)
    }
  }
  return { servers, problems }
}

type Difference = Pick<Installation, 'program' | 'env' | 'hasMetrics' | 'cores'>

/** Starts Dagsverk on a copy of the filled SQLite database of this size. */
export async function startCopy(
  { scratch, log }: BenchmarkRun,
  name: string,
  size: DatasetSize,
  difference: Difference = {},
): Promise<DagsverkServer> {
  const dataFolder = copyFolder(await filledDagsverk(size, log), join(scratch, name))
  return startDagsverk(name, { dataFolder, ...difference }, size, join(scratch, `${name}.log`))
}

/** The same on PostgreSQL; null without `--postgres`. */
export async function startPostgresCopy(
  { options: { postgres }, scratch, log }: BenchmarkRun,
  name: string,
  size: DatasetSize,
  difference: Difference = {},
): Promise<DagsverkServer | null> {
  if (postgres === undefined) return null
  const database = copyName(name)
  const dataFolder = join(scratch, name)
  rmSync(dataFolder, { recursive: true, force: true })
  const databaseUrl = await copyPostgres(postgres, size, database, log)
  const installation = { dataFolder, databaseUrl, ...difference }
  const server = await startDagsverk(name, installation, size, join(scratch, `${name}.log`))
  const stop = () => server.stop().then(() => dropDatabase(postgres, database))
  return { ...server, database, stop }
}

/** The peer on a copy of its filled database; null with `--no-peer`. */
export async function startCapCopy(
  { options, scratch, log }: BenchmarkRun,
  size: DatasetSize,
): Promise<ServerUnderTest | null> {
  if (!options.hasPeer) return null
  const file = join(scratch, 'cap.sqlite')
  copyFileSync(await filledCap(size, log), file)
  return startCap(file, size, join(scratch, 'cap.log'))
}

function startBaseline(size: DatasetSize, logFile: string): Promise<ServerUnderTest> {
  return startServer({
    name: 'baseline',
    dialect: 'baseline',
    size,
    command: [process.execPath, join(benchFolder, 'baseline.ts')],
    folder: benchFolder,
    env: (port) => ({ PORT: String(port) }),
    readyPath: '/',
    logFile,
  })
}
