// Saved views: per user and company, on every database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { savedViews } from '../../src/store/accounts/saved-views.ts'
import { forgetUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type House } from '../support/server.ts'
import { visit } from './session-client.ts'

const views = '/app/data/visninger'
const odd = { screen: 'godkjenning', name: 'Avvik i Bergen', search: '?avvik=true&avd=20' }

describe.each(databases)('$name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'saved-views')
  })
  afterAll(() => house.close())

  const person = () =>
    house.person([
      { company: house.mine, role: 'approver' },
      { company: house.other, role: 'viewer' },
    ])

  const viewsOf = async (visitor: Awaited<ReturnType<typeof visit>>) =>
    (await visitor.get(views)).json.views

  test('a view is saved under its name, replaced under the same name, and deleted', async () => {
    const visitor = await visit(house, await person(), house.mine.name)
    expect((await visitor.act('POST', views, odd)).json.views).toEqual([odd])
    const changed = { ...odd, search: '?avvik=true' }
    await visitor.act('POST', views, { ...odd, name: 'A' })
    expect((await visitor.act('POST', views, changed)).json.views).toEqual([
      { ...odd, name: 'A' },
      changed,
    ])
    const { search: _, ...named } = odd
    expect((await visitor.act('DELETE', views, named)).status).toBe(204)
    expect(await viewsOf(visitor)).toEqual([{ ...odd, name: 'A' }])
  })

  test('nobody else sees it, and neither does the same user in another company', async () => {
    const kari = await person()
    await (await visit(house, kari, house.mine.name)).act('POST', views, odd)
    expect(await viewsOf(await visit(house, kari, house.other.name))).toEqual([])
    const ola = await visit(house, await person(), house.mine.name)
    expect(await viewsOf(ola)).toEqual([])
    await ola.act('DELETE', views, odd)
    expect(await viewsOf(await visit(house, kari, house.mine.name))).toEqual([odd])
  })

  test.each([
    [{ ...odd, screen: 'ukjent' }, 'InvalidValue', 'screen'],
    [{ ...odd, name: ' ' }, 'MissingField', 'name'],
    [{ ...odd, name: '' }, 'MissingField', 'name'],
    [{ ...odd, name: 'x'.repeat(61) }, 'ValueTooLong', 'name'],
    [{ ...odd, search: 'x'.repeat(1_001) }, 'ValueTooLong', 'search'],
  ])('%j is rejected, and nothing is stored', async (view, code, target) => {
    const visitor = await visit(house, await person(), house.mine.name)
    const answer = await visitor.act('POST', views, view)
    expect([answer.status, answer.json.error.code]).toEqual([400, code])
    expect(answer.json.error.target).toBe(target)
    expect(await viewsOf(visitor)).toEqual([])
  })

  test('a user has at most a hundred views', async () => {
    const visitor = await visit(house, await person(), house.mine.name)
    for (let number = 0; number < 100; number += 1)
      expect((await visitor.act('POST', views, { ...odd, name: `${number}` })).status).toBe(200)
    expect((await visitor.act('POST', views, odd)).json.error.code).toBe('InvalidValue')
    expect((await visitor.act('POST', views, { ...odd, name: '7' })).status).toBe(200)
    expect(await viewsOf(visitor)).toHaveLength(100)
  })

  test('the views of an erased user are deleted', async () => {
    const kari = await person()
    await (await visit(house, kari, house.mine.name)).act('POST', views, odd)
    await house.store.inHouseTransaction((writer) => forgetUser(writer, kari.id, 1))
    const owner = { companyId: house.mine.id as CompanyId, userId: kari.id }
    expect(await savedViews(house.store, owner)).toEqual([])
  })
})
