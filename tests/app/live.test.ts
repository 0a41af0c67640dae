// ADR 0047: live updates of open pages, on every database and across servers.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Topic } from '../../src/app/contract/live.ts'
import { LiveFeed } from '../../src/app/live/live-feed.ts'
import type { Role } from '../../src/auth/roles.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import type { Reader } from '../../src/store/store.ts'
import { databases } from '../support/databases.ts'
import { useMaterialClient, newMaterialClient, type MaterialClient } from '../support/material-client.ts'
import { openSession, type SessionClient, openSessionAs } from './session-client.ts'
import { useTestServer } from '../support/server.ts'

const events = '/app/data/hendelser'

/** The feed polls once a second. */
const soon = { timeout: 20_000 }

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'live')
  const materialClient = useMaterialClient(server)
  let address: string
  beforeAll(async () => {
    address = await server.http.listen(0, '127.0.0.1')
  })

  /** An open page of a user, as soon as it receives an event. */
  const open = async ({ cookie }: SessionClient, since = '', headers: Readonly<Record<string, string>> = {}) => {
    const reply = await fetch(`${address}${events}?since=${since}`, { headers: { cookie, ...headers } })
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    let isOver = false
    const reading = (async () => {
      for (;;) {
        const chunk = await reader?.read().catch(() => undefined)
        if (chunk === undefined || chunk.done) break
        text += chunk.value
      }
      isOver = true
    })()
    if (reply.status === 200) await expect.poll(() => text, soon).toContain('event: beat')
    return {
      reply,
      topics: () =>
        [...text.matchAll(/event: changed\ndata: (.*)/g)].flatMap(
          ([, data = '']) => (JSON.parse(data) as { topics: string[] }).topics,
        ),
      isOver: () => isOver,
      leave: async () => {
        await reader?.cancel()
        await reading
      },
    }
  }

  const worker = async ({ company }: MaterialClient, role: Role): Promise<SessionClient> =>
    openSessionAs(server, company, role)

  test('changes stored by another server reach the affected users of the company, and nobody else', async () => {
    const [materialClient, other] = [await newMaterialClient(server), await newMaterialClient(server)]
    const manager = await open(await worker(materialClient, 'approver'))
    const registrant = await open(await worker(materialClient, 'registrant'))
    const outsider = await open(await worker(other, 'approver'))
    const secondInstance = await server.secondInstance()
    const key = { as: materialClient.company }
    const [id] = await materialClient.register(1)
    await expect.poll(manager.topics, soon).toEqual(['material'])
    await secondInstance.call('POST', `/prosjekt/Transaksjon(${id})/Godkjenn`, key)
    await expect.poll(manager.topics, soon).toEqual(['material', 'material'])
    await secondInstance.call('GET', '/prosjekt/TransaksjonsEksport', key)
    await expect.poll(manager.topics, soon).toContain('retrievals')
    const row = { Dato: '2026-05-04', AvdelingID: '20', Omsetning: 5 }
    await secondInstance.call('POST', '/dev/Omsetning/Lagre', { ...key, json: row })
    await expect.poll(manager.topics, soon).toContain('revenue')
    const department = { Id: '20', Navn: 'Jernvare' }
    await secondInstance.call('POST', '/ansatt/avdeling', { ...key, json: department })
    await expect.poll(manager.topics, soon).toContain('directory')
    const before = manager.topics().length
    await secondInstance.call('DELETE', "/ansatt/avdeling('20')", key)
    await expect.poll(() => manager.topics().slice(before), soon).toEqual(['directory'])
    await expect.poll(() => new Set(registrant.topics()), soon).toEqual(new Set(['material', 'directory']))
    expect(outsider.topics()).toEqual([])
    await Promise.all([manager, registrant, outsider].map(({ leave }) => leave()))
  })

  test('a change after the page read the session and before its stream opened is sent, and only that', async () => {
    const materialClient = await newMaterialClient(server)
    const manager = await worker(materialClient, 'approver')
    const readPosition = async (session: SessionClient): Promise<string> =>
      (await session.get('/app/okt')).json.position
    const first = await readPosition(manager)
    await materialClient.register(1)
    const page = await open(manager, first)
    await expect.poll(page.topics, soon).toEqual(['material'])
    // A browser that reconnects asks for the same URL, and sends the id of the last event.
    const second = await readPosition(manager)
    await materialClient.call('POST', '/ansatt/avdeling', { json: { Id: '20', Navn: 'Jernvare' } })
    const reconnected = await open(manager, first, { 'last-event-id': second })
    await expect.poll(reconnected.topics, soon).toEqual(['directory'])
    // Counters of topics that a role may not read are not in its position.
    expect(await readPosition(await worker(materialClient, 'registrant'))).toMatch(/^\d+\.\.\.\d+$/)
    await Promise.all([page, reconnected].map(({ leave }) => leave()))
  })

  test('HEAD returns the headers, and opens no stream', async () => {
    const session = await worker(await newMaterialClient(server), 'approver')
    for (let count = 0; count < 8; count++) {
      const reply = await fetch(address + events, { method: 'HEAD', headers: { cookie: session.cookie } })
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
      expect(await reply.text()).toBe('')
    }
  })

  test('a session has at most six streams, and closing one makes room', async () => {
    const session = await worker(materialClient, 'viewer')
    const pages = await Promise.all(Array.from({ length: 6 }, () => open(session)))
    const refused = await session.get(events)
    expect([refused.status, refused.json.error.code]).toEqual([429, 'RateLimited'])
    expect(refused.headers['retry-after']).toBe('60')
    await pages[0]?.leave()
    await expect.poll(async () => (await open(session)).reply.status, soon).toBe(200)
  })

  test('a stream is not cacheable, and an anonymous caller gets none', async () => {
    const page = await open(await worker(materialClient, 'viewer'))
    expect(Object.fromEntries(page.reply.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const outsider = await server.call('GET', events, { as: null })
    expect(outsider.json.error.code).toBe('SessionExpired')
    await page.leave()
  })

  test('a user who gets a lesser role receives no more events of the rest', async () => {
    const { company } = await newMaterialClient(server)
    const person = await server.addUser([{ company, role: 'viewer' }])
    const admin = await openSessionAs(server, company, 'admin')
    const page = await open(await openSession(server, person))
    const less = { id: String(person.id), role: 'registrant' }
    await admin.send('POST', '/app/data/administrasjon/personer/endre', less)
    await expect.poll(page.isOver, soon).toBe(true)
  })

  test('an open stream does not keep the session alive', async () => {
    const session = await worker(await newMaterialClient(server), 'viewer')
    const { now } = server.clock
    const start = now()
    try {
      for (const minutes of [20, 40]) {
        server.clock.now = () => start + minutes * 60_000_000
        const { reply, leave } = await open(session)
        expect(reply.status).toBe(minutes === 20 ? 200 : 401)
        await leave()
      }
    } finally {
      server.clock.now = now
    }
  })

  test('a server that stops ends its streams, so that pages reconnect to another one', async () => {
    const secondInstance = await server.secondInstance()
    const at = await secondInstance.http.listen(0, '127.0.0.1')
    const { cookie } = await worker(await newMaterialClient(server), 'viewer')
    const reply = await fetch(at + events, { headers: { cookie } })
    const [text] = await Promise.all([reply.text(), secondInstance.close()])
    expect(text).toContain('event: beat')
    // The date in the company's time zone, whatever the clock of the browser says.
    expect(text).toMatch(/data: {"today":"\d{4}-\d{2}-\d{2}"}/)
  })

  describe('the feed of a process', () => {
    const pace = { pollEveryMs: 5, pollsPerHeartbeat: 2, heartbeatsMax: 1_000 }
    const all: readonly Topic[] = ['material', 'retrievals', 'revenue', 'directory']

    const follower = (materialClient: MaterialClient, isStillIn: () => Promise<boolean>, session = 'one') => ({
      companyId: materialClient.company.id as CompanyId,
      session,
      topics: all,
      position: '',
      today: () => '2026-11-16',
      isStillIn,
    })

    test('queries the database once for all pages of a company, and stops when they have closed', async () => {
      let looks = 0
      const reader: Reader = {
        dialect: server.store.dialect,
        all: (statement, values) => server.store.all(statement, values),
        first: (statement, values) => {
          looks += 1
          return server.store.first(statement, values)
        },
      }
      const feed = new LiveFeed(reader, { ...pace, pollsPerHeartbeat: 1_000_000 })
      const pages = Array.from({ length: 50 }, (_, index) =>
        feed.subscribe(follower(materialClient, async () => true, String(index))),
      )
      const firstEvents = pages.map(async (page) => {
        for await (const text of page) if (text.includes('changed')) return text
        return ''
      })
      await expect.poll(() => looks, soon).toBeGreaterThan(2)
      await materialClient.register(1)
      expect(await Promise.all(firstEvents)).toEqual(
        Array.from({ length: 50 }, () =>
          expect.stringMatching(/^id: [\d.]+\nevent: changed\ndata: {"topics":\["material"\]}\n\n$/),
        ),
      )
      const lookedBefore = looks
      await materialClient.register(1)
      expect(looks).toBeLessThanOrEqual(lookedBefore + 1)
    })

    test('has streams for other companies when one has as many as it may, and for that one when it closes one', async () => {
      const others = await newMaterialClient(server)
      const feed = new LiveFeed(server.store, pace)
      const subscribe = (client: MaterialClient, session: number) =>
        feed.subscribe(follower(client, async () => true, String(session)))
      const pages = Array.from({ length: 1_500 }, (_, index) => subscribe(materialClient, index))
      expect(() => subscribe(materialClient, 1_500)).toThrow(expect.objectContaining({ code: 'Overloaded' }))
      pages.push(subscribe(others, 1_501))
      pages[0]?.end()
      pages.push(subscribe(materialClient, 1_502))
      for (const page of pages) page.end()
    })

    test('ends a stream when its session has ended', async () => {
      const session = await worker(materialClient, 'viewer')
      const isStillIn = async () => (await session.get('/app/okt')).status === 200
      const page = new LiveFeed(server.store, pace).subscribe(follower(materialClient, isStillIn))
      await page.next()
      await session.send('DELETE', '/app/okt')
      const rest = await Array.fromAsync(page)
      expect(rest.filter((text) => text.includes('changed'))).toEqual([])
    })
  })
})
