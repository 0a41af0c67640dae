// Commands work beside a server under load, on one SQLite file and on PostgreSQL, and neither fails the other.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayText } from '#lib/calendar.ts'
import { databases } from '../_support/databases.ts'
import { openClient } from '../sim/client.ts'
import { seededDice } from '../sim/dice.ts'
import { companyName, prepareGround, type Ground } from '../sim/ground.ts'
import { startCommand } from '../sim/server-process.ts'
import { Day } from './writes.ts'

const rounds = Number(process.env['DAGSVERK_TEST_COMMANDS'] ?? 4)

describe.each(databases)('two commands at a time beside a server on $name', (database) => {
  let ground: Ground
  beforeEach(async () => {
    ground = await prepareGround(database, 'beside')
  })
  afterEach(() => ground.clear())

  test(
    'all succeed, and no caller is told that the database is busy',
    async () => {
      const server = await ground.start()
      const client = openClient(ground.key, () => server.address)
      const day = new Day(dayText(0), client, seededDice())
      const done = new AbortController()
      const writing = day.writeUntil(() => done.signal.aborted)
      const command = async (...args: string[]) => {
        const { exitCode, told } = await startCommand(args, ground.environment).ended
        expect(exitCode, told).toBe(0)
      }
      await Promise.all([
        repeat((round) => command('company', 'add', `NY ${round}`)),
        repeat((round) => command('key', 'add', companyName, '--name', `kasse ${round}`)),
      ])
      done.abort()
      await writing
      expect(day.writes.filter(({ answer }) => answer.effect !== 'ok')).toEqual([])
      expect(await day.violations()).toEqual([])
      client.close()
      expect((await server.stop()).exitCode).toBe(0)
    },
    60_000 + rounds * 5000,
  )
})

const repeat = async (work: (round: number) => Promise<void>): Promise<void> => {
  for (let round = 0; round < rounds; round++) await work(round)
}
