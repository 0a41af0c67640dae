// TestEnvironment: the sandbox on each database that is available.
import { browserDatabases } from '../support/databases.ts'
import { databaseFor } from '../support/postgres.ts'
import { startSandbox, type RunningSandbox } from '../support/sandbox.ts'

export interface World {
  readonly name: string
  readonly start: () => Promise<Omit<RunningSandbox, 'stop'> & { stop: () => Promise<void> }>
}

export const worlds: readonly World[] = browserDatabases.map(({ name }) => ({
  name,
  start: async () => {
    const database = name === 'PostgreSQL' ? await databaseFor('web') : null
    const sandbox = await startSandbox(database === null ? [] : ['--sandbox-store', database.url])
    return {
      ...sandbox,
      stop: async () => {
        await sandbox.stop()
        await database?.drop()
      },
    }
  },
}))
