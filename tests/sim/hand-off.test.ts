// A plain client and two claiming clients feed one receiver while a manager withdraws and the server is killed.
// DAGSVERK_TEST_KILLS=1000 sets the number of kills per database; DAGSVERK_TEST_SEED repeats a run.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/client/client.ts'
import { openStore } from '../../src/store/open-store.ts'
import { statement } from '../../src/store/statement.ts'
import type { LedgerEntryTable, OfferTable } from '../../src/store/tables/exports.ts'
import { openTerminal } from '../cli/terminal.ts'
import { databases } from '../support/databases.ts'
import { openClient } from './client.ts'
import { seededDice, type Dice } from '../support/random.ts'
import { companyName, prepareGround, type Ground } from './server-cluster.ts'
import { claimerUntil, decide, managerUntil, pause, plainPass, Receiver } from './hand-off.ts'

const kills = Number(process.env['DAGSVERK_TEST_KILLS'] ?? 6)
const secondsPerKill = 6

describe.each(databases)('a hand-off on $name', (database) => {
  let ground: Ground
  beforeEach(async () => {
    ground = await prepareGround(database, 'handoff', '--scopes', 'material:*')
    await withStore(ground, (store) =>
      store.inHouseTransaction((writer) => writer.run(twoClaimsStatement, {})),
    )
  })
  afterEach(() => ground.clear())

  test(
    'the receiver has every exported line once, no line is newly exported twice, claims are disjoint, and alarms and ledger are complete',
    async () => {
      expect(await handOff(ground, kills, seededDice())).toEqual([])
    },
    60_000 + kills * secondsPerKill * 1000,
  )

  test('the test detects a server that replies before it commits', async () => {
    const found = await handOff(ground, 6, seededDice(), 'hasty-answers')
    expect(found).toContainEqual(
      expect.stringMatching(/newly exported twice|is received, not|was rejected/),
    )
  }, 100_000)
})

/** The problems found. */
async function handOff(
  ground: Ground,
  times: number,
  dice: Dice,
  planted?: string,
): Promise<string[]> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const keys = await workersKeys(ground)
  let server = await ground.start(planted, { DAGSVERK_PORT: port })
  const receiver = new Receiver()
  const stop = { isOver: false }
  const manager = openClient(ground.key, () => url)
  const plain = openClient(keys[0] ?? '', () => url)
  const parties = keys.slice(1).map((key, index) => {
    const client = connect({ url, key, attempts: 60 })
    return claimerUntil(client, receiver, { dice, party: `claimer ${index + 1}`, stop })
  })
  const managing = managerUntil(manager, { dice, stop })
  const fetching = (async () => {
    while (!stop.isOver) {
      await plainPass(plain, receiver)
      await pause(100 + dice.below(200))
    }
  })()
  for (let kill = 0; kill < times; kill++) {
    const before = receiver.fetched.length
    while (receiver.fetched.length < before + 5) await pause(5)
    // Mostly right after a caller was told that a line is exported: that must then be true.
    const told = receiver.newly.size
    while (receiver.newly.size === told) await pause(1)
    if (dice.below(4) === 0) await pause(dice.below(100))
    await server.kill()
    server = await ground.start(planted, { DAGSVERK_PORT: port })
  }
  await pause(300)
  stop.isOver = true
  const [ids] = await Promise.all([managing, fetching, ...parties])
  await decide(manager, 'Godkjenn', ids)
  while ((await plainPass(plain, receiver)) !== 0) await pause(20)
  manager.close()
  plain.close()
  await server.stop()
  const { offers, ledger } = await withStore(ground, async (store) => ({
    offers: await store.all(offersStatement, {}),
    ledger: await store.all(ledgerStatement, {}),
  }))
  process.stderr.write(
    `${receiver.keys.size} lines received, ${receiver.fetched.length} fetched, ${times} kills\n`,
  )
  return [...receiver.violations, ...violationsOf(receiver, offers, ledger)]
}

function violationsOf(
  { keys, fetched, held, newly }: Receiver,
  offers: readonly OfferTable[],
  ledger: readonly LedgerEntryTable[],
): string[] {
  const linesIn = (act: string) =>
    ledger.filter((entry) => entry.act === act).map(({ lineId }) => lineId)
  const exported = offers.filter(({ state }) => state === 'exported').map(({ lineId }) => lineId)
  const marked = linesIn('marked')
  const alarmed = new Set(linesIn('alarm'))
  const parties = new Map<number, Set<string>>()
  for (const { line, party } of fetched)
    parties.set(line, (parties.get(line) ?? new Set()).add(party))
  const byLine = Map.groupBy(held, ({ line }) => line)
  const overlaps = [...byLine].filter(([, claims]) =>
    claims.some((one) =>
      claims.some(
        (other) => one.party !== other.party && one.from < other.until && other.from < one.until,
      ),
    ),
  )
  const keysOf = (lines: readonly number[]) => lines.map((line) => `T${line}.r1`).toSorted()
  return [
    ...differences('received', [...keys].toSorted(), 'exported', keysOf(exported)),
    ...differences('exported', keysOf(exported), 'in the ledger', keysOf([...new Set(marked)])),
    ...repeated(marked).map((line) => `${line} is acknowledged twice in the ledger`),
    ...[...newly]
      .filter(([, times]) => times > 1)
      .map(([line]) => `${line} was newly exported twice`),
    ...overlaps.map(([line]) => `${line} was held by two clients`),
    ...[...parties]
      .filter(([line, by]) => by.size > 1 && !alarmed.has(line))
      .map(([line]) => `${line} was retrieved by two clients and has no alarm`),
    ...offers
      .filter(({ state }) => state === 'ready')
      .map(({ lineId }) => `${lineId} is ready although the list was empty`),
  ]
}

function differences(
  one: string,
  ones: readonly string[],
  other: string,
  others: readonly string[],
): string[] {
  return [
    ...ones.filter((key) => !others.includes(key)).map((key) => `${key} is ${one}, not ${other}`),
    ...others.filter((key) => !ones.includes(key)).map((key) => `${key} is ${other}, not ${one}`),
  ]
}

function repeated(lines: readonly number[]): number[] {
  return lines.filter((line, index) => lines.indexOf(line) !== index)
}

async function workersKeys(ground: Ground): Promise<string[]> {
  const terminal = openTerminal(ground.environment)
  const keys: string[] = []
  for (const name of ['plain', 'claimer-1', 'claimer-2']) {
    const rights = ['--scopes', 'material:export', '--expires', 'never']
    const { key } = await terminal.json('key', 'add', companyName, '--name', name, ...rights)
    keys.push(key)
  }
  terminal.close()
  return keys
}

type Opened = Awaited<ReturnType<typeof openStore>>

async function withStore<T>({ url }: Ground, work: (store: Opened) => T | Promise<T>) {
  const store = await openStore({ url, isCreating: false })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const twoClaimsStatement = statement(() => sql`update destination set "batchesMax" = 2`)
const offersStatement = statement<OfferTable>(() => sql`select * from offer`)
const ledgerStatement = statement<LedgerEntryTable>(() => sql`select * from "ledgerEntry"`)
