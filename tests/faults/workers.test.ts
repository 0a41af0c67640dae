// Several processes on one port: one may die under load, and all stop together; nobody else's requests are lost.
import { execFileSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayText } from '#lib/calendar.ts'
import { databases } from '../_support/databases.ts'
import { openClient, type Client } from '../sim/client.ts'
import { seededDice } from '../sim/dice.ts'
import { prepareGround, type Ground } from '../sim/ground.ts'
import type { ServerProcess } from '../sim/server-process.ts'
import { Day } from './writes.ts'

const kills = Number(process.env['DAGSVERK_TEST_KILLS'] ?? 3)
const writers = 16

describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))(
  'workers on $name',
  (database) => {
    let ground: Ground
    let client: Client
    let server: ServerProcess
    beforeEach(async () => {
      ground = await prepareGround(database, 'workers')
      client = openClient(ground.key, () => server.address)
    })
    afterEach(async () => {
      client.close()
      await ground.clear()
    })

    test(
      'one that is killed under load costs what it had in hand and no more, and another takes its place',
      async () => {
        const dice = seededDice()
        server = await ground.start(undefined, { DAGSVERK_WORKERS: '3' })
        expect(server.told()).toContain('with 3 workers')
        for (let kill = 0; kill < kills; kill++) {
          const day = new Day(dayText(kill), client, dice)
          const done = new AbortController()
          const writing = day.writeUntil(() => done.signal.aborted, writers)
          await sleep(100 + dice.below(200))
          const before = childrenOf(server.pid)
          const victim = before[dice.below(before.length)] ?? 0
          process.kill(victim, 'SIGKILL')
          await until(() => childrenOf(server.pid).filter((pid) => pid !== victim).length === 3)
          await sleep(200)
          done.abort()
          await writing
          const lost = day.writes.filter(({ answer }) => answer.status === 0)
          expect(lost.length).toBeLessThanOrEqual(writers)
          await day.repeatUnknown()
          expect(await day.violations()).toEqual([])
        }
        const places = server
          .told()
          .match(/worker \d+ ended with SIGKILL; another takes its place/g)
        expect(places).toHaveLength(kills)
        expect((await server.stop()).exitCode).toBe(0)
      },
      60_000 + kills * 10_000,
    )

    test('all of them answer what they accepted when they are stopped under load', async () => {
      const dice = seededDice()
      server = await ground.start(undefined, { DAGSVERK_WORKERS: '2' })
      const day = new Day(dayText(0), client, dice)
      const writing = day.writeUntil(({ status }) => status === 0, writers)
      await sleep(300)
      const children = childrenOf(server.pid)
      expect(children).toHaveLength(2)
      expect((await server.stop()).exitCode).toBe(0)
      await writing
      expect(children.filter(isAlive)).toEqual([])
      server = await ground.start()
      const $filter = `Dato eq ${day.date}`
      const journal = await client.read('/omsetning/OmsetningLogg', { $filter })
      const stored = new Set(journal.map(({ ForesporselId }) => ForesporselId))
      const unanswered = day.writes.filter(({ answer }) => answer.effect === 'unknown')
      expect(unanswered.filter(({ id }) => stored.has(id))).toEqual([])
      expect(await day.violations()).toEqual([])
      await server.stop()
    })

    test('what they count is told added together, without company or secret', async () => {
      const port = await freePort()
      const more = { DAGSVERK_WORKERS: '2', DAGSVERK_METRICS_PORT: String(port) }
      server = await ground.start(undefined, more)
      const calls = Array.from({ length: 40 }, (_, index) => `/dev/Omsetning/Finn?$top=${index}`)
      await Promise.all(calls.map((path) => client.call('GET', path)))
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const count = /^dagsverk_http_request_duration_seconds_count\{.*Finn.*\} (\d+)$/m.exec(text)
      expect(Number(count?.[1])).toBe(40)
      expect(text).not.toContain(ground.key)
      expect((await server.stop()).exitCode).toBe(0)
    })

    test('a configuration that none of them can use ends them all', async () => {
      const taken = createServer()
      await new Promise<void>((resolve) => {
        taken.listen(0, '127.0.0.1', resolve)
      })
      const { port } = taken.address() as AddressInfo
      const starting = ground.start(undefined, {
        DAGSVERK_WORKERS: '2',
        DAGSVERK_PORT: String(port),
      })
      await expect(starting).rejects.toThrow(/Port \d+ of 127.0.0.1 is in use/)
      taken.close()
    })
  },
)

/** The processes that it started. */
const childrenOf = (parent: number): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, command]) => Number(ppid) === parent && command !== 'ps')
    .map(([pid]) => Number(pid))

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await sleep(20)
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
