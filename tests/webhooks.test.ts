// Webhooks: signed deliveries, retried for a day, isolated by company.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Encryptor } from '../src/auth/tokens/encryptor.ts'
import { webhookSecretContext, WebhookDelivery } from '../src/notifications/webhooks/deliver.ts'
import { generateWebhookSecret } from '../src/notifications/webhooks/signature.ts'
import { parseNetworks } from '../src/lib/network.ts'
import { listDeliveries, insertEvent, insertEventFor, resendDelivery } from '../src/store/notifications/deliveries.ts'
import { insertDestination } from '../src/store/export/destinations.ts'
import {
  insertWebhook,
  deleteWebhook,
  setWebhookDisabled,
  rotateWebhookSecret,
  listWebhooks,
} from '../src/store/notifications/webhooks.ts'
import { withSchemaConnection } from '../src/store/open-store.ts'
import { databases } from './support/databases.ts'
import { newMaterialClient, usage, type MaterialClient } from './support/material-client.ts'
import { expectStatus } from './support/replies.ts'
import { useTestServer } from './support/server.ts'
import { startReceiver, useWebhookReceiver } from './support/webhook-receiver.ts'

const minute = 60_000_000
const hour = 60 * minute
const encryptor = new Encryptor({ pepper: Buffer.alloc(32, 7), random: randomBytes }, 'webhooks')

