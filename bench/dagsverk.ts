// Dagsverk as a server under test: its start, its commands, and API keys for it.
import { builtProgram, projectFolder } from './location.ts'
import { run } from './program.ts'
import { companyName, type DatasetSize } from './rows.ts'
import { freePort, startServer, type ServerUnderTest } from './server.ts'

/** The data folder of a server, and what differs from the usual start. */
export interface Installation {
  readonly dataFolder: string
  /** None means the SQLite file in the data folder. */
  readonly databaseUrl?: string
  /** The command that replaces `dagsverk serve`. */
  readonly program?: readonly string[]
  readonly env?: Record<string, string>
  /** Whether the server counts commits and writes. */
  readonly hasMetrics?: boolean
  readonly cores?: readonly number[]
}

export interface DagsverkServer extends ServerUnderTest {
  readonly installation: Installation
}

export async function startDagsverk(
  name: string,
  installation: Installation,
  size: DatasetSize,
  logFile: string,
): Promise<DagsverkServer> {
  const { program = [...builtProgram, 'serve'], hasMetrics = false, cores } = installation
  const metricsPort = hasMetrics ? await freePort() : undefined
  const server = await startServer({
    name,
    dialect: 'dagsverk',
    size,
    command: [process.execPath, ...program],
    ...(cores === undefined ? {} : { cores }),
    folder: projectFolder,
    env: (port) => ({
      ...environmentOf(installation),
      DAGSVERK_PORT: String(port),
      ...(metricsPort === undefined ? {} : { DAGSVERK_METRICS_PORT: String(metricsPort) }),
    }),
    readyPath: '/readyz',
    logFile,
  })
  return { ...server, installation, ...(metricsPort === undefined ? {} : { metricsPort }) }
}

/** Creates an API key with these scopes; a company's password may not approve. */
export async function addApiKey(
  installation: Installation,
  company: number,
  { name, scopes }: { readonly name: string; readonly scopes: string },
): Promise<string> {
  const args = ['key', 'add', companyName(company), '--name', name, '--scopes', scopes, '--json']
  return JSON.parse(await runCommand(installation, args)).key
}

/** Runs a command of Dagsverk on this installation, and returns its output. */
export function runCommand(installation: Installation, args: readonly string[], input = ''): Promise<string> {
  return run({
    command: [process.execPath, ...builtProgram, ...args],
    folder: projectFolder,
    env: environmentOf(installation),
    input,
  })
}

function environmentOf({ dataFolder, databaseUrl, env }: Installation): Record<string, string> {
  return {
    DAGSVERK_DATA_DIR: dataFolder,
    ...(databaseUrl === undefined ? {} : { DAGSVERK_DATABASE_URL: databaseUrl, DAGSVERK_MASTER_KEY: masterKey }),
    ...env,
  }
}

/** PostgreSQL requires a master key from the environment; any key will do for measuring. */
const masterKey = Buffer.alloc(32, 'benchmark').toString('base64')
