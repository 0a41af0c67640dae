// Webhooks: signed deliveries, retried for a day, isolated by company.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Seal } from '../src/auth/tokens/encryptor.ts'
import { aboutSecret, EventDelivery } from '../src/notifications/webhooks/deliver.ts'
import { newSecret } from '../src/notifications/webhooks/signature.ts'
import { parseNetworks } from '../src/lib/network.ts'
import {
  deliveriesOf,
  insertEventFor,
  resendDelivery,
} from '../src/store/notifications/deliveries.ts'
import {
  insertWebhook,
  removeWebhook,
  rotateSecret,
  webhooksOf,
} from '../src/store/notifications/webhooks.ts'
import { databases } from './support/databases.ts'
import { newDepot, usage, type Depot } from './support/material-client.ts'
import { buildHouse, type House } from './support/server.ts'

const minute = 60_000_000
const hour = 60 * minute
const seal = new Seal({ pepper: Buffer.alloc(32, 7), random: randomBytes }, 'webhooks')

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver that replies with `status`, and records every delivery. */
async function receiver() {
  const received: Received[] = []
  const state = { status: 204 }
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(state.status, { location: 'http://127.0.0.1:1/' }).end('secret of ours')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { received, state, server, url: `http://127.0.0.1:${port}/hook?k=1` }
}

