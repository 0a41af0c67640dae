// PostgreSQL with synchronous standbys: the primary is killed under load, or all standbys are lost.
// DAGSVERK_TEST_FAILOVERS=50 sets the number of failovers.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client as Connection } from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { formatDay } from '../../src/lib/calendar.ts'
import { migrateDatabase } from '../../src/store/open-store.ts'
import { openTerminal } from '../cli/terminal.ts'
import { openSimClient, type SimClient } from '../sim/client.ts'
import {
  canStartPostgres,
  startPostgres,
  startPostgresGroup,
  type PostgresGroup,
  type PostgresServer,
} from '../sim/postgres-cluster.ts'
import { startServerCluster, type ServerCluster } from '../sim/server-cluster.ts'
import { startCommand, type ServerProcess } from '../sim/server-process.ts'
import { expectError } from '../support/replies.ts'
import { seededRandom } from '../support/random.ts'
import { HandOffClients } from './hand-off-clients.ts'
import { DayWrites } from './writes.ts'

const failovers = Number(process.env['DAGSVERK_TEST_FAILOVERS'] ?? 1)

let cluster: ServerCluster
let server: ServerProcess
let client: SimClient

async function startServers(url: string): Promise<void> {
  await migrateDatabase(url)
  const make = async () => ({ url, drop: async () => undefined })
  cluster = await startServerCluster({ make }, 'failover', '--scopes', 'revenue:*,material:*,export:*')
  client = openSimClient(cluster.key, () => server.address)
}

async function stopServers(): Promise<void> {
  await cluster.destroy()
}

describe.runIf(canStartPostgres)('a primary with two synchronous standbys', () => {
  let group: PostgresGroup
  beforeEach(async () => {
    group = await startPostgresGroup()
    await startServers(group.url)
  }, 120_000)
  afterEach(async () => {
    await stopServers()
    await group.remove()
  })

  test(
    'is killed under load: nothing acknowledged is lost, no line is exported twice, and the server finds the promoted standby',
    async () => {
      const random = seededRandom()
      server = await cluster.start()
      expect((await client.call('GET', '/readyz')).json).toEqual({ status: 'ready', degraded: [] })
      const clients = new HandOffClients(client, random)
      const days: DayWrites[] = []
      for (let failover = 0; failover < failovers; failover++) {
        const day = new DayWrites(formatDay(failover), client, random)
        days.push(day)
        let isOver = false
        const work = [day.writeUntil(() => isOver), clients.runUntil(() => isOver)]
        await sleep(300 + random.below(500))
        const killedAt = performance.now()
        await group.failOver()
        const promotedAt = performance.now()
        await untilWritten(`f${failover}`)
        const servedAt = performance.now()
        isOver = true
        await Promise.all(work)
        const ms = [promotedAt - killedAt, servedAt - killedAt].map(Math.round)
        process.stderr.write(`promoted ${ms[0]} ms, written ${ms[1]} ms after the kill\n`)
        expect(unexpectedErrors(day)).toEqual([])
        await day.repeatUnknown()

        // The replaced primary comes first in the URL, and accepts connections.
        group.startReplacedPrimary()
        const other = await cluster.start()
        const otherClient = openSimClient(cluster.key, () => other.address)
        const read = { $filter: `Dato eq ${day.date}`, $orderby: 'Id' }
        expect(await otherClient.read('/omsetning/OmsetningLogg', read)).toEqual(
          await client.read('/omsetning/OmsetningLogg', read),
        )
        expect((await other.stop()).exitCode).toBe(0)
        await group.rejoin()
      }
      for (const day of days) expect(await day.violations()).toEqual([])
      await clients.exportRemaining()
      expect(clients.booked.size).toBeGreaterThan(0)
      expect(await clients.violations()).toEqual([])
      expect((await server.stop()).exitCode).toBe(0)
    },
    120_000 + failovers * 60_000,
  )

  test('a server does not start on a standby; a backup is made of one', async () => {
    const [, standby = ''] = group.urls
    const onStandby = { ...cluster.environment, DAGSVERK_DATABASE_URL: standby }
    const starting = startCommand(['serve'], { ...onStandby, DAGSVERK_DATABASE_WAIT_SECONDS: '0' })
    const { exitCode, stderr } = await starting.ended
    expect(stderr).toMatch(/cannot be opened: 127\.0\.0\.1:\d+ is a standby or read-only\n/)
    expect(exitCode).toBe(70)
    const terminal = openTerminal(onStandby)
    const file = join(terminal.folder, 'standby.backup')
    const backup = await terminal.run('backup', file)
    expect(backup.stderr).toContain('not recorded in the database')
    expect(backup.exitCode).toBe(0)
    expect((await terminal.run('backup', '--verify', file)).exitCode).toBe(0)
    terminal.close()
  }, 60_000)

  /** The first write that succeeds. */
  async function untilWritten(department: string): Promise<void> {
    const json = [{ Dato: '2020-01-01', AvdelingID: department, Omsetning: 1 }]
    const path = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'
    while ((await client.call('POST', path, { json })).effect !== 'ok') await sleep(20)
  }
})

