// Checkpoints keep the write-ahead log of SQLite below its maximum size.
import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sqlitePath } from '../../src/store/open-store.ts'
import { databases } from '../support/databases.ts'
import { startTestServer } from '../support/server.ts'
import { newRevenueClient } from '../support/revenue-client.ts'

test('the write-ahead log does not grow with the number of writes', async () => {
  const [sqlite] = databases
  if (sqlite === undefined) throw new Error('SQLite is always tested')
  const server = await startTestServer(sqlite, 'log')
  try {
    const revenueClient = await newRevenueClient(server)
    const log = `${sqlitePath(server.url) ?? ''}-wal`
    for (let list = 0; list < 40; list += 1) {
      const rows = Array.from({ length: 1000 }, (_, index) => ({
        Dato: `2024-01-${String(1 + (list % 28)).padStart(2, '0')}`,
        AvdelingID: `${index}`,
        Omsetning: list,
        Merknad: 'x'.repeat(200),
      }))
      expect((await revenueClient.saveList(rows)).status).toBe(200)
    }
    const pageBytes = 4120
    expect(statSync(log).size).toBeGreaterThan(1000 * pageBytes)
    expect(statSync(log).size).toBeLessThan(2000 * pageBytes)
  } finally {
    await server.close()
  }
})
