// A plain client and two claiming clients feed one receiver while a manager withdraws and the server is killed.
// DAGSVERK_TEST_KILLS=1000 sets the number of kills per database; SEED repeats a run.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/client/client.ts'
import { openStore } from '../../src/store/open-store.ts'
import { crossCompanyStatement } from '../../src/store/statement.ts'
import type { LedgerEntryTable, DestinationLineTable } from '../../src/store/tables/exports.ts'
import { openTerminal } from '../cli/terminal.ts'
import { databases } from '../support/databases.ts'
import { openSimClient } from './client.ts'
import { freePort } from '../support/ports.ts'
import { seededRandom, type SeededRandom } from '../support/random.ts'
import { companyName, useServerCluster, type ServerCluster } from './server-cluster.ts'
import { runClaimingClient, decide, runManager, pause, runPlainClient, Receiver } from './hand-off.ts'

const kills = Number(process.env['DAGSVERK_TEST_KILLS'] ?? 6)
const secondsPerKill = 6

describe.each(databases)('a hand-off on $name', (database) => {
  const cluster = useServerCluster(database, 'handoff', '--scopes', 'material:*')
  beforeEach(async () => {
    await withStore(cluster, (store) => store.inSystemTransaction((writer) => writer.run(twoClaimsStatement, {})))
  })

  test(
    'the receiver has every exported line once, no line is newly exported twice, claims are disjoint, and alerts and ledger are complete',
    async () => {
      expect(await handOff(cluster, kills, seededRandom())).toEqual([])
    },
    60_000 + kills * secondsPerKill * 1000,
  )

  test('the test detects a server that replies before it commits', async () => {
    const found = await handOff(cluster, 6, seededRandom(), 'hasty-answers')
    expect(found).toContainEqual(expect.stringMatching(/newly exported twice|is received, not|was rejected/))
  }, 100_000)
})

/** The problems found. */
async function handOff(
  cluster: ServerCluster,
  times: number,
  random: SeededRandom,
  injectedBug?: string,
): Promise<string[]> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const keys = await workersKeys(cluster)
  let server = await cluster.start(injectedBug, { DAGSVERK_PORT: port })
  const receiver = new Receiver()
  const stop = { isStopped: false }
  const manager = openSimClient(cluster.key, () => url)
  const plain = openSimClient(keys[0] ?? '', () => url)
  const parties = keys.slice(1).map((key, index) => {
    const client = connect({ url, key, attempts: 60 })
    return runClaimingClient(client, receiver, { random, clientName: `claimer ${index + 1}`, stop })
  })
  const managing = runManager(manager, { random, stop })
  const fetching = (async () => {
    while (!stop.isStopped) {
      await runPlainClient(plain, receiver)
      await pause(100 + random.below(200))
    }
  })()
  for (let kill = 0; kill < times; kill++) {
    const before = receiver.retrieved.length
    while (receiver.retrieved.length < before + 5) await pause(5)
    // Mostly right after a reply said that a line is exported: that must then be true.
    const exportedCount = receiver.newlyExportedCounts.size
    while (receiver.newlyExportedCounts.size === exportedCount) await pause(1)
    if (random.below(4) === 0) await pause(random.below(100))
    await server.kill()
    server = await cluster.start(injectedBug, { DAGSVERK_PORT: port })
  }
  await pause(300)
  stop.isStopped = true
  const [ids] = await Promise.all([managing, fetching, ...parties])
  await decide(manager, 'Godkjenn', ids)
  while ((await runPlainClient(plain, receiver)) !== 0) await pause(20)
  await server.stop()
  const { offers, ledger } = await withStore(cluster, async (store) => ({
    offers: await store.all(offersStatement, {}),
    ledger: await store.all(ledgerStatement, {}),
  }))
  process.stderr.write(`${receiver.keys.size} lines received, ${receiver.retrieved.length} fetched, ${times} kills\n`)
  return [...receiver.violations, ...violationsOf(receiver, offers, ledger)]
}

function violationsOf(
  { keys, retrieved, held, newlyExportedCounts }: Receiver,
  offers: readonly DestinationLineTable[],
  ledger: readonly LedgerEntryTable[],
): string[] {
  const linesIn = (act: string) => ledger.filter((entry) => entry.action === act).map(({ lineId }) => lineId)
  const exported = offers.filter(({ state }) => state === 'exported').map(({ lineId }) => lineId)
  const acknowledged = linesIn('acknowledged')
  const alerted = new Set(linesIn('alert'))
  const parties = new Map<number, Set<string>>()
  for (const { line, clientName } of retrieved) parties.set(line, (parties.get(line) ?? new Set()).add(clientName))
  const byLine = Map.groupBy(held, ({ line }) => line)
  const overlaps = [...byLine].filter(([, claims]) =>
    claims.some((one) =>
      claims.some((other) => one.clientName !== other.clientName && one.from < other.until && other.from < one.until),
    ),
  )
  const keysOf = (lines: readonly number[]) => lines.map((line) => `T${line}.r1`).toSorted()
  return [
    ...differences('received', [...keys].toSorted(), 'exported', keysOf(exported)),
    ...differences('exported', keysOf(exported), 'in the ledger', keysOf([...new Set(acknowledged)])),
    ...repeated(acknowledged).map((line) => `${line} is acknowledged twice in the ledger`),
    ...[...newlyExportedCounts].filter(([, times]) => times > 1).map(([line]) => `${line} was newly exported twice`),
    ...overlaps.map(([line]) => `${line} was held by two clients`),
    ...[...parties]
      .filter(([line, by]) => by.size > 1 && !alerted.has(line))
      .map(([line]) => `${line} was retrieved by two clients and has no alert`),
    ...offers
      .filter(({ state }) => state === 'ready')
      .map(({ lineId }) => `${lineId} is ready although the list was empty`),
  ]
}

function differences(one: string, ones: readonly string[], other: string, others: readonly string[]): string[] {
  return [
    ...ones.filter((key) => !others.includes(key)).map((key) => `${key} is ${one}, not ${other}`),
    ...others.filter((key) => !ones.includes(key)).map((key) => `${key} is ${other}, not ${one}`),
  ]
}

function repeated(lines: readonly number[]): number[] {
  return lines.filter((line, index) => lines.indexOf(line) !== index)
}

async function workersKeys(cluster: ServerCluster): Promise<string[]> {
  const terminal = openTerminal(cluster.environment)
  const keys: string[] = []
  for (const name of ['plain', 'claimer-1', 'claimer-2']) {
    const scopes = ['--scopes', 'material:export', '--expires', 'never']
    const { key } = await terminal.json('key', 'add', companyName, '--name', name, ...scopes)
    keys.push(key)
  }
  terminal.close()
  return keys
}

type Opened = Awaited<ReturnType<typeof openStore>>

async function withStore<T>({ url }: ServerCluster, work: (store: Opened) => T | Promise<T>) {
  const store = await openStore({ url, canCreate: false })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const twoClaimsStatement = crossCompanyStatement(() => sql`update destination set "openClaimsMax" = 2`)
const offersStatement = crossCompanyStatement<DestinationLineTable>(() => sql`select * from "destinationLine"`)
const ledgerStatement = crossCompanyStatement<LedgerEntryTable>(() => sql`select * from "ledgerEntry"`)
