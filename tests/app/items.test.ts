// Item suggestions: favourites first, then recently used items, then a search of all others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { favouriteItems } from '../../src/store/material/items.ts'
import { forgetUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { newDepot } from '../support/material-client.ts'
import { buildHouse, type House } from '../support/server.ts'
import { visit } from './session-client.ts'

const mine = '/app/data/uttak/mine'
const found = '/app/data/uttak/varer'
const star = '/app/data/uttak/varer/favoritt'

describe.each(databases)('$name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'app-items')
  })
  afterAll(() => house.close())

  type Visitor = Awaited<ReturnType<typeof visit>>

  const open = async () => {
    const depot = await newDepot(house)
    const person = await house.person([{ company: depot.company, role: 'registrant' }])
    const visitor = await visit(house, person)
    const send = async (rows: object[]) => {
      const answer = await depot.batch(rows)
      expect(answer.status, answer.text).toBe(200)
    }
    return { depot, person, visitor, send }
  }

  const use = async (visitor: Visitor, itemName: string, more: object = {}) => {
    const line = { date: '2026-11-12', itemName, quantity: '1', unit: 'stk', ...more }
    const answer = await visitor.act('POST', mine, line)
    expect(answer.status, answer.text).toBe(200)
  }

  const usage = (Varenavn: string, more: object = {}) => ({
    Dato: '2026-11-12',
    Varenavn,
    Antall: 1,
    ...more,
  })

  const namesOf = (items: { itemName: string | null; itemId: string | null }[]) =>
    items.map(({ itemName, itemId }) => itemName ?? itemId)

  const chosenFrom = async (visitor: Visitor): Promise<[string, string][]> =>
    (await visitor.get(mine)).json.items.map(
      ({ itemName, itemId, group }: Record<string, string>) => [itemName ?? itemId, group],
    )

  const search = async (visitor: Visitor, text: string) =>
    namesOf((await visitor.get(found, { search: text })).json.items)

  test("favourites come first by name, then the user's items, the department's, and the company's", async () => {
    const { visitor, send } = await open()
    await send([
      usage('Ås-plate'),
      usage('Åre'),
      usage('I avdelingen', { AvdelingId: '20' }),
      usage('Annet sted', { AvdelingId: '30' }),
      usage('Ærlig talt'),
    ])
    await use(visitor, 'Egen')
    await use(visitor, 'Egen sist', { departmentId: '20' })
    for (const itemName of ['Åre', 'Ærlig talt'])
      expect((await visitor.act('POST', star, { itemName })).status).toBe(204)
    expect(await chosenFrom(visitor)).toEqual([
      ['Ærlig talt', 'favourite'],
      ['Åre', 'favourite'],
      ['Egen sist', 'own'],
      ['Egen', 'own'],
      ['I avdelingen', 'department'],
      ['Annet sted', 'company'],
      ['Ås-plate', 'company'],
    ])
  })

  test('a favourite belongs to the user, on every device, until it is removed', async () => {
    const { depot, person, visitor, send } = await open()
    await send([usage('Gips'), usage('', { Varenavn: undefined, VareId: 'A1' })])
    await visitor.act('POST', star, { itemName: 'Gips' })
    await visitor.act('POST', star, { itemName: 'Gips' })
    await visitor.act('POST', star, { itemId: 'A1' })
    const phone = await visit(house, person)
    expect(await chosenFrom(phone)).toEqual([
      ['A1', 'favourite'],
      ['Gips', 'favourite'],
    ])
    const other = await house.person([{ company: depot.company, role: 'registrant' }])
    const theirs = await visit(house, other)
    await theirs.act('DELETE', star, { itemName: 'Gips' })
    expect(await chosenFrom(theirs)).toEqual([
      ['A1', 'company'],
      ['Gips', 'company'],
    ])
    expect((await phone.act('DELETE', star, { itemName: 'Gips' })).status).toBe(204)
    expect(await chosenFrom(visitor)).toEqual([
      ['A1', 'favourite'],
      ['Gips', 'company'],
    ])
  })

  test('an unused item cannot be a favourite, and no company sees the items of another', async () => {
    const { visitor } = await open()
    const elsewhere = await open()
    await elsewhere.send([usage('Hemmelig plate')])
    const answer = await visitor.act('POST', star, { itemName: 'Hemmelig plate' })
    expect([answer.status, answer.json.error.code]).toEqual([404, 'NotFound'])
    expect(await search(visitor, 'hemmelig')).toEqual([])
    expect(await chosenFrom(visitor)).toEqual([])
  })

  test('an item is found by its words in any letter case, also if it was used long ago', async () => {
    const { visitor, send } = await open()
    await send([
      usage('ØREPLUGG 40 mm', { VareId: 'X-77' }),
      usage('Støvmaske, ørepropper'),
      ...Array.from({ length: 1_000 }, () => usage('Skrue 100 %')),
    ])
    expect(namesOf((await visitor.get(mine)).json.items)).toEqual(['Skrue 100 %'])
    expect(await search(visitor, 'ørep')).toEqual(['ØREPLUGG 40 mm', 'Støvmaske, ørepropper'])
    expect(await search(visitor, '  mm ørep 40 x-77')).toEqual(['ØREPLUGG 40 mm'])
    expect(await search(visitor, '0 %')).toEqual(['Skrue 100 %'])
    expect(await search(visitor, '_re')).toEqual([])
  })

  test('an item has its latest unit and price', async () => {
    const { visitor, send } = await open()
    await send([usage('Gips', { Enhet: 'stk', Salgspris: 10 }), usage('Gips', { Enhet: 'm2' })])
    await use(visitor, 'Gips', { unit: '', salesPrice: '12.50' })
    expect((await visitor.get(found, { search: 'gips' })).json.items).toEqual([
      { itemId: null, itemName: 'Gips', unit: 'm2', salesPrice: 125_000 },
    ])
  })

  test('a user has at most a hundred favourites, and none remain after erasure', async () => {
    const { depot, person, visitor, send } = await open()
    await send(Array.from({ length: 101 }, (_, at) => usage(`Vare ${at}`)))
    for (let at = 0; at < 100; at += 1) await visitor.act('POST', star, { itemName: `Vare ${at}` })
    const answer = await visitor.act('POST', star, { itemName: 'Vare 100' })
    expect([answer.status, answer.json.error.code]).toEqual([400, 'InvalidValue'])
    const fan = { companyId: depot.company.id as CompanyId, userId: person.id }
    expect(await favouriteItems(house.store, fan)).toHaveLength(100)
    await house.store.inHouseTransaction((writer) => forgetUser(writer, person.id, 1))
    expect(await favouriteItems(house.store, fan)).toEqual([])
  })
})
