// A database with one company and an API key, for several server processes.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { openTerminal } from '../cli/terminal.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { startServer, type ServerProcess } from './server-process.ts'
import { makeDataFolder } from '../support/data-folder.ts'

export interface ServerCluster {
  readonly url: string
  readonly dataDir: string
  /** The API key of its company. */
  readonly key: string
  readonly environment: Readonly<Record<string, string>>
  /**
   * Starts a server process; `injectedBug` names a file of tests/sim/injected-bugs, `more` are
   * further settings.
   */
  start(injectedBug?: string, settings?: Readonly<Record<string, string>>): Promise<ServerProcess>
  /** Kills every server of it that still runs. */
  killAll(): Promise<void>
  /** Kills them too, and drops the database. */
  destroy(): Promise<void>
}

export const companyName = 'KASSE'

/** A cluster for each test of a suite, which is destroyed after it. Before the first test its members are missing. */
export function useServerCluster(...args: Parameters<typeof startServerCluster>): ServerCluster {
  const cluster = {} as ServerCluster
  beforeEach(async () => {
    Object.assign(cluster, await startServerCluster(...args))
    return () => cluster.destroy()
  })
  return cluster
}

export async function startServerCluster(
  { make }: Pick<DatabaseKind, 'make'>,
  name: string,
  /** Further flags of `key add`. */
  ...keyFlags: readonly string[]
): Promise<ServerCluster> {
  const { url, drop } = await make(name)
  const folder = makeDataFolder('sim')
  const dataDir = join(folder, 'data')
  const environment = {
    DAGSVERK_DATABASE_URL: url,
    DAGSVERK_DATA_DIR: dataDir,
    DAGSVERK_MASTER_KEY: randomBytes(32).toString('base64'),
    DAGSVERK_PORT: '0',
    DAGSVERK_RATE_LIMIT: 'off',
    DAGSVERK_LOG_LEVEL: 'silent',
  }
  const terminal = openTerminal(environment)
  await terminal.json('company', 'add', companyName)
  const { key } = await terminal.json('key', 'add', companyName, '--expires', 'never', ...keyFlags)
  terminal.close()
  const running = new Set<ServerProcess>()
  const killAll = async () => {
    await Promise.all([...running].map((server) => server.kill()))
  }
  return {
    url,
    dataDir,
    key,
    environment,
    start: async (injectedBug, settings = {}) => {
      const server = await startServer({ ...environment, ...settings }, injectedBug)
      running.add(server)
      void server.ended.then(() => running.delete(server))
      return server
    },
    killAll,
    destroy: async () => {
      await killAll()
      await drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
