// ADR 0011: a reader that polls by SistEndretDato misses nothing during concurrent writes on several servers.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { openSimClient, type SimClient } from './client.ts'
import { seededRandom, type SeededRandom } from '../support/random.ts'
import { useServerCluster, type ServerCluster } from './server-cluster.ts'

const writes = Number(process.env['DAGSVERK_TEST_CHANGES'] ?? 1500)
const writers = 12

describe.each(databases)('an incremental reader on $name', (database) => {
  const servers = database.name === 'PostgreSQL' ? 2 : 1
  const cluster = useServerCluster(database, 'incremental')

  test(
    'has every record as it is stored, when the writers are done',
    async () => {
      const bugs = Array.from({ length: servers }, () => undefined)
      const { copied, stored } = await follow(cluster, bugs, writes)
      expect(copied).toEqual(stored)
    },
    60_000 + writes * 20,
  )

  if (servers > 1)
    test('the test detects a server that takes timestamps from its own clock', async () => {
      const { copied, stored } = await follow(cluster, [undefined, 'own-clock'], 600)
      expect(copied).not.toEqual(stored)
    })
})

/**
 * What a reader collected from changes alone, and what is stored; with one server per injected bug.
 */
async function follow(cluster: ServerCluster, bugs: readonly (string | undefined)[], count: number) {
  const random = seededRandom()
  const running = await Promise.all(bugs.map((bug) => cluster.start(bug)))
  const clients = running.map(({ address }) => openSimClient(cluster.key, () => address))
  const copied = new Map<number, number>()
  let left = count
  const writing = Promise.all(
    Array.from({ length: writers }, async () => {
      for (; left > 0; left--) await write(random.pick(clients), random)
    }),
  )
  const done = new AbortController()
  void writing.finally(() => done.abort())
  let last = '1900-01-01T00:00:00Z'
  const readChanges = async () => {
    const changed = await random
      .pick(clients)
      .read('/dev/Omsetning/Finn', {
        $filter: `SistEndretDato gt ${last}`,
        $orderby: 'SistEndretDato',
        $select: 'InntektsPlanId,Omsetning,SistEndretDato',
      })
    for (const { InntektsPlanId, Omsetning } of changed) copied.set(InntektsPlanId, Omsetning)
    last = changed.at(-1)?.SistEndretDato ?? last
  }
  while (!done.signal.aborted) await readChanges()
  await writing
  await readChanges()
  const records = await random.pick(clients).read('/dev/Omsetning/Finn')
  return { copied, stored: new Map(records.map((one) => [one.InntektsPlanId, one.Omsetning])) }
}

/** One record or several, new or changed. */
async function write(client: SimClient, random: SeededRandom): Promise<void> {
  const rows = Array.from({ length: 1 + random.below(4) }, () => ({
    Dato: '2024-05-01',
    AvdelingID: `D${random.below(200)}`,
    Omsetning: random.below(1_000_000) / 100,
  }))
  const path = random.pick([
    '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato',
    '/dev/Omsetning/AggsertOmsetning',
    '/dev/Omsetning/LagreEllerOppdaterListe',
  ])
  await client.call('POST', path, { json: rows })
}
