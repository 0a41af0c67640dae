// Item suggestions: favourites first, then recently used items, then a search of all others.
import { describe, expect, test } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { listFavouriteItems } from '../../src/store/material/items.ts'
import { eraseUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { newMaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'
import { openSession, openSessionAs } from './session-client.ts'

const mine = '/app/data/uttak/mine'
const found = '/app/data/uttak/varer'
const star = '/app/data/uttak/varer/favoritt'

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-items')

  type Visitor = Awaited<ReturnType<typeof openSession>>

  const open = async () => {
    const materialClient = await newMaterialClient(server)
    const person = await server.addUser([{ company: materialClient.company, role: 'registrant' }])
    const session = await openSession(server, person)
    const send = async (rows: object[]) => {
      await expectStatus(materialClient.registerBatch(rows))
    }
    return { materialClient, person, session, send }
  }

  const use = async (session: Visitor, itemName: string, more: object = {}) => {
    const line = { date: '2026-11-12', itemName, quantity: '1', unit: 'stk', ...more }
    await expectStatus(session.send('POST', mine, line))
  }

  const usage = (Varenavn: string, more: object = {}) => ({ Dato: '2026-11-12', Varenavn, Antall: 1, ...more })

  const namesOf = (items: { itemName: string | null; itemId: string | null }[]) =>
    items.map(({ itemName, itemId }) => itemName ?? itemId)

  const chosenFrom = async (session: Visitor): Promise<[string, string][]> =>
    (await session.get(mine)).json.items.map(({ itemName, itemId, group }: Record<string, string>) => [
      itemName ?? itemId,
      group,
    ])

  const search = async (session: Visitor, text: string) =>
    namesOf((await session.get(found, { search: text })).json.items)

  test("favourites come first by name, then the user's items, the department's, and the company's", async () => {
    const { session, send } = await open()
    await send([
      usage('Ås-plate'),
      usage('Åre'),
      usage('I avdelingen', { AvdelingId: '20' }),
      usage('Annet sted', { AvdelingId: '30' }),
      usage('Ærlig talt'),
    ])
    await use(session, 'Egen')
    await use(session, 'Egen sist', { departmentId: '20' })
    for (const itemName of ['Åre', 'Ærlig talt'])
      expect((await session.send('POST', star, { itemName })).status).toBe(204)
    expect(await chosenFrom(session)).toEqual([
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
    const { materialClient, person, session, send } = await open()
    await send([usage('Gips'), usage('', { Varenavn: undefined, VareId: 'A1' })])
    await session.send('POST', star, { itemName: 'Gips' })
    await session.send('POST', star, { itemName: 'Gips' })
    await session.send('POST', star, { itemId: 'A1' })
    const phone = await openSession(server, person)
    expect(await chosenFrom(phone)).toEqual([
      ['A1', 'favourite'],
      ['Gips', 'favourite'],
    ])
    const theirs = await openSessionAs(server, materialClient.company, 'registrant')
    await theirs.send('DELETE', star, { itemName: 'Gips' })
    expect(await chosenFrom(theirs)).toEqual([
      ['A1', 'company'],
      ['Gips', 'company'],
    ])
    expect((await phone.send('DELETE', star, { itemName: 'Gips' })).status).toBe(204)
    expect(await chosenFrom(session)).toEqual([
      ['A1', 'favourite'],
      ['Gips', 'company'],
    ])
  })

  test('an unused item cannot be a favourite, and no company sees the items of another', async () => {
    const { session } = await open()
    const elsewhere = await open()
    await elsewhere.send([usage('Hemmelig plate')])
    expectError(await session.send('POST', star, { itemName: 'Hemmelig plate' }), 404, 'NotFound')
    expect(await search(session, 'hemmelig')).toEqual([])
    expect(await chosenFrom(session)).toEqual([])
  })

  test('an item is found by its words in any letter case, also if it was used long ago', async () => {
    const { session, send } = await open()
    await send([
      usage('ØREPLUGG 40 mm', { VareId: 'X-77' }),
      usage('Støvmaske, ørepropper'),
      ...Array.from({ length: 1_000 }, () => usage('Skrue 100 %')),
    ])
    expect(namesOf((await session.get(mine)).json.items)).toEqual(['Skrue 100 %'])
    expect(await search(session, 'ørep')).toEqual(['ØREPLUGG 40 mm', 'Støvmaske, ørepropper'])
    expect(await search(session, '  mm ørep 40 x-77')).toEqual(['ØREPLUGG 40 mm'])
    expect(await search(session, '0 %')).toEqual(['Skrue 100 %'])
    expect(await search(session, '_re')).toEqual([])
  })

  test('an item has its latest unit and price', async () => {
    const { session, send } = await open()
    await send([usage('Gips', { Enhet: 'stk', Salgspris: 10 }), usage('Gips', { Enhet: 'm2' })])
    await use(session, 'Gips', { unit: '', salesPrice: '12.50' })
    expect((await session.get(found, { search: 'gips' })).json.items).toEqual([
      { itemId: null, itemName: 'Gips', unit: 'm2', salesPrice: 125_000 },
    ])
  })

  test('a user has at most a hundred favourites, and none remain after erasure', async () => {
    const { materialClient, person, session, send } = await open()
    await send(Array.from({ length: 101 }, (_, at) => usage(`Vare ${at}`)))
    for (let at = 0; at < 100; at += 1) await session.send('POST', star, { itemName: `Vare ${at}` })
    expectError(await session.send('POST', star, { itemName: 'Vare 100' }), 400, 'InvalidValue')
    const fan = { companyId: materialClient.company.id as CompanyId, userId: person.id }
    expect(await listFavouriteItems(server.store, fan)).toHaveLength(100)
    await server.store.inSystemTransaction((writer) => eraseUser(writer, person.id, 1))
    expect(await listFavouriteItems(server.store, fan)).toEqual([])
  })
})
