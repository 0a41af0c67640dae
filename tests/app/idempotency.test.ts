// ADR 0047: a request that the app repeats is executed once, on both databases.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { useMaterialClient, type MaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'
import { openSessionAs } from './session-client.ts'

const mine = '/app/data/uttak/mine'
const decide = '/app/data/uttak/beslutt'
const line = { date: '2026-11-12', itemName: 'Gips', quantity: '2.5', unit: 'stk' }

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-once')
  const materialClient = useMaterialClient(server)

  const worker = async ({ company }: MaterialClient, role: 'registrant' | 'approver') =>
    openSessionAs(server, company, role)

  const keyed = () => ({ 'idempotency-key': randomUUID() })

  test('a line repeated under its Idempotency-Key is stored once, however often and at once', async () => {
    const session = await worker(materialClient, 'registrant')
    const key = keyed()
    const replies = await Promise.all(Array.from({ length: 5 }, () => session.send('POST', mine, line, key)))
    const [id] = await materialClient.transactions()
    expect(replies.map(({ status, json }) => [status, json.id])).toEqual(Array.from({ length: 5 }, () => [200, id.Id]))
    expect(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(4)
    expect(await materialClient.transactions()).toHaveLength(1)
    await session.send('POST', mine, line, keyed())
    expect(await materialClient.transactions()).toHaveLength(2)
  })

  test('the Idempotency-Key of another line is rejected, and so is an invalid one', async () => {
    const session = await worker(materialClient, 'registrant')
    const key = keyed()
    await session.send('POST', mine, line, key)
    expectError(await session.send('POST', mine, { ...line, quantity: '3' }, key), 422, 'IdempotencyKeyReused')
    const none = await session.send('POST', mine, line, { 'idempotency-key': 'mellom rom' })
    expect([none.status, none.json.error.code]).toEqual([400, 'IdempotencyKeyInvalid'])
    expect(await materialClient.transactions()).toHaveLength(1)
  })

  test('a rejected line stores no reply: corrected, it is accepted under the same key', async () => {
    const session = await worker(materialClient, 'registrant')
    const key = keyed()
    expect((await session.send('POST', mine, { ...line, quantity: '0' }, key)).status).toBe(400)
    expect((await session.send('POST', mine, line, key)).status).toBe(200)
  })

  test('a repeated approval does not undo later changes', async () => {
    const [id] = await materialClient.register(1)
    const session = await worker(materialClient, 'approver')
    const key = keyed()
    const decision = { action: 'approve', ids: String(id) }
    const first = await session.send('POST', decide, decision, key)
    expect(first.json.done).toEqual([id])
    await session.send('POST', decide, { action: 'withdraw', ids: String(id) }, keyed())
    const again = await session.send('POST', decide, decision, key)
    expect(again.json).toEqual(first.json)
    expect(await materialClient.transactions()).toMatchObject([{ Status: 'Registrert' }])
  })

  test('an Idempotency-Key belongs to one user: the same key of another user is a new request', async () => {
    const key = keyed()
    for (const session of [await worker(materialClient, 'registrant'), await worker(materialClient, 'approver')])
      expect((await session.send('POST', mine, line, key)).headers['idempotency-replayed']).toBe(undefined)
    expect(await materialClient.transactions()).toHaveLength(2)
  })
})
