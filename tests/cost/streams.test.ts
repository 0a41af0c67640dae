// Cost of streams on SQLite: the rows that all of them read before other requests get the thread.
import Database from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import { nextTurn } from '../../src/lib/yield-to-event-loop.ts'
import { countPerTurn } from '../support/count-per-turn.ts'
import { sqlite } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'

/** One more than are read as one page. */
const records = 10_001
const [firstDay, lastDay] = ['2024-01-01', '2024-01-02']
/** As many as one company may have at a time. */
const streams = 6
/** Of 16 KiB of records that have some 170 characters each. */
const rowsOfChunkMax = 120
const finn = '/dev/Omsetning/Finn'

const server = useTestServer(sqlite, 'cost-streams')

beforeAll(async () => {
  const json = Array.from({ length: records }, (_, index) => ({
    Dato: index === 0 ? lastDay : firstDay,
    AvdelingID: `${index}`,
    Omsetning: 1,
    Merknad: 'x'.repeat(40),
  }))
  const list = '/dev/Omsetning/LagreEllerOppdaterListe'
  for (const as of [server.tenantA, server.tenantB])
    expect((await server.call('POST', list, { as, json })).status).toBe(200)
})

test('without $top, up to 10,000 records are read as one page, and more as a stream', async () => {
  const rowsOf = async (count: number, address: string) => {
    const turns = countRowsPerTurn()
    const { json } = await server.call('GET', address)
    expect(json).toHaveLength(count)
    return turns.stop().reduce((sum, rows) => sum + rows, 0)
  }
  const filter = encodeURIComponent(`Dato eq datetime'${firstDay}'`)
  expect(await rowsOf(records - 1, `${finn}?$filter=${filter}`)).toBe(0)
  expect(await rowsOf(records, finn)).toBe(records + 1)
})

test('a filter on a related record, which no index counts, finds more than a page of records', async () => {
  const filter = encodeURIComponent(`Dato eq ${firstDay} and Avdeling/Navn ne 'x'`)
  const { status, json, text } = await server.call('GET', `/omsetning/Omsetning?$filter=${filter}`)
  expect(status, text.slice(0, 500)).toBe(200)
  expect(json.value).toHaveLength(records - 1)
})

test('six streams together read one chunk a turn beside few requests, so that these do not wait for six', async () => {
  const filter = encodeURIComponent(`Dato eq datetime'${firstDay}' and AvdelingID eq '7'`)
  const readOne = async () => {
    const { status, json } = await server.call('GET', `${finn}?$filter=${filter}`, { as: server.tenantB })
    expect([status, json.length]).toEqual([200, 1])
  }
  const reading = Array.from({ length: streams }, () => server.call('GET', finn))
  // Each of the six reads a page first, and then counts, which is as much as many requests.
  await readOne()
  const turns = countRowsPerTurn()
  for (let reads = 0; reads < 20; reads++) {
    await readOne()
    // Calls without sockets would never let the turn end.
    await nextTurn()
  }
  for (const { json } of await Promise.all(reading)) expect(json).toHaveLength(records)
  const rows = turns.stop()
  expect(rows.filter((count) => count > rowsOfChunkMax)).toEqual([])
  // All but the first chunks were counted.
  expect(rows.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(streams * (records - 5 * rowsOfChunkMax))
})

test('a stream reads up to four chunks a turn beside many requests, because its snapshot lasts as long as its turns', async () => {
  const polls = new AbortController()
  const poll = async () => {
    while (!polls.signal.aborted) {
      await server.call('GET', `${finn}?$top=1`, { as: server.tenantB })
      // Calls without sockets would never let the turn end.
      await nextTurn()
    }
  }
  const polling = Array.from({ length: 64 }, poll)
  const turns = countRowsPerTurn()
  const { json } = await server.call('GET', finn)
  const rows = turns.stop()
  polls.abort()
  await Promise.all(polling)
  expect(json).toHaveLength(records)
  expect(Math.max(...rows)).toBeGreaterThan(rowsOfChunkMax)
  expect(rows.filter((count) => count > 4 * rowsOfChunkMax)).toEqual([])
})

/** The rows that are read one by one, as only streams do. */
function countRowsPerTurn() {
  const iterator = new Database(':memory:').prepare('select 1').iterate()
  return countPerTurn(Object.getPrototypeOf(iterator), 'next', () => 1)
}
