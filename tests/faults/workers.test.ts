// Several processes on one port: one may crash under load, and all stop together, without lost requests.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { formatDay } from '../../src/lib/calendar.ts'
import { databases } from '../support/databases.ts'
import { openSimClient, type SimClient } from '../sim/client.ts'
import { seededRandom } from '../support/random.ts'
import { useServerCluster } from '../sim/server-cluster.ts'
import { freePort } from '../support/ports.ts'
import { findChildren, startCommand, waitForOutput, type ServerProcess } from '../sim/server-process.ts'
import { DayWrites } from './writes.ts'

const kills = Number(process.env['DAGSVERK_TEST_KILLS'] ?? 3)
const writers = 16

describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))(
  'workers on $name',
  { timeout: 180_000 },
  (database) => {
    const cluster = useServerCluster(database, 'workers')
    let client: SimClient
    let server: ServerProcess
    beforeEach(() => {
      client = openSimClient(cluster.key, () => server.address)
    })

    test(
      'a worker killed under load fails its own requests only, and is replaced',
      async () => {
        const random = seededRandom()
        server = await cluster.start(undefined, { DAGSVERK_WORKERS: '3' })
        expect(server.stderr()).toContain('with 3 workers')
        for (let kill = 1; kill <= kills; kill++) {
          const day = new DayWrites(formatDay(kill), client, random)
          await writeThrough(day, async () => {
            await day.untilAnswered()
            await sleep(random.below(200))
            const serving = findChildren(server.pid)
            expect(serving).toHaveLength(3)
            process.kill(serving[random.below(3)] ?? 0, 'SIGKILL')
            await sleep(200)
          })
          await waitForOutput(server, workerServes, kill)
          expect(unanswered(day).length).toBeLessThanOrEqual(writers)
          await day.repeatUnknown()
          expect(await day.violations()).toEqual([])
        }
        const startedWorkers = server.stderr().match(/worker \d+ exited with SIGKILL; restarting it/g)
        expect(startedWorkers).toHaveLength(kills)
        expect((await server.stop()).exitCode).toBe(0)
      },
      180_000 + kills * 10_000,
    )

    test('when all are killed at once, callers wait for the replacements, and none is rejected', async () => {
      const random = seededRandom()
      server = await cluster.start(undefined, { DAGSVERK_WORKERS: '3' })
      const { address } = server
      const day = new DayWrites(formatDay(0), client, random)
      let answered = 0
      await writeThrough(day, async () => {
        await day.untilAnswered()
        for (const worker of findChildren(server.pid)) process.kill(worker, 'SIGKILL')
        answered = day.writes.length
        await waitForOutput(server, workerServes, 3)
        await expect.poll(() => day.writes.length).toBeGreaterThan(answered + writers)
      })
      expect(unanswered(day).filter((text) => text.includes('ECONNREFUSED'))).toEqual([])
      expect(unanswered(day).length).toBeLessThanOrEqual(writers)
      expect(server.address).toBe(address)
      await day.repeatUnknown()
      expect(await day.violations()).toEqual([])
      expect((await server.stop()).exitCode).toBe(0)
      expect((await client.call('GET', '/livez')).text).toContain('ECONNREFUSED')
    })

    test('all workers answer their accepted requests when they are stopped under load', async () => {
      const random = seededRandom()
      server = await cluster.start(undefined, { DAGSVERK_WORKERS: '2' })
      const day = new DayWrites(formatDay(0), client, random)
      const writing = day.writeUntil(({ status }) => status === 0, writers)
      await day.untilAnswered()
      const children = findChildren(server.pid)
      expect(children).toHaveLength(2)
      expect((await server.stop()).exitCode).toBe(0)
      await writing
      expect(children.filter(isAlive)).toEqual([])
      server = await cluster.start()
      const $filter = `Dato eq ${day.date}`
      const journal = await client.read('/omsetning/OmsetningLogg', { $filter })
      const stored = new Set(journal.map(({ ForesporselId }) => ForesporselId))
      const unanswered = day.writes.filter(({ reply }) => reply.effect === 'unknown')
      expect(unanswered.filter(({ id }) => stored.has(id))).toEqual([])
      expect(await day.violations()).toEqual([])
      await server.stop()
    })

    test('their metrics are summed, without company or secret', async () => {
      const port = await freePort()
      const more = { DAGSVERK_WORKERS: '2', DAGSVERK_METRICS_PORT: String(port) }
      server = await cluster.start(undefined, more)
      const calls = Array.from({ length: 40 }, (_, index) => `/dev/Omsetning/Finn?$top=${index}`)
      await Promise.all(calls.map((path) => client.call('GET', path)))
      let text = ''
      // A worker counts a reply when it is sent, which the caller may see first.
      const counted = async () => {
        text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
        const [, count] = /^dagsverk_http_request_duration_seconds_count\{.*Finn.*\} (\d+)$/m.exec(text) ?? []
        return Number(count)
      }
      await expect.poll(counted).toBe(40)
      expect(text).not.toContain(cluster.key)
      expect((await server.stop()).exitCode).toBe(0)
    })

    test('each has an equal share of the rate limit', async () => {
      server = await cluster.start(undefined, { DAGSVERK_WORKERS: '4', DAGSVERK_RATE_LIMIT: '6000' })
      const { headers } = await client.call('GET', '/dev/Omsetning/Finn?$top=0')
      expect(headers['ratelimit-policy']).toBe('"default";q=1500;w=60')
      expect((await server.stop()).exitCode).toBe(0)
    })

    test('an invalid configuration stops all of them', async () => {
      const taken = createServer()
      await new Promise<void>((resolve) => {
        taken.listen(0, '127.0.0.1', resolve)
      })
      const { port } = taken.address() as AddressInfo
      const starting = cluster.start(undefined, { DAGSVERK_WORKERS: '2', DAGSVERK_PORT: String(port) })
      await expect(starting).rejects.toThrow(/Port \d+ of 127.0.0.1 is in use/)
      const elsewhere = cluster.start(undefined, {
        DAGSVERK_WORKERS: '2',
        DAGSVERK_HOST: '192.0.2.1',
        DAGSVERK_PUBLIC_URL: 'https://tall.example.no',
      })
      await expect(elsewhere).rejects.toThrow('192.0.2.1 is not an address of this machine')
      taken.close()
    })

    test('an error that only workers meet stops all of them, with their message and exit code', async () => {
      const isNoFolder = join(cluster.dataDir, 'a-file')
      mkdirSync(cluster.dataDir, { recursive: true })
      writeFileSync(isNoFolder, '')
      const { stderr, exitCode } = await startCommand(['serve'], {
        ...cluster.environment,
        DAGSVERK_WORKERS: '2',
        DAGSVERK_EXPORT_JOURNAL: isNoFolder,
      }).ended
      expect(stderr).toContain('EEXIST')
      expect(stderr).toContain('No worker could start; see their messages above.')
      expect(exitCode).toBe(1)
    })
  },
)

const workerServes = /^worker \d+ serves$/gm

/** Writes while it happens, and until each writer has its reply. */
async function writeThrough(day: DayWrites, happening: () => Promise<void>): Promise<void> {
  const done = new AbortController()
  const writing = day.writeUntil(() => done.signal.aborted, writers)
  await happening()
  done.abort()
  await writing
}

/** The errors of calls that got no reply. */
function unanswered(day: DayWrites): string[] {
  return day.writes.filter(({ reply }) => reply.status === 0).map(({ reply }) => reply.text)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
