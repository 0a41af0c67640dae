// PostgreSQL fails in part or entirely and returns: the server stays up, reports outcomes, and recovers.
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client as Connection } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { formatDay } from '../../src/lib/calendar.ts'
import type { ApiError } from '../../src/errors/api-error.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { findCompany, listCompanies } from '../../src/store/accounts/companies.ts'
import { migrateDatabase, openStore } from '../../src/store/open-store.ts'
import { listLedgerPositions } from '../../src/store/export/journaled-entries.ts'
import { openPool } from '../../src/store/postgres/pool.ts'
import { PostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { runNamed } from '../../src/store/postgres/query.ts'
import { saveSetting } from '../../src/store/accounts/settings.ts'
import { requestTimeLimits } from '../../src/store/time-limits.ts'
import { databases } from '../support/databases.ts'
import { openTerminal } from '../cli/terminal.ts'
import { openSimClient, type SimReply, type SimClient } from '../sim/client.ts'
import { seededRandom } from '../support/random.ts'
import { startServerCluster, type ServerCluster } from '../sim/server-cluster.ts'
import { canStartPostgres, startPostgres } from '../sim/postgres-cluster.ts'
import { DayWrites, type Write } from './writes.ts'

const seconds = Number(process.env['DAGSVERK_TEST_SECONDS'] ?? 3)

let cluster: ServerCluster | undefined
let stop = async (): Promise<void> => undefined
afterEach(async () => {
  await cluster?.destroy()
  cluster = undefined
  await stop()
})

/** Errors other than an unavailable database, by their codes. */
function unexpectedReplies(writes: readonly Write[]): string[] {
  return writes
    .map(({ reply }) => reply)
    .filter((reply) => reply.effect !== 'ok' && !isAbsence(reply))
    .map(({ status, text }) => `${status} ${text}`)
}

function isAbsence({ status, text }: SimReply): boolean {
  return status === 503 && JSON.parse(text).error.code === 'DatabaseUnavailable'
}

/** Writes until the moment, and then once more per writer, which must succeed. */
async function writeThrough(day: DayWrites, disturbance: () => Promise<void>): Promise<void> {
  const done = new AbortController()
  const writing = day.writeUntil(() => done.signal.aborted)
  await disturbance()
  done.abort()
  await writing
}

describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))('on $name', (database) => {
  test(
    'connections cut at random cause some 503 replies, and nothing else',
    async () => {
      cluster = await startServerCluster(database, 'cut')
      expect(await cutConnections(cluster, seconds)).toEqual([])
    },
    60_000 + seconds * 2000,
  )

  test('doctor detects asynchronous commits', async () => {
    cluster = await startServerCluster(database, 'durable')
    const terminal = openTerminal(cluster.environment)
    const durability = async (): Promise<string> => {
      const findings: { check: string; verdict: string }[] = JSON.parse((await terminal.run('doctor', '--json')).stdout)
      return findings.find(({ check }) => check === 'durability')?.verdict ?? ''
    }
    expect(await durability()).toBe('ok')
    const name = new URL(cluster.url).pathname.slice(1)
    const admin = new Connection({ connectionString: cluster.url })
    await admin.connect()
    await admin.query(`alter database "${name}" set synchronous_commit = off`)
    await admin.end()
    expect(await durability()).toBe('wrong')
    terminal.close()
  })

  test('a commit without acknowledgement is reported as unknown; a transaction cut before it as not applied', async () => {
    cluster = await startServerCluster(database, 'commit')
    const store = await openStore({ url: cluster.url, canCreate: false })
    const knife = new Connection({ connectionString: cluster.url, application_name: 'knife' })
    await knife.connect()
    const cut = async () => void (await knife.query(cutAll))
    const outcome = (transaction: Promise<unknown>) =>
      transaction.then(
        () => 'done',
        (error: unknown) => (error as ApiError).outcome,
      )
    expect(await outcome(store.inSystemTransaction(cut))).toBe('unknown')
    expect(
      await outcome(
        store.inSystemTransaction(async (writer) => {
          await cut()
          await saveSetting(writer, { name: 'cut', value: 'x' })
        }),
      ),
    ).toBe('not_applied')
    const company = await findCompany(store, 'KASSE')
    expect(await outcome(store.inTransaction(company?.id as CompanyId, cut))).toBe('unknown')
    await store.close()
    await knife.end()
  })

  test('reads that share a statement which cannot be prepared in time can be repeated, and a later one succeeds', async () => {
    const { url, drop } = await database.make('prepare')
    await migrateDatabase(url)
    const store = await openStore({
      url,
      canCreate: false,
      timeLimits: { ...requestTimeLimits, readMs: 1000, writeMs: 1000, commitMs: 1000 },
    })
    // Opens the connection of the reads: the same time limit would apply to its own first query.
    await listCompanies(store)
    const holder = new Connection({ connectionString: url })
    await holder.connect()
    await holder.query('begin; lock table company')
    const codes = [1, 2, 3].map(async () => {
      const reading = Promise.resolve(findCompany(store, 'KASSE'))
      return reading.then(
        () => 'done',
        (error: unknown) => `${(error as ApiError).code}: ${((error as ApiError).cause as Error).message}`,
      )
    })
    const [first, second, third] = await Promise.all(codes)
    expect(first).toBe('Timeout: canceling statement due to statement timeout')
    expect(second).toMatch(/^DatabaseBusy: prepared statement "[^"]+" does not exist$/)
    expect(third).toBe(second)
    await holder.end()
    expect(await findCompany(store, 'KASSE')).toBeUndefined()
    await store.close()
    await drop()
  })

  test('values that cannot be encoded reject their query alone, and nothing of it is sent', async () => {
    const { url, drop } = await database.make('encode')
    const pool = openPool(url, { max: 1, pipeline: true })
    const client = await pool.connect()
    const run = (name: string, text: string, values: readonly string[]) =>
      runNamed(client, { name, text }, { values, preamble: null })
    // The protocol has two bytes for their number. The server would reject the text in the reply to the next query.
    const values = Array<string>(40_000).fill('x')
    await expect(run('missing', 'select * from missing', values)).rejects.toThrow('out of range')
    expect((await run('one', 'select $1::text as one', ['x'])).commandTag).toBe('SELECT 1')
    client.release()
    await pool.end()
    await drop()
  })

  test('a connection that is cut in the packet of its start rejects its query, and does not end the server', async () => {
    const { url, drop } = await database.make('start')
    // Ended in the packet that reports the first end of the start, as pg_terminate_backend can.
    const proxy = await startProxy(url, (packet) =>
      packet.subarray(-6).equals(readyForQuery) ? Buffer.concat([packet, terminated]) : packet,
    )
    const pool = openPool(proxy.url, { max: 1 })
    await expect(pool.query('select 1')).rejects.toThrow('not queryable')
    await pool.end()
    proxy.close()
    await drop()
  })

  test.each([1, 2])(
    'a primary behind a pooler that still reports it as a standby is used, of %i in the URL',
    async (count) => {
      const { url, drop } = await database.make('pooled')
      const proxy = await startProxy(url, (packet) =>
        Buffer.from(packet.toString('latin1').replace(noStandby, standby), 'latin1'),
      )
      const several = proxy.url.replace(/@([^/]+)/, `@${Array(count).fill('$1').join()}`)
      const pool = openPool(several, { max: 1 })
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      await pool.end()
      proxy.close()
      await drop()
    },
  )

  test('a pooler that accepts connections while its server is away is left for another server of the URL', async () => {
    const { url, drop } = await database.make('away')
    let isAway = false
    const isStart = (packet: Buffer) => packet.toString('latin1', 0, 1) === 'R'
    const proxy = await startProxy(url, (packet) => (isAway && !isStart(packet) ? terminated : packet))
    const pool = openPool(proxy.url.replace(/@([^/]+)/, `@$1,${new URL(url).host}`), { max: 1 })
    const query = () => pool.query('select 1').then(({ rowCount }) => rowCount, String)
    expect(await query()).toBe(1)
    isAway = true
    // The open connection, and one more.
    expect([await query(), await query()]).toEqual(Array(2).fill(expect.stringContaining('terminating connection')))
    expect(await query()).toBe(1)
    await pool.end()
    proxy.close()
    await drop()
  })

  test('a connection to another server than the last one may follow a failover, also where none has broken', async () => {
    const { url, drop } = await database.make('other')
    let isOther = false
    const proxy = await startProxy(url, (packet) =>
      isOther ? Buffer.from(packet.toString('latin1').replace(/\d{4}(-\d\d-\d\d \d\d:)/, '1999$1'), 'latin1') : packet,
    )
    const store = new PostgresStore({ url: proxy.url })
    let suspicions = 0
    store.journalCommits({
      flush: async () => undefined,
      isBehind: () => false,
      mayBeAhead: () => false,
      replay: async () => undefined,
      suspectFailover: () => (suspicions += 1),
      flushAll: async () => undefined,
    })
    // Each of them by a connection of its own.
    await listCompanies(store)
    await store.ping()
    expect(suspicions).toBe(0)
    isOther = true
    await listLedgerPositions(store, {})
    expect(suspicions).toBe(1)
    await store.close()
    proxy.close()
    await drop()
  })

  test('a write whose reply the network loses is 503 within seconds, and its lock is released', async () => {
    const { url, drop } = await database.make('lost')
    let state: 'passes' | 'waits' | 'loses' = 'passes'
    const proxy = await startProxy(
      url,
      (packet) => {
        if (state !== 'loses') return packet
        state = 'passes'
        return Buffer.of()
      },
      (request) => {
        if (state === 'waits' && request.includes('begin')) state = 'loses'
      },
    )
    cluster = await startServerCluster({ make: async () => ({ url: proxy.url, drop }) }, 'lost')
    const server = await cluster.start()
    const client = openSimClient(cluster.key, () => server.address)
    const upsert = (amount: number) =>
      client.call('POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', {
        json: [{ Dato: '2026-05-01', AvdelingID: '1', Omsetning: amount }],
      })
    expect((await upsert(1)).status).toBe(200)
    state = 'waits'
    const lost = await upsert(2)
    expect(isAbsence(lost), lost.text).toBe(true)
    expect((await upsert(3)).status).toBe(200)
    const found = await client.call('GET', '/dev/Omsetning/Finn')
    expect(found.json).toEqual([expect.objectContaining({ Omsetning: 3 })])
    expect((await server.stop()).exitCode).toBe(0)
    proxy.close()
  })

  test('a read that its client gave up is ended within seconds, also behind a pooler with process ids of its own', async () => {
    const { url, drop } = await database.make('pooler')
    const proxy = await startProxy(url, replaceProcessId)
    cluster = await startServerCluster({ make: async () => ({ url: proxy.url, drop }) }, 'pooler')
    const server = await cluster.start()
    const locks = new Connection({ connectionString: url, application_name: 'locks' })
    await locks.connect()
    await locks.query('begin; lock table revenue in access exclusive mode')
    const waiting = async () => {
      await locks.query('select pg_stat_clear_snapshot()')
      const { rows } = await locks.query<{ count: number }>(waitingText)
      return rows[0]?.count
    }
    const given = new AbortController()
    const path = `${server.address}/omsetning/Omsetning?$apply=aggregate(Omsetning with sum as Sum)`
    const reading = fetch(path, { headers: { 'tb-key': cluster.key }, signal: given.signal })
    await expect.poll(waiting, { timeout: requestTimeLimits.readMs / 2 }).toBe(1)
    given.abort()
    await expect(reading).rejects.toThrow()
    await expect.poll(waiting, { timeout: requestTimeLimits.readMs / 2 }).toBe(0)
    await locks.end()
    expect((await server.stop()).exitCode).toBe(0)
    proxy.close()
  })

  test('the test detects a server that ignores errors of idle connections', async () => {
    cluster = await startServerCluster(database, 'deaf')
    expect(await cutConnections(cluster, 20, 'deaf-pool')).toContainEqual(
      // No reply: a writer met the end of the server, or connected after it.
      expect.stringMatching(/^0 .*(ECONNREFUSED|ECONNRESET|socket hang up)/),
    )
  })
})

