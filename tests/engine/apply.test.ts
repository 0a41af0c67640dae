// `$apply` at random, compared with a reader that goes through everything; both databases give the same bytes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fault } from '#faults.ts'
import type { CompanyId } from '#model/resource.ts'
import { standard } from '#odata/dialect.ts'
import { knownParameters, parseQuery } from '#odata/query.ts'
import { planRead, setOptions } from '#plan/plan-read.ts'
import { databases } from '../_support/databases.ts'
import { buildHouse, type House } from '../_support/house.ts'
import { seededDice } from '../sim/dice.ts'
import { goods, openShop, shop, stockShop, type Goods, type ShopRecord } from './shop.ts'
import { objectOf, Random, sequenceOf, type Held, type Row, type State } from './transformations.ts'

/** The prices are such that sums of all of them can still be told. */
const stock: Goods = {
  ...goods,
  Line: (goods['Line'] ?? []).map((line) => ({
    ...line,
    price: line['price'] === 999_999_999_999_999 ? 88_888_888_888_888 : (line['price'] ?? null),
  })),
}

const found = (wire: string, key: Readonly<Record<string, Held>>): ShopRecord =>
  (stock[wire] ?? []).find((one) =>
    Object.entries(key).every(([name, value]) => one[name] === value),
  ) ?? {}

const rowOf = (line: ShopRecord): Row => {
  const { region = null, number = null, position = null, price = null, note = null } = line
  const order = found('Order', { region, number })
  const customerId = order['customerId'] ?? null
  return {
    Region: region,
    Number: number,
    Position: position,
    Price: price,
    Note: note,
    'Order/CustomerId': customerId,
    'Order/Customer/Name': found('Customer', { id: customerId })['name'] ?? null,
  }
}

const keyOf = (row: Row) =>
  [row['Region'], String(row['Number']).padStart(3, '0'), row['Position']].join('|')

const lines: State = {
  rows: (stock['Line'] ?? []).map(rowOf).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
  types: {
    Region: 'text',
    Number: 'integer',
    Position: 'integer',
    Price: 'decimal',
    Note: 'text',
  },
  ways: { 'Order/CustomerId': 'integer', 'Order/Customer/Name': 'text' },
}

const houses: House[] = []

beforeAll(async () => {
  for (const database of databases) {
    const house = await buildHouse(database, 'transformations')
    houses.push(house)
    await openShop(house)
    await stockShop(house, house.mine, stock)
    await stockShop(house, house.other, stock)
  }
})
afterAll(() => Promise.all(houses.map((house) => house.close())))

const read = async (house: House, $apply: string): Promise<string> => {
  const line = shop.resources.find(({ wire }) => wire === 'Line')
  if (line === undefined) throw new Error('a shop without lines')
  const search = new URLSearchParams({ $apply }).toString()
  const plan = planRead(line, parseQuery(search, knownParameters(setOptions, 'refused')), {
    schema: shop,
    companyId: house.mine.id as CompanyId,
    rights: new Set(['directory:read']),
    zone: 'Europe/Oslo',
    clock: () => 0,
    dialect: standard,
    dates: 'date',
    naming: 'declared',
  })
  const rows = await house.store.readJson(plan)
  if (!('whole' in rows)) throw new Error('more than a page')
  return `[${String(rows.whole)}]`
}

test('whatever transformations follow each other, they give what a reader finds who goes through everything', async () => {
  const dice = seededDice()
  const runs = Number(process.env['RUNS'] ?? 400)
  for (let run = 0; run < runs; run++) {
    const { text, state } = sequenceOf(lines, new Random(dice))
    const expected = state.rows.map((row) => objectOf(state, row))
    const answers = await Promise.all(houses.map((house) => read(house, text)))
    for (const answer of answers) {
      expect(JSON.parse(answer), text).toEqual(expected)
      expect(answer, text).toBe(answers[0])
    }
  }
})

test('what is mangled is answered alike on both databases, or refused in words', async () => {
  const dice = seededDice()
  const runs = Number(process.env['RUNS'] ?? 400)
  const pieces = 'Price Note Region N0 N1 null 1 0 -5 ( ) , / eq sum $count as with identity'.split(
    ' ',
  )
  for (let run = 0; run < runs; run++) {
    const { text } = sequenceOf(lines, new Random(dice))
    const parts = text.split(/([(),/ ])/)
    for (let times = dice.below(3) + 1; times > 0; times--)
      parts[dice.below(parts.length)] = dice.pick([...pieces, ...parts])
    const mangled = parts.join('')
    const answers = await Promise.all(
      houses.map((house) =>
        read(house, mangled).catch((error: unknown) => {
          if (error instanceof Fault) return `${error.code} ${error.target}`
          throw new Error(mangled, { cause: error })
        }),
      ),
    )
    for (const answer of answers) expect(answer, mangled).toBe(answers[0])
  }
})
