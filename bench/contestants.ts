// Prepares the contestants: fills their databases, copies them, starts their servers.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { filledCap, startCap } from './cap.ts'
import { listLength } from './cases.ts'
import { rawContestant, serverContestant, type Contestant } from './contest.ts'
import { filledDagsverk, startDagsverk, type Home } from './dagsverk.ts'
import type { Loader } from './loader.ts'
import type { Options } from './options.ts'
import { benchFolder, copyFolder } from './location.ts'
import { dropCopy, filledPostgres } from './postgres.ts'
import { reasonOf } from './program.ts'
import type { Size } from './rows.ts'
import { startServer, type Server } from './server.ts'

/** What the parts of a run share. */
export interface Bench {
  readonly options: Options
  /** A folder that is deleted after the run. */
  readonly scratch: string
  readonly say: (what: string) => void
}

/** How each contestant's server is started. `raw` is none: it has no server. */
const starts: Record<string, (bench: Bench, size: Size) => Promise<Server | null>> = {
  floor: ({ scratch }, size) => startFloor(size, join(scratch, 'floor.log')),
  dagsverk: (bench, size) => startCopy(bench, 'dagsverk', size),
  // The same server and data, but with one commit per write.
  'one-commit-each': (bench, size) =>
    startCopy(bench, 'one-commit-each', size, { program: ['bench/one-commit-each.ts'] }),
  cap: async ({ options, scratch, say }, size) => {
    if (!options.hasPeer) return null
    const file = join(scratch, 'cap.sqlite')
    copyFileSync(await filledCap(size, say), file)
    return startCap(file, size, join(scratch, 'cap.log'))
  },
  postgres: async ({ options, scratch, say }, size) => {
    const { postgres } = options
    if (postgres === undefined) return null
    const databaseUrl = await filledPostgres(postgres, size, say)
    const home = { dataFolder: join(scratch, 'postgres'), databaseUrl }
    const server = await startDagsverk('postgres', home, size, join(scratch, 'postgres.log'))
    return { ...server, stop: () => server.stop().then(() => dropCopy(postgres)) }
  },
}

/**
 * Starts the servers among `names`, except those that the options exclude, and reports those that
 * failed.
 */
export async function startServers(
  bench: Bench,
  names: Iterable<string>,
  size: Size,
): Promise<{ servers: Server[]; problems: string[] }> {
  const servers: Server[] = []
  const problems: string[] = []
  for (const name of new Set(names)) {
    try {
      const server = await starts[name]?.(bench, size)
      if (server) servers.push(server)
    } catch (error) {
      problems.push(`${name} could not be started: ${reasonOf(error)}`)
    }
  }
  return { servers, problems }
}

/** Starts Dagsverk on a copy of the filled database of this size. */
export async function startCopy(
  { scratch, say }: Bench,
  name: string,
  size: Size,
  differs: Pick<Home, 'program' | 'env'> = {},
): Promise<Server> {
  const filled = await filledDagsverk(size, say)
  const dataFolder = copyFolder(filled, join(scratch, name))
  return startDagsverk(name, { dataFolder, ...differs }, size, join(scratch, `${name}.log`))
}

/** Those of `names` that are ready, in that order. */
export function contestantsAmong(
  names: string[],
  servers: Server[],
  loader: Loader,
  { scratch, options: { seconds } }: Bench,
): Contestant[] {
  return names.flatMap((name) => {
    const size = servers[0]?.size
    if (name === 'raw' && size !== undefined) {
      return [rawContestant(scratch, seconds, listLength(size, 10_000))]
    }
    const server = servers.find((each) => each.name === name)
    return server === undefined ? [] : [serverContestant(server, loader, seconds)]
  })
}

function startFloor(size: Size, logFile: string): Promise<Server> {
  return startServer({
    name: 'floor',
    dialect: 'floor',
    size,
    command: [process.execPath, join(benchFolder, 'floor.ts')],
    folder: benchFolder,
    env: (port) => ({ PORT: String(port) }),
    readyPath: '/',
    logFile,
  })
}