/** Changes what the server sends, packet by packet. */
async function startProxy(
  url: string,
  change: (packet: Buffer) => Buffer,
  onRequest: (packet: Buffer) => void = () => {},
): Promise<{ readonly url: string; readonly close: () => void }> {
  const { port, hostname } = new URL(url)
  const proxy = createServer((client) => {
    const server = connect(Number(port || 5432), hostname)
    client.on('data', onRequest).pipe(server)
    server.on('data', (packet) => client.write(change(packet)))
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy())
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((proxy.address() as AddressInfo).port)
  return { url: through.href, close: () => void proxy.close() }
}

/** Messages of PostgreSQL's protocol (section 55.7 of its manual): a type, the length, the content. */
const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1')
const terminatedText = 'SFATAL\0C57P01\0Mterminating connection\0\0'
const terminated = Buffer.from(`E\0\0\0${String.fromCharCode(terminatedText.length + 4)}${terminatedText}`, 'latin1')
const backendKeyData = Buffer.from('K\0\0\0\x0c', 'latin1')
const noStandby = 'S\0\0\0\x17in_hot_standby\0off\0'
const standby = 'S\0\0\0\x16in_hot_standby\0on\0'

function replaceProcessId(packet: Buffer): Buffer {
  const at = packet.indexOf(backendKeyData)
  if (at >= 0) packet.writeInt32BE(1, at + backendKeyData.length)
  return packet
}

const waitingText = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and application_name = 'dagsverk' and wait_event_type = 'Lock'`

/** The problems found while a connection was cut every 50 ms, and thereafter; the first one ends it. */
async function cutConnections(cluster: ServerCluster, seconds: number, injectedBug?: string): Promise<string[]> {
  const random = seededRandom()
  const server = await cluster.start(injectedBug)
  const client = openSimClient(cluster.key, () => server.address)
  const day = new DayWrites(formatDay(0), client, random)
  const knife = new Connection({ connectionString: cluster.url, application_name: 'knife' })
  await knife.connect()
  let cuts = 0
  await writeThrough(day, async () => {
    const isSound = () => unexpectedReplies(day.answered).length === 0
    for (let cut = 0; cut < seconds * 20 && isSound(); cut++) {
      await sleep(50)
      cuts += (await knife.query(cutOne)).rowCount ?? 0
    }
  })
  await knife.end()
  expect(cuts).toBeGreaterThan(0)
  const unexpected = unexpectedReplies(day.writes)
  if (unexpected.length > 0) return unexpected
  await day.repeatUnknown()
  const after = new DayWrites(formatDay(1), client, random)
  await after.writeUntil(() => true)
  const violations = [
    ...(await day.violations()),
    ...after.writes.filter(({ reply }) => reply.effect !== 'ok').map(({ id }) => `${id} failed`),
  ]
  expect((await server.stop()).exitCode).toBe(0)
  return violations
}

const cutOne = `select pg_terminate_backend(pid) from (
  select pid from pg_stat_activity
  where datname = current_database() and application_name = 'dagsverk'
  order by random() limit 1) as one`

const cutAll = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'dagsverk'`

describe.runIf(canStartPostgres)('a separate PostgreSQL server', () => {
  test('that is killed under load and restarted has every acknowledged write once', async () => {
    const postgres = await startPostgres()
    stop = () => postgres.remove()
    const { url } = postgres
    await migrateDatabase(url)
    cluster = await startServerCluster({ make: async () => ({ url, drop: async () => undefined }) }, 'killed')
    const random = seededRandom()
    const server = await cluster.start()
    const client = openSimClient(cluster.key, () => server.address)
    const days: DayWrites[] = []
    for (let kill = 0; kill < 2; kill++) {
      const day = new DayWrites(formatDay(kill), client, random)
      days.push(day)
      await writeThrough(day, async () => {
        await sleep(100 + random.below(400))
        postgres.kill()
        await sleep(100)
        postgres.start()
        await answering(client)
      })
      expect(unexpectedReplies(day.writes)).toEqual([])
      expect(day.writes.some(({ reply }) => reply.status === 503)).toBe(true)
      await day.repeatUnknown()
    }
    for (const day of days) expect(await day.violations()).toEqual([])
    expect((await server.stop()).exitCode).toBe(0)
  })
})

async function answering(client: SimClient): Promise<void> {
  while ((await client.call('GET', '/readyz')).status !== 200) await sleep(20)
}
