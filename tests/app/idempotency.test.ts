// ADR 0106: a request that the app repeats is executed once, on both databases.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { newDepot, type Depot } from '../support/material-client.ts'
import { buildHouse, type House } from '../support/server.ts'
import { visit } from './session-client.ts'

const mine = '/app/data/uttak/mine'
const decide = '/app/data/uttak/beslutt'
const line = { date: '2026-11-12', itemName: 'Gips', quantity: '2.5', unit: 'stk' }

describe.each(databases)('$name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'app-once')
  })
  afterAll(() => house.close())

  const worker = async ({ company }: Depot, role: 'registrant' | 'approver') =>
    visit(house, await house.person([{ company, role }]))

  const keyed = () => ({ 'idempotency-key': randomUUID() })

  test('a line repeated under its Idempotency-Key is stored once, however often and at once', async () => {
    const depot = await newDepot(house)
    const visitor = await worker(depot, 'registrant')
    const key = keyed()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => visitor.act('POST', mine, line, key)),
    )
    const [id] = await depot.all()
    expect(answers.map(({ status, json }) => [status, json.id])).toEqual(
      Array.from({ length: 5 }, () => [200, id.Id]),
    )
    expect(
      answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true'),
    ).toHaveLength(4)
    expect(await depot.all()).toHaveLength(1)
    await visitor.act('POST', mine, line, keyed())
    expect(await depot.all()).toHaveLength(2)
  })

  test('the Idempotency-Key of another line is rejected, and so is an invalid one', async () => {
    const depot = await newDepot(house)
    const visitor = await worker(depot, 'registrant')
    const key = keyed()
    await visitor.act('POST', mine, line, key)
    const other = await visitor.act('POST', mine, { ...line, quantity: '3' }, key)
    expect([other.status, other.json.error.code]).toEqual([422, 'IdempotencyKeyReused'])
    const none = await visitor.act('POST', mine, line, { 'idempotency-key': 'mellom rom' })
    expect([none.status, none.json.error.code]).toEqual([400, 'IdempotencyKeyInvalid'])
    expect(await depot.all()).toHaveLength(1)
  })

  test('a rejected line stores no reply: corrected, it is accepted under the same key', async () => {
    const depot = await newDepot(house)
    const visitor = await worker(depot, 'registrant')
    const key = keyed()
    expect((await visitor.act('POST', mine, { ...line, quantity: '0' }, key)).status).toBe(400)
    expect((await visitor.act('POST', mine, line, key)).status).toBe(200)
  })

  test('a repeated approval does not undo later changes', async () => {
    const depot = await newDepot(house)
    const [id] = await depot.register(1)
    const visitor = await worker(depot, 'approver')
    const key = keyed()
    const asked = { act: 'approve', ids: String(id) }
    const first = await visitor.act('POST', decide, asked, key)
    expect(first.json.done).toEqual([id])
    await visitor.act('POST', decide, { act: 'withdraw', ids: String(id) }, keyed())
    const again = await visitor.act('POST', decide, asked, key)
    expect(again.json).toEqual(first.json)
    expect(await depot.all()).toMatchObject([{ Status: 'Registrert' }])
  })

  test('an Idempotency-Key belongs to one user: the same key of another user is a new request', async () => {
    const depot = await newDepot(house)
    const key = keyed()
    for (const visitor of [await worker(depot, 'registrant'), await worker(depot, 'approver')])
      expect((await visitor.act('POST', mine, line, key)).headers['idempotency-replayed']).toBe(
        undefined,
      )
    expect(await depot.all()).toHaveLength(2)
  })
})
