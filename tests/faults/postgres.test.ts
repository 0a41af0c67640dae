// PostgreSQL fails in part or entirely and returns: the server stays up, reports outcomes, and recovers.
import { Client as Connection } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { dayText } from '../../src/lib/calendar.ts'
import type { Fault } from '../../src/errors/catalog.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { findCompany } from '../../src/store/accounts/companies.ts'
import { migrateDatabase, openStore } from '../../src/store/open-store.ts'
import { writeSetting } from '../../src/store/accounts/settings.ts'
import { databases } from '../support/databases.ts'
import { openTerminal } from '../cli/terminal.ts'
import { openClient, type Answered, type Client } from '../sim/client.ts'
import { seededDice } from '../support/random.ts'
import { prepareGround, type Ground } from '../sim/server-cluster.ts'
import { canStartCluster, startCluster } from '../sim/postgres-cluster.ts'
import { Day, type Write } from './writes.ts'

const seconds = Number(process.env['DAGSVERK_TEST_SECONDS'] ?? 3)

let ground: Ground
let stop = async (): Promise<void> => undefined
afterEach(async () => {
  await ground.clear()
  await stop()
})

/** Errors other than an unavailable database, by their codes. */
function oddAnswers(writes: readonly Write[]): string[] {
  return writes
    .map(({ answer }) => answer)
    .filter((answer) => answer.effect !== 'ok' && !isAbsence(answer))
    .map(({ status, text }) => `${status} ${text}`)
}

function isAbsence({ status, text }: Answered): boolean {
  return status === 503 && JSON.parse(text).error.code === 'DatabaseUnavailable'
}

/** Writes until the moment, and then once more per writer, which must succeed. */
async function writeThrough(day: Day, trouble: () => Promise<void>): Promise<void> {
  const done = new AbortController()
  const writing = day.writeUntil(() => done.signal.aborted)
  await trouble()
  done.abort()
  await writing
}

describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))('on $name', (database) => {
  test(
    'connections cut at random cause some 503 replies, and nothing else',
    async () => {
      ground = await prepareGround(database, 'cut')
      expect(await cutConnections(ground, seconds)).toEqual([])
    },
    60_000 + seconds * 2000,
  )

  test('doctor detects asynchronous commits', async () => {
    ground = await prepareGround(database, 'durable')
    const terminal = openTerminal(ground.environment)
    const durability = async (): Promise<string> => {
      const findings: { check: string; verdict: string }[] = JSON.parse(
        (await terminal.run('doctor', '--json')).printed,
      )
      return findings.find(({ check }) => check === 'durability')?.verdict ?? ''
    }
    expect(await durability()).toBe('ok')
    const name = new URL(ground.url).pathname.slice(1)
    const admin = new Connection({ connectionString: ground.url })
    await admin.connect()
    await admin.query(`alter database "${name}" set synchronous_commit = off`)
    await admin.end()
    expect(await durability()).toBe('wrong')
    terminal.close()
  })

  test('a commit without acknowledgement is reported as unknown; a transaction cut before it as not applied', async () => {
    ground = await prepareGround(database, 'commit')
    const store = await openStore({ url: ground.url, isCreating: false })
    const knife = new Connection({ connectionString: ground.url, application_name: 'knife' })
    await knife.connect()
    const cut = async () => void (await knife.query(cutAll))
    const outcome = (transaction: Promise<unknown>) =>
      transaction.then(
        () => 'done',
        (error: unknown) => (error as Fault).outcome,
      )
    expect(await outcome(store.inHouseTransaction(cut))).toBe('unknown')
    expect(
      await outcome(
        store.inHouseTransaction(async (writer) => {
          await cut()
          await writeSetting(writer, 'cut', 'x')
        }),
      ),
    ).toBe('not_applied')
    const company = await findCompany(store, 'KASSE')
    expect(await outcome(store.inTransaction(company?.id as CompanyId, cut))).toBe('unknown')
    await store.close()
    await knife.end()
  })

  test('the test detects a server that ignores errors of idle connections', async () => {
    ground = await prepareGround(database, 'deaf')
    expect(await cutConnections(ground, 1, 'deaf-pool')).toContainEqual(
      expect.stringContaining('ECONNREFUSED'),
    )
  })
})

/** The problems found while a connection was cut every 50 ms, and thereafter. */
async function cutConnections(
  ground: Ground,
  seconds: number,
  planted?: string,
): Promise<string[]> {
  const dice = seededDice()
  const server = await ground.start(planted)
  const client = openClient(ground.key, () => server.address)
  const day = new Day(dayText(0), client, dice)
  const knife = new Connection({ connectionString: ground.url, application_name: 'knife' })
  await knife.connect()
  let cuts = 0
  await writeThrough(day, async () => {
    for (let cut = 0; cut < seconds * 20; cut++) {
      await sleep(50)
      cuts += (await knife.query(cutOne)).rowCount ?? 0
    }
  })
  await knife.end()
  expect(cuts).toBeGreaterThan(0)
  const odd = oddAnswers(day.writes)
  if (odd.length > 0) return odd
  await day.repeatUnknown()
  const after = new Day(dayText(1), client, dice)
  await after.writeUntil(() => true)
  const violations = [
    ...(await day.violations()),
    ...after.writes.filter(({ answer }) => answer.effect !== 'ok').map(({ id }) => `${id} failed`),
  ]
  expect((await server.stop()).exitCode).toBe(0)
  client.close()
  return violations
}

const cutOne = `select pg_terminate_backend(pid) from (
  select pid from pg_stat_activity
  where datname = current_database() and application_name = 'dagsverk'
  order by random() limit 1) as one`

const cutAll = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'dagsverk'`

describe.runIf(canStartCluster)('a separate PostgreSQL server', () => {
  test('that is killed under load and restarted has every acknowledged write once', async () => {
    const cluster = await startCluster()
    stop = cluster.remove
    const { url } = cluster
    await migrateDatabase(url)
    ground = await prepareGround(
      { make: async () => ({ url, drop: async () => undefined }) },
      'killed',
    )
    const dice = seededDice()
    const server = await ground.start()
    const client = openClient(ground.key, () => server.address)
    const days: Day[] = []
    for (let kill = 0; kill < 2; kill++) {
      const day = new Day(dayText(kill), client, dice)
      days.push(day)
      await writeThrough(day, async () => {
        await sleep(100 + dice.below(400))
        cluster.kill()
        await sleep(100)
        cluster.start()
        await answering(client)
      })
      expect(oddAnswers(day.writes)).toEqual([])
      expect(day.writes.some(({ answer }) => answer.status === 503)).toBe(true)
      await day.repeatUnknown()
    }
    for (const day of days) expect(await day.violations()).toEqual([])
    expect((await server.stop()).exitCode).toBe(0)
    client.close()
  })
})

async function answering(client: Client): Promise<void> {
  while ((await client.call('GET', '/readyz')).status !== 200) await sleep(20)
}

function sleep(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
