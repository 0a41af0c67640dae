// Kills the server during registration, approval and export: the receiver, which ignores known keys, has every
// line once. DAGSVERK_TEST_KILLS=1000 sets the number of kills per database.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { openSimClient } from '../sim/client.ts'
import { seededRandom } from '../support/random.ts'
import { useServerCluster } from '../sim/server-cluster.ts'
import { HandOffClients } from './hand-off-clients.ts'

const kills = Number(process.env['DAGSVERK_TEST_KILLS'] ?? 5)

describe.each(databases)('material on $name, while the server is killed', (database) => {
  const cluster = useServerCluster(database, 'kill-material', '--scopes', 'material:*')

  test(
    'every line is handed off once, and nothing approved is lost',
    async () => {
      let address = ''
      const client = openSimClient(cluster.key, () => address)
      const random = seededRandom()
      const clients = new HandOffClients(client, random)
      for (let kill = 0; kill < kills; kill++) {
        const server = await cluster.start()
        address = server.address
        const work = clients.runUntil(({ status }) => status === 0)
        await sleep(50 + random.below(300))
        await server.kill()
        await work
      }
      const server = await cluster.start()
      address = server.address
      await clients.exportRemaining()
      process.stderr.write(`${clients.booked.size} lines booked over ${kills} kills\n`)
      expect(clients.booked.size).toBeGreaterThan(0)
      expect(await clients.violations()).toEqual([])
    },
    60_000 + kills * 8000,
  )
})
