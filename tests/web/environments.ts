// TestEnvironment: the sandbox on each database that is available.
import { browserDatabases } from '../support/databases.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startSandbox, type RunningSandbox } from '../support/sandbox.ts'

export interface TestEnvironment {
  readonly name: string
  readonly start: () => Promise<Omit<RunningSandbox, 'stop'> & { stop: () => Promise<void> }>
}

export const testEnvironments: readonly TestEnvironment[] = browserDatabases.map(({ name }) => ({
  name,
  start: async () => {
    const database = name === 'PostgreSQL' ? await createTestDatabase('web') : null
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
