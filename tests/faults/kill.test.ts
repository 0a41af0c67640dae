// Kills the server during writes, again and again: every acknowledged write is stored once and whole.
// DAGSVERK_TEST_KILLS=1000 sets the number of kills per database.
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { formatDay } from '../../src/lib/calendar.ts'
import { sqlitePath } from '../../src/store/open-store.ts'
import { databases } from '../support/databases.ts'
import { openSimClient } from '../sim/client.ts'
import { seededRandom, type SeededRandom } from '../support/random.ts'
import { useServerCluster, type ServerCluster } from '../sim/server-cluster.ts'
import { startCommand } from '../sim/server-process.ts'
import { DayWrites } from './writes.ts'

const requestedKills = process.env['DAGSVERK_TEST_KILLS']
const kills = { SQLite: Number(requestedKills ?? 20), PostgreSQL: Number(requestedKills ?? 10) }
const secondsPerKill = 6

describe.each(databases)('a server on $name that is killed while 16 clients write', (database) => {
  const cluster = useServerCluster(database, 'kill')

  test(
    'has every acknowledged write once, no partial list, and a log that matches its records',
    async () => {
      expect(await killRepeatedly(cluster, kills[database.name], seededRandom())).toEqual([])
      expect(integrityOf(cluster.url)).toEqual('ok')
    },
    60_000 + kills[database.name] * secondsPerKill * 1000,
  )

  test('the test detects a server that replies before it commits', async () => {
    const found = await killRepeatedly(cluster, 4, seededRandom(), 'hasty-answers')
    expect(found).toContainEqual(expect.stringMatching(/lost|revenue log|expected/))
  })
})

/**
 * The problems found: after each kill with the writes of that date, and finally with all of them.
 */
async function killRepeatedly(
  cluster: ServerCluster,
  times: number,
  random: SeededRandom,
  injectedBug?: string,
): Promise<string[]> {
  let address = ''
  const client = openSimClient(cluster.key, () => address)
  const days: DayWrites[] = []
  const violations: string[] = []
  for (let kill = 0; kill <= times; kill++) {
    if (random.below(8) === 0) await killWhileStarting(cluster, random)
    const server = await cluster.start(injectedBug)
    address = server.address
    const last = days.at(-1)
    await last?.repeatUnknown()
    violations.push(...((await last?.violations()) ?? []))
    if (kill === times) break
    const day = new DayWrites(formatDay(kill), client, random)
    days.push(day)
    const writing = day.writeUntil(({ status }) => status === 0)
    await day.untilAnswered()
    await sleep(random.below(250))
    await server.kill()
    await writing
  }
  for (const day of days) violations.push(...(await day.violations()))
  const acknowledged = days.flatMap(({ writes }) => writes).filter((one) => one.reply.effect === 'ok')
  process.stderr.write(`${acknowledged.length} writes acknowledged over ${times} kills\n`)
  return violations
}

async function killWhileStarting(cluster: ServerCluster, random: SeededRandom): Promise<void> {
  const starting = startCommand(['serve'], cluster.environment)
  await sleep(random.below(500))
  await starting.kill()
}

function integrityOf(url: string): unknown {
  const path = sqlitePath(url)
  if (path === null) return 'ok'
  const database = new Database(path, { readonly: true })
  const found = database.pragma('integrity_check', { simple: true })
  database.close()
  return found
}