test.runIf(canStartPostgres)(
  'exports that a failover to an asynchronous standby has lost are not repeated by the server that runs meanwhile',
  async () => {
    const group = await startPostgresGroup({ synchronous: false })
    onTestFinished(() => group.remove())
    await startServers(group.url)
    onTestFinished(stopServers)
    server = await cluster.start(undefined, { DAGSVERK_EXPORT_JOURNAL: join(cluster.dataDir, 'journal') })
    expect((await client.call('GET', '/readyz')).json).toEqual({ status: 'ready', degraded: ['durability-async'] })
    const post = async (path: string, json: unknown) => {
      const reply = await client.call('POST', `/prosjekt/${path}`, { json })
      expect([reply.status, reply.text]).toEqual([200, reply.text])
      return reply.json
    }
    const acknowledge = async (...ids: number[]) =>
      (await post('Transaksjonseksport/Eksportert', { ids })).resultater.map(({ code }: { code: string }) => code)
    const rows = Array.from({ length: 4 }, () => ({ Dato: '2025-06-02', VareId: 'A1', Antall: 1 }))
    await post('Transaksjon/Batch', rows)
    await post('Transaksjon/Godkjenn', { ids: [1, 2, 3, 4] })
    expect(await acknowledge(1)).toEqual(['exported'])
    await group.stopStandbys()
    expect(await acknowledge(2, 3)).toEqual(['exported', 'exported'])
    await post('TransaksjonsEksport/Angre', { ids: [3], grunn: 'feil' })
    await group.failOver()
    const listed = async () => {
      const { status, json } = await client.call('GET', '/prosjekt/TransaksjonsEksport')
      return status === 200 ? json.value.map(({ Id }: { Id: number }) => Id) : status
    }
    let replies = [await listed()]
    while (replies.at(-1) === 503) replies = [...replies, await listed()]
    expect(replies.filter((reply) => reply !== 503)).toEqual([[3, 4]])
    expect(await acknowledge(1, 2, 3, 4)).toEqual(['already_exported', 'already_exported', 'exported', 'exported'])
    const { stderr, exitCode } = await server.stop()
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Replayed 3 exports')])
  },
  120_000,
)

describe.runIf(canStartPostgres)('a PostgreSQL server', { timeout: 60_000 }, () => {
  let postgres: PostgresServer
  beforeEach(async () => {
    postgres = await startPostgres()
    await startServers(postgres.url)
  }, 60_000)
  afterEach(async () => {
    await stopServers()
    await postgres.remove()
  })

  test('without its synchronous standbys lets no commit wait without end: its outcome is unknown, its connection is freed', async () => {
    server = await cluster.start('short-commit')
    await admin("alter system set synchronous_standby_names = 'ANY 1 (a, b)'")
    await admin('select pg_reload_conf()')
    // The setting applies a moment after the command.
    const before = new DayWrites(formatDay(2), client, seededRandom())
    await before.writeUntil(({ status }) => status === 503)
    const day = new DayWrites(formatDay(0), client, seededRandom())
    await day.writeUntil(() => day.writes.length > 20, 8)
    // The stored reply of an idempotent write would acknowledge it.
    await day.repeatUnknown()
    for (const { reply } of day.writes) expectError(reply, 503, 'DatabaseUnavailable', { outcome: 'unknown' })
    expect((await client.call('GET', '/readyz')).status).toBe(200)
    const waiting = "select from pg_stat_activity where wait_event = 'SyncRep'"
    while ((await admin(waiting)) > 0) await sleep(20)
    expect(await durability()).toMatchObject({ verdict: 'wrong', message: expect.stringContaining('commits wait') })
    await admin('alter system reset synchronous_standby_names')
    await admin('select pg_reload_conf()')
    const meanwhile = new DayWrites(formatDay(3), client, seededRandom())
    await meanwhile.writeUntil(({ effect }) => effect === 'ok')
    const after = new DayWrites(formatDay(1), client, seededRandom())
    await after.writeUntil(() => true)
    expect(after.writes.filter(({ reply }) => reply.effect !== 'ok')).toEqual([])
    await day.repeatUnknown()
    expect(await day.violations()).toEqual([])
  })

  test('that becomes read-only rejects writes as not applied, and is not ready until it is writable again', async () => {
    server = await cluster.start()
    const day = new DayWrites(formatDay(0), client, seededRandom())
    await day.writeUntil(() => true)
    await admin('alter system set default_transaction_read_only = on')
    await admin('select pg_reload_conf()')
    while ((await client.call('GET', '/readyz')).status === 200) await sleep(20)
    const rejected = new DayWrites(formatDay(1), client, seededRandom())
    await rejected.writeUntil(() => true)
    for (const { reply } of rejected.writes) expectError(reply, 503, 'DatabaseUnavailable', { outcome: 'not_applied' })
    await admin('alter system reset default_transaction_read_only')
    await admin('select pg_reload_conf()')
    while ((await client.call('GET', '/readyz')).status !== 200) await sleep(20)
    const after = new DayWrites(formatDay(2), client, seededRandom())
    await after.writeUntil(() => true)
    expect(unexpectedErrors(after)).toEqual([])
    for (const one of [day, rejected, after]) expect(await one.violations()).toEqual([])
  })

  /** The number of rows. */
  async function admin(statement: string): Promise<number> {
    const connection = new Connection({ connectionString: postgres.url })
    await connection.connect()
    const { rowCount } = await connection.query(statement)
    await connection.end()
    return rowCount ?? 0
  }

  async function durability(): Promise<unknown> {
    const terminal = openTerminal(cluster.environment)
    const { stdout } = await terminal.run('doctor', '--json')
    terminal.close()
    const findings: { check: string }[] = JSON.parse(stdout)
    return findings.find(({ check }) => check === 'durability')
  }
})

function unexpectedErrors({ writes }: DayWrites): string[] {
  return writes
    .filter(({ reply }) => reply.effect !== 'ok' && reply.json?.error.code !== 'DatabaseUnavailable')
    .map(({ reply }) => `${reply.status} ${reply.text}`)
}
