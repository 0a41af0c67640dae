// Random `$apply` sequences against a reference implementation; both databases return the same bytes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../src/errors/api-error.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { standardDialect } from '../../src/engine/odata/dialect.ts'
import { routeParameters, parseQuery } from '../../src/engine/odata/options/query.ts'
import { planRead, setOptions } from '../../src/engine/planner/plan-read.ts'
import type { ReadPlan } from '../../src/engine/planner/read-plan.ts'
import { rowStatement } from '../../src/store/read.ts'
import { databases } from '../support/databases.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { seededRandom } from '../support/random.ts'
import { shopData, createShopTables, shop, insertShopData, type ShopData, type ShopRecord } from './shop.ts'
import { objectOf, RandomNames, randomSequence, type RowValue, type Row, type RowsState } from './transformations.ts'

/** Prices whose total does not overflow. */
const data: ShopData = {
  ...shopData,
  Line: (shopData['Line'] ?? []).map((line) => ({
    ...line,
    price: line['price'] === 999_999_999_999_999 ? 88_888_888_888_888 : (line['price'] ?? null),
  })),
}

/** Records of another company: enough to exceed a page when they are concatenated several times. */
const manyLines = Array.from({ length: 1500 }, (_, index) => ({
  region: 'N',
  number: index,
  position: 1,
  price: index,
  note: null,
}))

function findRecord(wire: string, key: Readonly<Record<string, RowValue>>): ShopRecord {
  return (data[wire] ?? []).find((one) => Object.entries(key).every(([name, value]) => one[name] === value)) ?? {}
}

function rowOf(line: ShopRecord): Row {
  const { region = null, number = null, position = null, price = null, note = null } = line
  const order = findRecord('Order', { region, number })
  const customerId = order['customerId'] ?? null
  const customer = findRecord('Customer', { id: customerId })
  return {
    Region: region,
    Number: number,
    Position: position,
    Price: price,
    Note: note,
    'Order#': order['number'] === undefined ? null : `${String(region)} ${String(number)}`,
    'Order/Delivery#': order['number'] === undefined ? null : `${String(region)} ${String(number)}`,
    'Order/Customer#': customerId,
    'Order/Customer/Home/Country#': customerId,
    'Order/CustomerId': customerId,
    'Order/Delivery/Fee': order['deliveryFee'] ?? null,
    'Order/Customer/Name': customer['name'] ?? null,
    'Order/Customer/Home/Country/Code': customer['homeCountryCode'] ?? null,
  }
}

function keyOf(row: Row) {
  return [row['Region'], String(row['Number']).padStart(3, '0'), row['Position']].join('|')
}

const lines: RowsState = {
  copies: 1,
  rows: (data['Line'] ?? []).map(rowOf).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
  types: { Region: 'text', Number: 'integer', Position: 'integer', Price: 'decimal', Note: 'text' },
  relatedTypes: {
    'Order/CustomerId': 'integer',
    'Order/Delivery/Fee': 'decimal',
    'Order/Customer/Name': 'text',
    'Order/Customer/Home/Country/Code': 'text',
  },
}

const servers: TestServer[] = []

beforeAll(async () => {
  for (const database of databases) {
    const server = await startTestServer(database, 'transformations')
    servers.push(server)
    await createShopTables(server)
    await insertShopData(server, server.tenantA, data)
    await insertShopData(server, server.tenantB, { Line: manyLines })
  }
})
afterAll(() => Promise.all(servers.map((server) => server.close())))

function planOf(server: TestServer, $apply: string, company = server.tenantA): ReadPlan {
  const line = shop.resources.find(({ wire }) => wire === 'Line')
  if (line === undefined) throw new Error('a shop without lines')
  const search = new URLSearchParams({ $apply }).toString()
  return planRead(line, parseQuery(search, routeParameters(setOptions, 'rejected')), {
    schema: shop,
    companyId: company.id as CompanyId,
    grantedScopes: new Set(['directory:read']),
    zone: 'Europe/Oslo',
    clock: () => 0,
    dialect: standardDialect,
    dates: 'date',
    naming: 'declared',
  })
}

async function read(server: TestServer, $apply: string, company = server.tenantA): Promise<string> {
  const rows = await server.store.readJson(planOf(server, $apply, company))
  const text = 'whole' in rows ? String(rows.whole) : (await Array.fromAsync(rows.chunks)).join()
  return `[${text}]`
}

test('random sequences of transformations return what the reference implementation computes', async () => {
  const random = seededRandom()
  const runs = Number(process.env['RUNS'] ?? 400)
  for (let run = 0; run < runs; run++) {
    const { text, state } = randomSequence(lines, new RandomNames(random))
    const expected = state.rows.map((row) => objectOf(state, row))
    const replies = await Promise.all(servers.map((server) => read(server, text)))
    for (const reply of replies) {
      expect(JSON.parse(reply), text).toEqual(expected)
      expect(reply, text).toBe(replies[0])
    }
  }
})

test('mangled sequences get the same response or the same error on both databases', async () => {
  const random = seededRandom()
  const runs = Number(process.env['RUNS'] ?? 400)
  const pieces = 'Price Note Region N0 N1 null 1 0 -5 ( ) , / eq sum $count as with identity'.split(' ')
  for (let run = 0; run < runs; run++) {
    const { text } = randomSequence(lines, new RandomNames(random))
    const parts = text.split(/([(),/ ])/)
    for (let times = random.below(3) + 1; times > 0; times--)
      parts[random.below(parts.length)] = random.pick([...pieces, ...parts])
    const mangled = parts.join('')
    const replies = await Promise.all(
      servers.map((server) =>
        read(server, mangled).catch((error: unknown) => {
          if (error instanceof ApiError) return `${error.code} ${error.target}`
          throw new Error(mangled, { cause: error })
        }),
      ),
    )
    for (const reply of replies) expect(reply, mangled).toBe(replies[0])
  }
})

test('a result longer than a page is streamed completely', async () => {
  const four = 'concat(identity,identity,identity,identity)'
  const $apply = `${four}/concat(identity,identity)/compute(Number mul 2 as Double)`
  const texts = await Promise.all(servers.map((server) => read(server, $apply, server.tenantB)))
  for (const text of texts) {
    expect(JSON.parse(text)).toHaveLength(12_000)
    expect(text).toBe(texts[0])
  }
})

test.each([
  [
    "filter(Note eq 'a' and Price gt 1)/topcount(1,Price)/skip(1)/top(2)",
    "filter(Note eq 'it''s' and Price gt 2.5)/topcount(7,Price)/skip(3)/top(4)",
  ],
  [
    "compute(concat(Note,'x') as A)/groupby((A),aggregate(Price with sum as S))/topsum(5,S)",
    "compute(concat(Note,'y') as Name)/groupby((Name),aggregate(Price with sum as T))/topsum(6,T)",
  ],
  ['search(a)/toppercent(1,Price)', 'search(b)/toppercent(99.5,Price)'],
])('the SQL text depends on no literal and on no alias of the request: %s', (one, other) => {
  for (const server of servers) {
    const [text, another] = [one, other].map(
      ($apply) => rowStatement(planOf(server, $apply), 'json').compiled(server.store.dialect).sql,
    )
    expect(text).toBe(another)
  }
})
