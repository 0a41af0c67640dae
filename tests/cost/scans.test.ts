// Cost of scans on SQLite: what many callers at once make one turn of the event loop do.
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { statement } from '../../src/store/statement.ts'
import { countPerTurn } from '../support/count-per-turn.ts'
import { sqlite } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'

const callers = 40
const finn = '/dev/Omsetning/Finn'

const server = useTestServer(sqlite, 'cost-scans')

beforeAll(async () => {
  const json = Array.from({ length: 3000 }, (_, index) => ({
    Dato: '2024-01-01',
    AvdelingID: `${index}`,
    Omsetning: index,
    Merknad: 'x',
  }))
  expect((await server.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { json })).status).toBe(200)
})

test.each([
  ['scans of a small file', `${finn}?$filter=startswith(Merknad,'y')&$top=10`, [], 2],
  ['counts of a small file', `/odata/Omsetning/$count?$filter=startswith(Merknad,'y')`, 0, 2],
  // Each visits 1,100 rows: two of them are read before the turn is long.
  ['short pages after many rows', `${finn}?$orderby=Dato&$skip=1000&$top=100`, undefined, 6],
])('%s take turns with other requests', async (_, url, answer, perTurnMax) => {
  const turns = countReadsPerTurn()
  const replies = await Promise.all(Array.from({ length: callers }, () => server.call('GET', url)))
  const reads = turns.stop()
  for (const { status, json } of replies) {
    expect(status).toBe(200)
    if (answer !== undefined) expect(json).toEqual(answer)
  }
  expect(reads.reduce((sum, count) => sum + count, 0)).toBe(callers)
  expect(Math.max(...reads)).toBeLessThanOrEqual(perTurnMax)
})

test('the requests of a batch take turns with other requests', async () => {
  const requests = Array.from({ length: callers }, (_, index) => ({
    id: `${index}`,
    method: 'GET',
    url: '/odata/Omsetning?$top=1',
  }))
  const turns = countReadsPerTurn()
  const { json } = await server.call('POST', '/odata/$batch', { json: { requests } })
  const reads = turns.stop()
  expect(json.responses.map(({ status }: { status: number }) => status)).toEqual(requests.map(() => 200))
  expect(reads.reduce((sum, count) => sum + count, 0)).toBe(callers)
  expect(Math.max(...reads)).toBe(1)
})

test('reports on a small file take turns with other requests', async () => {
  const reports = server.store.reports(server.tenantA.id as CompanyId)
  const turns = countReadsPerTurn()
  const rows = await Promise.all(Array.from({ length: callers }, async () => reports.first(countStatement, {})))
  const reads = turns.stop()
  expect(rows.every((row) => row?.count === 3000)).toBe(true)
  expect(reads.reduce((sum, count) => sum + count, 0)).toBe(callers)
  expect(Math.max(...reads)).toBeLessThanOrEqual(2)
})

const countStatement = statement<{ count: number }>(() => sql`select count(*) as count from "revenue"`)

/** Reads of records or of their number. */
function countReadsPerTurn() {
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('select 1'))
  const count = (receiver: unknown) => (/from "revenue"/.test((receiver as Database.Statement).source) ? 1 : 0)
  return countPerTurn(statement, 'get', count)
}
