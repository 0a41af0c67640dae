// Several processes on one port: one may crash under load, and all stop together, without lost requests.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayText } from '../../src/lib/calendar.ts'
import { databases } from '../support/databases.ts'
import { openClient, type Client } from '../sim/client.ts'
import { seededDice } from '../support/random.ts'
import { prepareGround, type Ground } from '../sim/server-cluster.ts'
import { freePort } from '../sim/postgres-cluster.ts'
import { childrenOf, startCommand, untilTold, type ServerProcess } from '../sim/server-process.ts'
import { Day } from './writes.ts'

const kills = Number(process.env['DAGSVERK_TEST_KILLS'] ?? 3)
const writers = 16

describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))(
  'workers on $name',
  { timeout: 180_000 },
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
      'a worker killed under load fails its own requests only, and is replaced',
      async () => {
        const dice = seededDice()
        server = await ground.start(undefined, { DAGSVERK_WORKERS: '3' })
        expect(server.told()).toContain('with 3 workers')
        for (let kill = 1; kill <= kills; kill++) {
          const day = new Day(dayText(kill), client, dice)
          await writeThrough(day, async () => {
            await sleep(100 + dice.below(200))
            const serving = childrenOf(server.pid)
            expect(serving).toHaveLength(3)
            process.kill(serving[dice.below(3)] ?? 0, 'SIGKILL')
            await sleep(200)
          })
          await untilTold(server, workerServes, kill)
          expect(unanswered(day).length).toBeLessThanOrEqual(writers)
          await day.repeatUnknown()
          expect(await day.violations()).toEqual([])
        }
        const places = server
          .told()
          .match(/worker \d+ ended with SIGKILL; another takes its place/g)
        expect(places).toHaveLength(kills)
        expect((await server.stop()).exitCode).toBe(0)
      },
      180_000 + kills * 10_000,
    )

    test('when all are killed at once, callers wait for the replacements, and none is rejected', async () => {
      const dice = seededDice()
      server = await ground.start(undefined, { DAGSVERK_WORKERS: '3' })
      const { address } = server
      const day = new Day(dayText(0), client, dice)
      let answered = 0
      await writeThrough(day, async () => {
        await sleep(200)
        for (const worker of childrenOf(server.pid)) process.kill(worker, 'SIGKILL')
        answered = day.writes.length
        await untilTold(server, workerServes, 3)
        await sleep(200)
      })
      expect(unanswered(day).filter((text) => text.includes('ECONNREFUSED'))).toEqual([])
      expect(unanswered(day).length).toBeLessThanOrEqual(writers)
      expect(day.writes.length).toBeGreaterThan(answered + writers)
      expect(server.address).toBe(address)
      await day.repeatUnknown()
      expect(await day.violations()).toEqual([])
      expect((await server.stop()).exitCode).toBe(0)
      expect((await client.call('GET', '/livez')).text).toContain('ECONNREFUSED')
    })

    test('all workers answer their accepted requests when they are stopped under load', async () => {
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

    test('their metrics are summed, without company or secret', async () => {
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

    test('an invalid configuration stops all of them', async () => {
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
      const elsewhere = ground.start(undefined, {
        DAGSVERK_WORKERS: '2',
        DAGSVERK_HOST: '192.0.2.1',
        DAGSVERK_PUBLIC_URL: 'https://tall.example.no',
      })
      await expect(elsewhere).rejects.toThrow('192.0.2.1 is no address of this machine')
      taken.close()
    })

    test('an error that only workers meet stops all of them, with their message and exit code', async () => {
      const isNoFolder = join(ground.dataDir, 'a-file')
      mkdirSync(ground.dataDir, { recursive: true })
      writeFileSync(isNoFolder, '')
      const { told, exitCode } = await startCommand(['serve'], {
        ...ground.environment,
        DAGSVERK_WORKERS: '2',
        DAGSVERK_EXPORT_JOURNAL: isNoFolder,
      }).ended
      expect(told).toContain('EEXIST')
      expect(told).toContain('No worker could start; what each of them said stands above.')
      expect(exitCode).toBe(1)
    })
  },
)

const workerServes = /^worker \d+ serves$/gm

/** Writes while it happens, and until each writer has its reply. */
async function writeThrough(day: Day, happening: () => Promise<void>): Promise<void> {
  const done = new AbortController()
  const writing = day.writeUntil(() => done.signal.aborted, writers)
  await happening()
  done.abort()
  await writing
}

/** The errors of calls that got no reply. */
function unanswered(day: Day): string[] {
  return day.writes.filter(({ answer }) => answer.status === 0).map(({ answer }) => answer.text)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function sleep(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
