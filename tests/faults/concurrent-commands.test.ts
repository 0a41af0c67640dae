// CLI commands and another writer beside a server under load: no lock errors, on SQLite and PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { formatDay } from '../../src/lib/calendar.ts'
import { getSetting, saveSetting } from '../../src/store/accounts/settings.ts'
import { openStore, sqlitePath } from '../../src/store/open-store.ts'
import { databases } from '../support/databases.ts'
import { openSimClient } from '../sim/client.ts'
import { seededRandom } from '../support/random.ts'
import { companyName, useServerCluster, type ServerCluster } from '../sim/server-cluster.ts'
import { startCommand } from '../sim/server-process.ts'
import { DayWrites } from './writes.ts'

const rounds = Number(process.env['DAGSVERK_TEST_COMMANDS'] ?? 4)

describe.each(databases)('beside a server on $name that 16 clients write to', (database) => {
  const cluster = useServerCluster(database, 'beside')

  const command = async (...args: string[]): Promise<void> => {
    const { exitCode, stderr } = await startCommand(args, cluster.environment).ended
    expect(exitCode, stderr).toBe(0)
  }

  test(
    'two commands at a time succeed, and no caller gets a busy error',
    async () => {
      const violations = await writeConcurrently(cluster, async () => {
        await Promise.all([
          repeat(rounds, (round) => command('company', 'add', `NY ${round}`)),
          repeat(rounds, (round) => command('key', 'add', companyName, '--name', `kasse ${round}`)),
        ])
      })
      expect(violations).toEqual([])
    },
    60_000 + rounds * 5000,
  )

  if (database.name === 'SQLite')
    test('a write that waits for another process does not block reads', async () => {
      const store = await openStore({ url: cluster.url, canCreate: false })
      const other = new Database(sqlitePath(cluster.url) ?? '')
      other.exec('begin immediate')
      const write = store.inSystemTransaction((writer) => saveSetting(writer, { name: 'tests', value: 'waited' }))
      // Were the lock awaited in this thread, the next line would run when the wait is over.
      await sleep(10)
      expect(await getSetting(store, 'tests')).toBeUndefined()
      other.exec('commit')
      await write
      expect(await getSetting(store, 'tests')).toBe('waited')
      other.close()
      await store.close()
    })

  if (database.name === 'SQLite')
    test('the test detects a server that reads before it takes the lock', async () => {
      const violations = await writeConcurrently(cluster, untilRejected, 'deferred-begin')
      expect(violations).toContainEqual(expect.stringContaining('DatabaseBusy'))
    })
})

/** The problems found while this process and another task write to the database too. */
async function writeConcurrently(
  cluster: ServerCluster,
  work: (day: DayWrites) => Promise<void>,
  injectedBug?: string,
): Promise<string[]> {
  const server = await cluster.start(injectedBug)
  const client = openSimClient(cluster.key, () => server.address)
  const day = new DayWrites(formatDay(0), client, seededRandom())
  const done = new AbortController()
  const writing = day.writeUntil(() => done.signal.aborted)
  const other = await openStore({ url: cluster.url, canCreate: false })
  const others = (async () => {
    for (let turn = 0; !done.signal.aborted; turn++) {
      await other.inSystemTransaction((writer) => saveSetting(writer, { name: 'tests', value: String(turn) }))
      await sleep(1)
    }
  })()
  await work(day).finally(() => done.abort())
  await Promise.all([writing, others])
  const refused = day.writes.filter(({ reply }) => reply.effect !== 'ok')
  const violations = [...refused.map(({ reply }) => reply.text), ...(await day.violations())]
  await other.close()
  expect((await server.stop()).exitCode).toBe(0)
  return violations
}

async function untilRejected({ writes }: DayWrites): Promise<void> {
  await expect.poll(() => writes.some(({ reply }) => reply.status >= 500)).toBe(true)
}

async function repeat(times: number, work: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < times; round++) await work(round)
}
