// The databases under test: SQLite always, PostgreSQL when `npm test` found a server.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { createTestDatabase, postgresServer } from './postgres.ts'
import { migrateDatabase } from '../../src/store/open-store.ts'
import { makeDataFolder } from './data-folder.ts'

export interface DatabaseKind {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Creates an empty migrated database. */
  readonly make: (name: string) => Promise<{ url: string; drop: () => Promise<void> }>
}

export const sqlite: DatabaseKind = {
  name: 'SQLite',
  make: async () => {
    const folder = makeDataFolder('sqlite')
    const url = `sqlite:${join(folder, 'dagsverk.db')}`
    await migrateDatabase(url)
    // A killed server may still use a file when its folder is deleted.
    const drop = async () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    return { url, drop }
  },
}

const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  make: (name) =>
    createTestDatabase(name, async (url) => {
      await migrateDatabase(url)
    }),
}

export const databases: readonly DatabaseKind[] = postgresServer === undefined ? [sqlite] : [sqlite, postgres]

/** The databases of tests in a browser: both in `npm run check`, SQLite in `npm test`. */
export const browserDatabases: readonly DatabaseKind[] =
  process.env['DAGSVERK_TEST_SCOPE'] === 'standard' ? [sqlite] : databases

/** An empty migrated database for each test of a suite, which is dropped after it; before the first test it has no URL. */
export function useDatabase({ make }: DatabaseKind, name: string): { readonly url: string } {
  const database = { url: '' }
  beforeEach(async () => {
    const { url, drop } = await make(name)
    database.url = url
    return drop
  })
  return database
}
