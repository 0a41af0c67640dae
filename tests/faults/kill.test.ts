// Kills the server during writes, again and again: every acknowledged write is stored once and whole.
// DAGSVERK_TEST_KILLS=1000 sets the number of kills per database.
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayText } from '../../src/lib/calendar.ts'
import { sqlitePath } from '../../src/store/open-store.ts'
import { databases } from '../support/databases.ts'
import { openClient } from '../sim/client.ts'
import { seededDice, type Dice } from '../support/random.ts'
import { prepareGround, type Ground } from '../sim/server-cluster.ts'
import { startCommand } from '../sim/server-process.ts'
import { Day } from './writes.ts'

const asked = process.env['DAGSVERK_TEST_KILLS']
const kills = { SQLite: Number(asked ?? 20), PostgreSQL: Number(asked ?? 10) }
const secondsPerKill = 6

describe.each(databases)('a server on $name that is killed while 16 clients write', (database) => {
  let ground: Ground
  beforeEach(async () => {
    ground = await prepareGround(database, 'kill')
  })
  afterEach(() => ground.clear())

  test(
    'has every acknowledged write once, no partial list, and a log that matches its records',
    async () => {
      expect(await killRepeatedly(ground, kills[database.name], seededDice())).toEqual([])
      expect(integrityOf(ground.url)).toEqual('ok')
    },
    60_000 + kills[database.name] * secondsPerKill * 1000,
  )

  test('the test detects a server that replies before it commits', async () => {
    const found = await killRepeatedly(ground, 4, seededDice(), 'hasty-answers')
    expect(found).toContainEqual(expect.stringMatching(/lost|revenue log|expected/))
  })
})

/**
 * The problems found: after each kill with the writes of that date, and finally with all of them.
 */
async function killRepeatedly(
  ground: Ground,
  times: number,
  dice: Dice,
  planted?: string,
): Promise<string[]> {
  let address = ''
  const client = openClient(ground.key, () => address)
  const days: Day[] = []
  const violations: string[] = []
  for (let kill = 0; kill <= times; kill++) {
    if (dice.below(8) === 0) await killWhileStarting(ground, dice)
    const server = await ground.start(planted)
    address = server.address
    const last = days.at(-1)
    await last?.repeatUnknown()
    violations.push(...((await last?.violations()) ?? []))
    if (kill === times) break
    const day = new Day(dayText(kill), client, dice)
    days.push(day)
    const writing = day.writeUntil(({ status }) => status === 0)
    await sleep(20 + dice.below(250))
    await server.kill()
    await writing
  }
  for (const day of days) violations.push(...(await day.violations()))
  const acknowledged = days
    .flatMap(({ writes }) => writes)
    .filter((one) => one.answer.effect === 'ok')
  process.stderr.write(`${acknowledged.length} writes acknowledged over ${times} kills\n`)
  client.close()
  return violations
}

async function killWhileStarting(ground: Ground, dice: Dice): Promise<void> {
  const starting = startCommand(['serve'], ground.environment)
  await sleep(dice.below(500))
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

function sleep(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