describe.each(databases)('webhooks on $name', (database) => {
  let house: House
  let depot: Depot
  let here: Awaited<ReturnType<typeof receiver>>
  let now: number
  beforeAll(async () => {
    house = await buildHouse(database, 'webhooks')
  })
  beforeEach(async () => {
    now = Date.now() * 1000
    house.clock.now = () => now
    here = await receiver()
    depot = await newDepot(house)
  })
  afterEach(async () => {
    for (const { id } of await webhooksOf(house.store, depot.company.id))
      await house.store.inHouseTransaction((writer) => removeWebhook(writer, depot.company.id, id))
    here.server.close()
  })
  afterAll(() => house.close())

  const add = async (types = '', url = here.url, company = depot.company) => {
    const secret = newSecret(randomBytes)
    const sealed = seal.close(secret, aboutSecret(company.id))
    const row = { companyId: company.id, url, types, secret: sealed, createdAt: now }
    const id = await house.store.inHouseTransaction((writer) => insertWebhook(writer, row))
    return { id, secret }
  }
  const delivery = (allowed = ['127.0.0.0/8']) =>
    new EventDelivery({
      store: house.store,
      seal,
      clock: () => now,
      random: randomBytes,
      allowed: parseNetworks(allowed),
      onFailure: () => {},
    })
  const told = () =>
    here.received.map(({ body }) => JSON.parse(body) as { type: string; data: unknown })
  const log = () => deliveriesOf(house.store, depot.company.id, 0)

  test('each action sends one event with the ids, signed as Standard Webhooks requires', async () => {
    const { secret } = await add()
    const [id = 0, other = 0] = await depot.register(2)
    await depot.approve(id)
    await depot.call('POST', `/prosjekt/Transaksjon(${other})/Avvis`, { json: { grunn: 'nei' } })
    await depot.mark({ ids: [id] })
    await depot.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [id], grunn: 'feil' })
    await depot.call('POST', '/dev/Omsetning/Lagre', {
      json: { Dato: '2024-05-01', AvdelingID: '1', Omsetning: 5 },
    })
    await delivery().round()
    const byType = new Map(told().map(({ type, data }) => [type, data]))
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
    // Ready twice: approved, and undone.
    expect(here.received).toHaveLength(8)
    const verifier = new Webhook(secret)
    for (const { body, headers } of here.received) {
      const given = headers as Record<string, string>
      expect(verifier.verify(body, given)).toEqual(JSON.parse(body))
      expect(() => verifier.verify(`${body} `, given)).toThrow()
    }
    expect(new Set(here.received.map(({ headers }) => headers['webhook-id'])).size).toBe(8)
    await delivery().round()
    expect(here.received).toHaveLength(8)
    expect(await log()).toMatchObject(
      Array.from({ length: 8 }, () => ({ attempts: 1, status: 204, dueAt: null, problem: null })),
    )
  })

  test('no events of other types, of other companies, or of rolled-back transactions are sent', async () => {
    await add('export.marked,export.undone')
    const stranger = await newDepot(house)
    await stranger.approve(...(await stranger.register(1)))
    await stranger.mark({ ids: [1] })
    await depot.batch([usage], { dryRun: 'true' })
    await depot.approve(...(await depot.register(1)))
    await depot.mark({ ids: [1] }, { dryRun: 'true' })
    await delivery().round()
    expect(told()).toEqual([])
    await depot.mark({ ids: [1] })
    await Promise.all([delivery().round(), delivery().round()])
    expect(told().map(({ type }) => type)).toEqual(['export.marked'])
  })

  test('a failed delivery is retried under the same id, with growing delays, for a day; then by hand', async () => {
    await add('transaction.registered')
    await depot.register(1)
    const began = now
    here.state.status = 500
    const carrier = delivery()
    await carrier.round()
    await carrier.round()
    expect(await log()).toMatchObject([{ attempts: 1, status: 500, problem: 'status 500' }])
    const waits: number[] = []
    for (;;) {
      const [{ dueAt } = { dueAt: null }] = await log()
      if (dueAt === null) break
      waits.push(dueAt - now)
      now = dueAt
      await carrier.round()
    }
    expect(now - began).toBeLessThan(24 * hour)
    expect(waits[0]).toBeLessThan(7_000_000)
    expect(Math.max(...waits)).toBeGreaterThan(hour)
    expect(here.received.length).toBe(waits.length + 1)
    expect(new Set(here.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    now += 30 * hour
    await carrier.round()
    expect(here.received.length).toBe(waits.length + 1)
    here.state.status = 200
    const [{ id } = { id: 0 }] = await log()
    const again = (company: number) =>
      house.store.inHouseTransaction((writer) => resendDelivery(writer, company, { id, now }))
    expect(await again(depot.company.id + 999)).toBe(false)
    expect(await again(depot.company.id)).toBe(true)
    await carrier.round()
    expect(await log()).toMatchObject([{ status: 200, dueAt: null, deliveredAt: now }])
  })

  test('410 disables the webhook, and a redirect is not followed', async () => {
    const { id } = await add('transaction.registered')
    here.state.status = 307
    await depot.register(1)
    await delivery().round()
    expect(await log()).toMatchObject([{ status: 307, problem: 'status 307' }])
    now += minute
    here.state.status = 410
    await delivery().round()
    expect(await log()).toMatchObject([{ status: 410, dueAt: null }])
    expect(await webhooksOf(house.store, depot.company.id)).toMatchObject([{ id, disabledAt: now }])
    await depot.register(1)
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
      `https://0x7f000001:${port}/`,
      'https://169.254.169.254/latest',
      'https://10.1.2.3/',
      // Other networks are called with TLS alone.
      'http://8.8.8.8/',
    ]
    for (const url of inside) await add('transaction.registered', url)
    await depot.register(1)
    await delivery([]).round()
    expect(here.received).toEqual([])
    const problems = (await log()).map(({ problem }) => problem)
    expect(problems).toEqual(inside.map(() => 'address not allowed'))
  })

  test('a receiver that hangs does not delay other deliveries, nor later ones', async () => {
    const held: ServerResponse[] = []
    const hanging = createServer((_request, response) => held.push(response))
    await once(hanging.listen(0, '127.0.0.1'), 'listening')
    const { port } = hanging.address() as AddressInfo
    await add('transaction.registered', `http://127.0.0.1:${port}/`)
    for (let count = 0; count < 12; count++) await depot.register(1)
    await add('transaction.registered')
    const carrier = delivery()
    const rounds: Promise<void>[] = []
    for (const all of [1, 2]) {
      now += 1_000_000
      await depot.register(1)
      rounds.push(carrier.round())
      await expect.poll(() => here.received.length).toBe(all)
    }
    await expect.poll(() => held.length).toBe(2)
    const stopped = carrier.stop()
    hanging.closeAllConnections()
    hanging.close()
    await Promise.all([...rounds, stopped])
    expect(held).toHaveLength(2)
  })

  test('a server that stops does not wait for a hanging receiver, whose delivery is retried', async () => {
    const hanging = createServer().listen(0, '127.0.0.1')
    await once(hanging, 'listening')
    await add('', `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`)
    await depot.register(1)
    const server = delivery()
    const called = once(hanging, 'request')
    const round = server.round()
    await called
    await server.stop()
    await round
    expect(await log()).toMatchObject([
      { attempts: 1, problem: 'server stopped', deliveredAt: null },
    ])
    expect((await log())[0]?.dueAt).toBeLessThan(now + minute)
    hanging.close()
    hanging.closeAllConnections()
  })

  test('a delivery whose webhook was deleted is dropped, and does not block others', async () => {
    const event = { companyId: depot.company.id, type: 'export.ready', at: now - hour, data: '{}' }
    await house.store.inHouseTransaction((writer) => insertEventFor(writer, 999_999, event))
    expect(await log()).toHaveLength(1)
    await add()
    await depot.register(1)
    await delivery().round()
    expect(told()).toMatchObject([{ type: 'transaction.registered' }])
    expect(await log()).toMatchObject([{ deliveredAt: now }])
  })

  test('while a secret is replaced both sign, and then the new one alone', async () => {
    const { id, secret } = await add('transaction.registered')
    const next = newSecret(randomBytes)
    const rotated = { secret: seal.close(next, aboutSecret(depot.company.id)), until: now + hour }
    await house.store.inHouseTransaction((writer) =>
      rotateSecret(writer, depot.company.id, id, rotated),
    )
    const isTaken = (key: string) => {
      const { body, headers } = here.received.at(-1) ?? { body: '', headers: {} }
      try {
        new Webhook(key).verify(body, headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    }
    await depot.register(1)
    await delivery().round()
    expect([isTaken(secret), isTaken(next)]).toEqual([true, true])
    now += hour
    await depot.register(1)
    await delivery().round()
    // The library accepts timestamps of the last five minutes.
    const signatures = String(here.received.at(-1)?.headers['webhook-signature']).split(' ')
    expect(signatures).toHaveLength(1)
  })

  test('a test event is sent to that webhook alone', async () => {
    const { id } = await add('export.marked')
    await add()
    const event = { companyId: depot.company.id, type: 'webhook.test', at: now, data: '{}' }
    await house.store.inHouseTransaction((writer) => insertEventFor(writer, id, event))
    await delivery().round()
    expect(told()).toEqual([{ type: 'webhook.test', timestamp: expect.any(String), data: {} }])
  })
})