describe.each(databases)('webhooks on $name', (database) => {
  const server = useTestServer(database, 'webhooks')
  const here = useWebhookReceiver()
  let materialClient: MaterialClient
  let now: number
  beforeEach(async () => {
    now = Date.now() * 1000
    server.clock.now = () => now
    materialClient = await newMaterialClient(server)
  })
  afterEach(async () => {
    for (const { id } of await listWebhooks(server.store, { companyId: materialClient.company.id }))
      await server.store.inSystemTransaction((writer) => deleteWebhook(writer, materialClient.company.id, id))
  })

  const add = async (types = '', url = here.url, company = materialClient.company) => {
    const secret = generateWebhookSecret(randomBytes)
    const sealed = encryptor.encrypt(secret, webhookSecretContext(company.id))
    const row = { companyId: company.id, url, types, secret: sealed, createdAt: now }
    const id = await server.store.inSystemTransaction((writer) => insertWebhook(writer, row))
    return { id, secret }
  }
  const delivery = (allowed = ['127.0.0.0/8']) =>
    new WebhookDelivery({
      store: server.store,
      encryptor,
      clock: () => now,
      random: randomBytes,
      allowed: parseNetworks(allowed),
      onFailure: () => {},
    })
  const deliveredEvents = () => here.received.map(({ body }) => JSON.parse(body) as { type: string; data: unknown })
  /** Starts a receiver that never replies. */
  const hang = async () => {
    const held: ServerResponse[] = []
    const { server: hanging, url } = await startReceiver((_, response) => held.push(response))
    const end = () => {
      hanging.closeAllConnections()
      hanging.close()
    }
    return { held, url, end }
  }
  const log = () => listDeliveries(server.store, materialClient.company.id, 0)

  test('an event after a restore has another webhook-id than one that the restore has lost', async () => {
    await add('transaction.registered')
    await materialClient.register(1)
    await delivery().deliverDue()
    // A restored database assigns the same ids of events.
    await withSchemaConnection(server.url, async (db, dialect) => {
      if (dialect === 'postgres') await sql`truncate event, delivery restart identity`.execute(db)
      else
        for (const table of ['delivery', 'event', 'sqlite_sequence'])
          await sql`delete from ${sql.table(table)}`.execute(db)
    })
    now += minute
    await materialClient.register(1)
    await delivery().deliverDue()
    const [before = '', after = ''] = here.received.map(({ headers }) => String(headers['webhook-id']))
    expect(before.replace(/\d+$/, '')).toBe(after.replace(/\d+$/, ''))
    expect(before).not.toBe(after)
  })

  test('a line that is offered again because another destination has it is announced for its destination', async () => {
    const { id: companyId } = materialClient.company
    await server.store.inSystemTransaction((writer) => insertDestination(writer, { companyId, name: 'lønn', now: 1 }))
    const [id = 0] = await materialClient.register(1)
    await materialClient.approve(id)
    await materialClient.exportList()
    await materialClient.call('POST', `/prosjekt/Transaksjon(${id})/TrekkGodkjenning`)
    await add('export.ready')
    await materialClient.acknowledge({ ids: [id] })
    await delivery().deliverDue()
    expect(deliveredEvents()).toMatchObject([
      { type: 'export.ready', data: { count: 1, ids: [id], destination: 'lønn' } },
    ])
  })

  test('an undone line that waits for the approval of a change is not announced as ready', async () => {
    await materialClient.setDestination({ corrections: 'lines' })
    const [changed = 0, unchanged = 0] = await materialClient.register(2)
    await materialClient.approve(changed, unchanged)
    await materialClient.acknowledge({ ids: [changed, unchanged] })
    const edited = await materialClient.call('PATCH', `/prosjekt/Transaksjon(${changed})`, { json: { Antall: 7 } })
    expect(edited.json).toMatchObject({ Status: 'Registrert' })
    await add('export.ready,export.undone')
    await materialClient.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [changed, unchanged], grunn: 'feil' })
    await delivery().deliverDue()
    expect(deliveredEvents()).toMatchObject([
      { type: 'export.undone', data: { ids: [changed, unchanged] } },
      { type: 'export.ready', data: { ids: [unchanged] } },
    ])
    expect(await materialClient.listedIds()).toEqual([unchanged])
  })

  test('each action sends one event with the ids, signed as Standard Webhooks requires', async () => {
    const { secret } = await add()
    const [id = 0, other = 0] = await materialClient.register(2)
    await materialClient.approve(id)
    await materialClient.call('POST', `/prosjekt/Transaksjon(${other})/Avvis`, { json: { grunn: 'nei' } })
    await materialClient.acknowledge({ ids: [id] })
    await materialClient.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [id], grunn: 'feil' })
    await materialClient.call('POST', '/dev/Omsetning/Lagre', {
      json: { Dato: '2024-05-01', AvdelingID: '1', Omsetning: 5 },
    })
    await delivery().deliverDue()
    const byType = new Map(deliveredEvents().map(({ type, data }) => [type, data]))
    expect([...byType.keys()].sort()).toEqual([
      'export.marked',
      'export.ready',
      'export.undone',
      'revenue.changed',
      'transaction.approved',
      'transaction.registered',
      'transaction.rejected',
    ])
    expect(byType.get('transaction.registered')).toMatchObject({ count: 2, ids: [id, other] })
    expect(byType.get('export.marked')).toMatchObject({
      count: 1,
      ids: [id],
      destination: 'default',
      actor: expect.stringMatching(/^key:/),
    })
    expect(byType.get('revenue.changed')).toMatchObject({ count: 1, ids: [1] })
    // Ready twice: approved, and undone.
    expect(here.received).toHaveLength(8)
    const verifier = new Webhook(secret)
    for (const { body, headers } of here.received) {
      expect(verifier.verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => verifier.verify(`${body} `, headers)).toThrow()
    }
    expect(new Set(here.received.map(({ headers }) => headers['webhook-id'])).size).toBe(8)
    await delivery().deliverDue()
    expect(here.received).toHaveLength(8)
    expect(await log()).toMatchObject(
      Array.from({ length: 8 }, () => ({ attempts: 1, status: 204, nextAttemptAt: null, lastError: null })),
    )
  })

  test('no events of other types, of other companies, or of rolled-back transactions are sent', async () => {
    await add('export.marked,export.undone')
    const otherClient = await newMaterialClient(server)
    await otherClient.approve(...(await otherClient.register(1)))
    await otherClient.acknowledge({ ids: [1] })
    await materialClient.registerBatch([usage], { dryRun: 'true' })
    await materialClient.approve(...(await materialClient.register(1)))
    await materialClient.acknowledge({ ids: [1] }, { dryRun: 'true' })
    await delivery().deliverDue()
    expect(deliveredEvents()).toEqual([])
    await materialClient.acknowledge({ ids: [1] })
    await Promise.all([delivery().deliverDue(), delivery().deliverDue()])
    expect(deliveredEvents().map(({ type }) => type)).toEqual(['export.marked'])
  })

  test('a list of revenue sends one event, however long it is, and with each record once', async () => {
    await add('revenue.changed')
    const path = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'
    const rows = Array.from({ length: 500 }, (_, index) => ({
      Dato: '2024-05-01',
      AvdelingID: String(index % 300),
      Omsetning: index,
    }))
    for (const list of [rows, rows.slice(0, 300), []]) {
      now += minute
      await expectStatus(materialClient.call('POST', path, { json: list }))
    }
    await delivery().deliverDue()
    const changed = { count: 300, ids: Array.from({ length: 300 }, (_, index) => index + 1) }
    expect(deliveredEvents()).toMatchObject([{ data: changed }, { data: changed }])
  })

  test('upserts that arrive together, of new and of stored records, send an event each', async () => {
    await add('revenue.changed')
    const upsert = async (departmentId: string, amount: number) => {
      const json = [{ Dato: '2024-05-01', AvdelingID: departmentId, Omsetning: amount }]
      await expectStatus(materialClient.call('POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', { json }))
    }
    // Upserts of new records are run again, and those after them one by one, for a while.
    for (let round = 0; round < 20; round++)
      await Promise.all(['1', '2', '3', '4'].map((departmentId) => upsert(departmentId, round)))
    await Promise.all(['1', '5', '2', '6'].map((departmentId) => upsert(departmentId, 99)))
    expect(await log()).toHaveLength(21 * 4)
  })

  const changeRevenue = () =>
    materialClient.call('POST', '/dev/Omsetning/Lagre', { json: { Dato: '2024-05-01', AvdelingID: '1', Omsetning: 5 } })

  test('a webhook gets the events from its insert to its deletion, also by another process', async () => {
    const other = await server.secondInstance()
    await changeRevenue()
    const { id } = await add('revenue.changed')
    await changeRevenue()
    expect(await log()).toMatchObject([{ webhookId: id }])
    await other.store.inSystemTransaction((writer) => deleteWebhook(writer, materialClient.company.id, id))
    await changeRevenue()
    const secret = encryptor.encrypt('x', webhookSecretContext(materialClient.company.id))
    const { id: companyId } = materialClient.company
    const row = { companyId, url: here.url, types: '', secret, createdAt: now }
    const second = await other.store.inSystemTransaction((writer) => insertWebhook(writer, row))
    await changeRevenue()
    const key = { companyId, id: second }
    await server.store.inSystemTransaction((writer) => setWebhookDisabled(writer, { ...key, disabledAt: now }))
    // A rollback empties the cache, so that the next change finds no webhook.
    await server.store.inSystemTransaction(() => Promise.reject(new Error())).catch(() => {})
    await changeRevenue()
    await server.store.inSystemTransaction((writer) => setWebhookDisabled(writer, { ...key, disabledAt: null }))
    await changeRevenue()
    expect(await log()).toMatchObject([{ webhookId: second }, { webhookId: second }])
  })

  test('a webhook whose deletion is rolled back gets the events after it', async () => {
    const { id } = await add('revenue.changed')
    const { id: companyId } = materialClient.company
    const event = { companyId, type: 'revenue.changed', at: now, data: '{}' }
    const deleteInVain = () =>
      server.store.inSystemTransaction(async (writer) => {
        await deleteWebhook(writer, companyId, id)
        await insertEvent(writer, event)
        throw new Error('rolled back')
      })
    await expect(deleteInVain()).rejects.toThrow('rolled back')
    await changeRevenue()
    expect(await log()).toHaveLength(1)
    // Beside another operation of the same commit.
    const beside = server.store.inSystemTransaction(() => {})
    await expect(deleteInVain()).rejects.toThrow('rolled back')
    await beside
    await changeRevenue()
    expect(await log()).toHaveLength(2)
  })

  test('a failed delivery is retried under the same id, with growing delays, for a day; then by hand', async () => {
    await add('transaction.registered')
    await materialClient.register(1)
    const began = now
    here.status = 500
    const worker = delivery()
    await worker.deliverDue()
    await worker.deliverDue()
    expect(await log()).toMatchObject([{ attempts: 1, status: 500, lastError: 'status 500' }])
    const waits: number[] = []
    for (;;) {
      const [{ nextAttemptAt } = { nextAttemptAt: null }] = await log()
      if (nextAttemptAt === null) break
      waits.push(nextAttemptAt - now)
      now = nextAttemptAt
      await worker.deliverDue()
    }
    expect(now - began).toBeLessThan(24 * hour)
    expect(waits[0]).toBeLessThan(7_000_000)
    expect(Math.max(...waits)).toBeGreaterThan(hour)
    expect(here.received.length).toBe(waits.length + 1)
    expect(new Set(here.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    now += 30 * hour
    await worker.deliverDue()
    expect(here.received.length).toBe(waits.length + 1)
    here.status = 200
    const [{ id } = { id: 0 }] = await log()
    const again = (company: number) =>
      server.store.inSystemTransaction((writer) => resendDelivery(writer, { companyId: company, id, now }))
    expect(await again(materialClient.company.id + 999)).toBe(false)
    expect(await again(materialClient.company.id)).toBe(true)
    await worker.deliverDue()
    expect(await log()).toMatchObject([{ status: 200, nextAttemptAt: null, deliveredAt: now }])
  })

  test('410 disables the webhook, and a redirect is not followed', async () => {
    const { id } = await add('transaction.registered')
    here.status = 307
    await materialClient.register(1)
    await delivery().deliverDue()
    expect(await log()).toMatchObject([{ status: 307, lastError: 'status 307' }])
    now += minute
    here.status = 410
    await delivery().deliverDue()
    expect(await log()).toMatchObject([{ status: 410, nextAttemptAt: null }])
    expect(await listWebhooks(server.store, { companyId: materialClient.company.id })).toMatchObject([
      { id, disabledAt: now },
    ])
    await materialClient.register(1)
    expect(await log()).toHaveLength(1)
  })

  test('internal addresses are not called, by number or by name, unless the operator allows them', async () => {
    const { port } = new URL(here.url)
    const inside = [
      here.url,
      here.url.replace('http:', 'https:'),
      `http://localhost:${port}/`,
      `https://localhost:${port}/`,
      `https://[::1]:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      `https://[::ffff:7f00:1]:${port}/`,
      `https://[::ffff:0:7f00:1]:${port}/`,
      `https://0x7f000001:${port}/`,
      'https://[3fff::1]/',
      'https://[5f00::1]/',
      'https://[100:0:0:1::1]/',
      'https://169.254.169.254/latest',
      'https://10.1.2.3/',
      // Other networks are called with TLS alone.
      'http://8.8.8.8/',
    ]
    for (const url of inside) await add('transaction.registered', url)
    await materialClient.register(1)
    await delivery([]).deliverDue()
    expect(here.received).toEqual([])
    const problems = (await log()).map(({ lastError }) => lastError)
    expect(problems).toEqual(inside.map(() => 'address not allowed'))
  })

  test('a receiver that hangs does not delay other deliveries, nor later ones', async () => {
    const { held, url, end } = await hang()
    await add('transaction.registered', url)
    for (let count = 0; count < 12; count++) await materialClient.register(1)
    await add('transaction.registered')
    const worker = delivery()
    const rounds: Promise<void>[] = []
    for (const all of [1, 2]) {
      now += 1_000_000
      await materialClient.register(1)
      rounds.push(worker.deliverDue())
      await expect.poll(() => here.received.length).toBe(all)
    }
    await expect.poll(() => held.length).toBe(2)
    const stopped = worker.stop()
    end()
    await Promise.all([...rounds, stopped])
    expect(held).toHaveLength(2)
  })

  test('a company whose receivers all hang does not delay the deliveries of another company', async () => {
    const { held, url, end } = await hang()
    for (let webhook = 0; webhook < 8; webhook++) await add('transaction.registered', url)
    await materialClient.register(1)
    now += 1_000_000
    const worker = delivery()
    const rounds = [worker.deliverDue()]
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(6)
    materialClient = await newMaterialClient(server)
    await add('transaction.registered')
    await materialClient.register(1)
    now += 1_000_000
    rounds.push(worker.deliverDue())
    await expect.poll(() => here.received.length).toBe(1)
    expect(held).toHaveLength(6)
    const stopped = worker.stop()
    end()
    await Promise.all([...rounds, stopped])
  })

  test('a company without a delivery in progress comes before the waiting ones of companies whose receivers hang', async () => {
    const { held, url, end } = await hang()
    for (const _ of [1, 2]) {
      materialClient = await newMaterialClient(server)
      for (let webhook = 0; webhook < 8; webhook++) await add('transaction.registered', url)
      await materialClient.register(1)
    }
    now += 1_000_000
    const worker = delivery()
    const rounds = [worker.deliverDue()]
    await expect.poll(() => held.length).toBe(8)
    materialClient = await newMaterialClient(server)
    await add('transaction.registered')
    await materialClient.register(1)
    now += 1_000_000
    rounds.push(worker.deliverDue())
    held[0]?.writeHead(204).end()
    await expect.poll(() => here.received.length).toBe(1)
    const stopped = worker.stop()
    end()
    await Promise.all([...rounds, stopped])
  })

  test('a receiver that does not reply in time gets nothing for a while, and what is a day old then is given up', async () => {
    const timeout = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation(() => AbortSignal.abort(new DOMException('', 'TimeoutError')))
    await add('transaction.registered')
    for (let count = 0; count < 12; count++) await materialClient.register(1)
    const attempts = async () => (await log()).reduce((sum, row) => sum + row.attempts, 0)
    const worker = delivery()
    await worker.deliverDue()
    const first = await attempts()
    // Two at once may have begun.
    expect(first).toBeLessThanOrEqual(2)
    now += 3_000_000
    await worker.deliverDue()
    expect(await attempts()).toBe(first)
    now += 4_000_000
    await worker.deliverDue()
    expect(await attempts()).toBeGreaterThan(first)
    now += 25 * hour
    await worker.deliverDue()
    for (const row of await log()) expect(row).toMatchObject({ nextAttemptAt: null, lastError: 'timeout' })
    expect((await log()).map((row) => row.attempts)).toContain(0)
    await materialClient.register(1)
    timeout.mockRestore()
    now += 2 * minute
    await worker.deliverDue()
    expect(here.received).toHaveLength(1)
  })

  test('a receiver that switches protocols has failed, and holds up no delivery', async () => {
    const { server: upgrading, url } = await startReceiver()
    upgrading.on('connection', (socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    })
    await add('', url)
    await materialClient.register(1)
    await delivery().deliverDue()
    expect(await log()).toMatchObject([{ attempts: 1, status: null, lastError: 'no response', deliveredAt: null }])
    upgrading.close()
  })

  test('a server that stops does not wait for a hanging receiver, whose delivery is retried', async () => {
    const { server: hanging, url } = await startReceiver()
    await add('', url)
    await materialClient.register(1)
    const server = delivery()
    const called = once(hanging, 'request')
    const round = server.deliverDue()
    await called
    // It waits for what it has begun alone, or every call of a second would wait and report the same error.
    await server.deliverDue()
    expect(await log()).toMatchObject([{ attempts: 1, lastError: null }])
    await server.stop()
    await round
    expect(await log()).toMatchObject([{ attempts: 1, lastError: 'server stopped', deliveredAt: null }])
    expect((await log())[0]?.nextAttemptAt).toBeLessThan(now + minute)
    hanging.close()
    hanging.closeAllConnections()
  })

  test('a delivery whose webhook was deleted is dropped, and does not block others', async () => {
    const event = { companyId: materialClient.company.id, type: 'export.ready', at: now - hour, data: '{}' }
    await server.store.inSystemTransaction((writer) => insertEventFor(writer, 999_999, event))
    expect(await log()).toHaveLength(1)
    await add()
    await materialClient.register(1)
    await delivery().deliverDue()
    expect(deliveredEvents()).toMatchObject([{ type: 'transaction.registered' }])
    expect(await log()).toMatchObject([{ deliveredAt: now }])
  })

  test('while a secret is replaced both sign, and then the new one alone', async () => {
    const { id, secret } = await add('transaction.registered')
    const next = generateWebhookSecret(randomBytes)
    const rotated = {
      secret: encryptor.encrypt(next, webhookSecretContext(materialClient.company.id)),
      until: now + hour,
    }
    await server.store.inSystemTransaction((writer) =>
      rotateWebhookSecret(writer, { companyId: materialClient.company.id, id, ...rotated }),
    )
    const isTaken = (key: string) => {
      const { body, headers } = here.received.at(-1) ?? { body: '', headers: {} }
      try {
        new Webhook(key).verify(body, headers)
        return true
      } catch {
        return false
      }
    }
    await materialClient.register(1)
    await delivery().deliverDue()
    expect([isTaken(secret), isTaken(next)]).toEqual([true, true])
    now += hour
    await materialClient.register(1)
    await delivery().deliverDue()
    // The library accepts timestamps of the last five minutes.
    const signatures = String(here.received.at(-1)?.headers['webhook-signature']).split(' ')
    expect(signatures).toHaveLength(1)
  })

  test('a test event is sent to that webhook alone', async () => {
    const { id } = await add('export.marked')
    await add()
    const event = { companyId: materialClient.company.id, type: 'webhook.test', at: now, data: '{}' }
    await server.store.inSystemTransaction((writer) => insertEventFor(writer, id, event))
    await delivery().deliverDue()
    expect(deliveredEvents()).toEqual([{ type: 'webhook.test', timestamp: expect.any(String), data: {} }])
  })
})
