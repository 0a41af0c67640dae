// Registering material in the app: users see, correct and delete their own lines.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { newDepot } from '../support/material-client.ts'
import { fillDirectory } from '../support/directory.ts'
import { buildHouse, type House } from '../support/server.ts'
import { visit } from './session-client.ts'

const mine = '/app/data/uttak/mine'
const line = { date: '2026-11-12', itemName: 'Gips', quantity: '2.5', unit: 'stk' }

describe.each(databases)('$name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'app-own')
  })
  afterAll(() => house.close())

  const open = async () => {
    const depot = await newDepot(house)
    const person = await house.person([{ company: depot.company, role: 'registrant' }])
    return { depot, person, visitor: await visit(house, person) }
  }

  test("a line is registered as through the API, and is the user's own", async () => {
    const { depot, visitor } = await open()
    await depot.register(1)
    const { status, json } = await visitor.act('POST', mine, line)
    expect(status).toBe(200)
    const own = (await visitor.get(mine)).json
    expect(own.rows).toMatchObject([{ id: json.id, quantity: 25_000, state: 'Registrert' }])
    expect(own.items.map(({ itemName }: { itemName: string }) => itemName)).toContain('Gips')
    expect(await depot.all()).toMatchObject([{}, { Varenavn: 'Gips', Antall: 2.5, Kilde: 'app' }])
  })

  test('a rejected line shows the reason, and awaits approval again once it is corrected', async () => {
    const { depot, visitor } = await open()
    const { id } = (await visitor.act('POST', mine, line)).json
    await depot.post(`/prosjekt/Transaksjon(${id})/Avvis`, { grunn: 'Feil antall' })
    expect((await visitor.get(mine)).json.rows).toMatchObject([
      { state: 'Avvist', rejectionReason: 'Feil antall' },
    ])
    const answer = await visitor.act('POST', `${mine}/${id}`, { ...line, quantity: '3' })
    expect(answer.status).toBe(200)
    expect(await depot.all()).toMatchObject([{ Status: 'Registrert', Antall: 3 }])
  })

  test.each([
    [{ projectId: 'Nybygg' }, 'projectId'],
    [{ departmentId: 'Lager' }, 'departmentId'],
    [{ projectId: 'P1', departmentId: 'x' }, 'departmentId'],
  ])('a code that the directory does not have is rejected: %j', async (place, target) => {
    const { depot, visitor } = await open()
    await fillDirectory(house, depot.company, {
      departments: [{ id: '10', name: 'Lager' }],
      projects: [{ id: 'P1', name: 'Nybygg' }],
    })
    const refused = { code: 'ReferenceNotFound', target }
    const answer = await visitor.act('POST', mine, { ...line, ...place })
    expect([answer.status, answer.json.error]).toMatchObject([422, refused])
    expect(await depot.all()).toEqual([])
    const known = { ...line, projectId: 'P1', departmentId: '10' }
    const { id } = (await visitor.act('POST', mine, known)).json
    const changed = await visitor.act('POST', `${mine}/${id}`, { ...known, ...place })
    expect([changed.status, changed.json.error]).toMatchObject([422, refused])
    expect(await depot.all()).toMatchObject([{ ProsjektId: 'P1', AvdelingId: '10' }])
    // An integration may send any code.
    const sent = { Dato: '2026-11-12', VareId: 'a', Antall: 1, ProsjektId: 'Nybygg' }
    expect((await depot.batch([sent])).status).toBe(200)
  })

  test('any code is accepted if the directory has no records of its kind', async () => {
    const { depot, visitor } = await open()
    const answer = await visitor.act('POST', mine, { ...line, projectId: 'A', departmentId: 'B' })
    expect(answer.status).toBe(200)
    expect(await depot.all()).toMatchObject([{ ProsjektId: 'A', AvdelingId: 'B' }])
  })

  test('an approved line is locked: it is neither changed nor deleted', async () => {
    const { depot, visitor } = await open()
    const { id } = (await visitor.act('POST', mine, line)).json
    await depot.approve(id)
    expect((await visitor.act('POST', `${mine}/${id}`, line)).json.error.code).toBe('StateConflict')
    expect((await visitor.act('DELETE', `${mine}/${id}`)).json.error.code).toBe('StateConflict')
    expect(await depot.all()).toMatchObject([{ Status: 'Godkjent', Antall: 2.5 }])
  })

  test('nobody changes or deletes the lines of others', async () => {
    const { depot, visitor } = await open()
    const other = await house.person([{ company: depot.company, role: 'registrant' }])
    const theirs = await visit(house, other)
    const { id } = (await theirs.act('POST', mine, line)).json
    for (const answer of [
      await visitor.act('POST', `${mine}/${id}`, { ...line, quantity: '9' }),
      await visitor.act('DELETE', `${mine}/${id}`),
      await visitor.act('DELETE', `${mine}/999`),
      await visitor.act('DELETE', `${mine}/x`),
    ])
      expect(answer.status).toBe(404)
    expect((await visitor.get(mine)).json.rows).toEqual([])
    expect(await depot.all()).toMatchObject([{ Antall: 2.5 }])
    expect((await theirs.act('DELETE', `${mine}/${id}`)).status).toBe(204)
    expect(await depot.all()).toEqual([])
  })

  test.each([
    [{ quantity: '0' }, 'InvalidValue'],
    [{ quantity: 'to' }, 'InvalidNumber'],
    [{ quantity: '' }, 'MissingField'],
    [{ date: '12.11.2026' }, 'InvalidDate'],
    [{ itemName: '' }, 'MissingField'],
    [{ itemName: 'x'.repeat(201) }, 'ValueTooLong'],
  ])('%j is rejected with %s, and nothing is stored', async (change, code) => {
    const { depot, visitor } = await open()
    const answer = await visitor.act('POST', mine, { ...line, ...change })
    expect([answer.status, answer.json.error.code]).toEqual([400, code])
    expect(await depot.all()).toEqual([])
  })
})
