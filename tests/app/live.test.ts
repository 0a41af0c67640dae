// ADR 0105: live updates of open pages, on every database and across servers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LiveFeed, type Topic } from '../../src/app/live/live-feed.ts'
import type { Role } from '../../src/auth/roles.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import type { Reader } from '../../src/store/store.ts'
import { databases } from '../support/databases.ts'
import { newDepot, type Depot } from '../support/material-client.ts'
import { buildHouse, type House } from '../support/server.ts'
import { visit, type Visitor } from './session-client.ts'

const events = '/app/data/hendelser'

/** The feed polls once a second. */
const soon = { timeout: 20_000 }

describe.each(databases)('$name', (database) => {
  let house: House
  let address: string
  beforeAll(async () => {
    house = await buildHouse(database, 'live')
    address = await house.server.listen(0, '127.0.0.1')
  })
  afterAll(() => house.close())

  /** An open page of a user, as soon as it receives an event. */
  const open = async ({ cookie }: Visitor) => {
    const answer = await fetch(address + events, { headers: { cookie } })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    let isOver = false
    const reading = (async () => {
      for (;;) {
        const piece = await reader?.read().catch(() => undefined)
        if (piece === undefined || piece.done) break
        text += piece.value
      }
      isOver = true
    })()
    if (answer.status === 200) await expect.poll(() => text, soon).toContain('event: beat')
    return {
      answer,
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

  const worker = async ({ company }: Depot, role: Role): Promise<Visitor> =>
    visit(house, await house.person([{ company, role }]))

  test('changes stored by another server reach the affected users of the company, and nobody else', async () => {
    const [depot, other] = [await newDepot(house), await newDepot(house)]
    const manager = await open(await worker(depot, 'approver'))
    const registrant = await open(await worker(depot, 'registrant'))
    const stranger = await open(await worker(other, 'approver'))
    const twin = await house.twin()
    const key = { as: depot.company }
    const [id] = await depot.register(1)
    await expect.poll(manager.topics, soon).toEqual(['material'])
    await twin.call('POST', `/prosjekt/Transaksjon(${id})/Godkjenn`, key)
    await expect.poll(manager.topics, soon).toEqual(['material', 'material'])
    await twin.call('GET', '/prosjekt/TransaksjonsEksport', key)
    await expect.poll(manager.topics, soon).toContain('handOuts')
    const row = { Dato: '2026-05-04', AvdelingID: '20', Omsetning: 5 }
    await twin.call('POST', '/dev/Omsetning/Lagre', { ...key, json: row })
    await expect.poll(manager.topics, soon).toContain('revenue')
    const department = { Id: '20', Navn: 'Jernvare' }
    await twin.call('POST', '/ansatt/avdeling', { ...key, json: department })
    await expect.poll(manager.topics, soon).toContain('directory')
    const before = manager.topics().length
    await twin.call('DELETE', "/ansatt/avdeling('20')", key)
    await expect.poll(() => manager.topics().slice(before), soon).toEqual(['directory'])
    await expect
      .poll(() => new Set(registrant.topics()), soon)
      .toEqual(new Set(['material', 'directory']))
    expect(stranger.topics()).toEqual([])
    await Promise.all([manager, registrant, stranger].map(({ leave }) => leave()))
    await twin.close()
  })

  test('HEAD returns the headers, and opens no stream', async () => {
    const visitor = await worker(await newDepot(house), 'approver')
    for (let count = 0; count < 8; count++) {
      const answer = await fetch(address + events, {
        method: 'HEAD',
        headers: { cookie: visitor.cookie },
      })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ])
      expect(await answer.text()).toBe('')
    }
  })

  test('a session has at most six streams, and closing one makes room', async () => {
    const depot = await newDepot(house)
    const visitor = await worker(depot, 'viewer')
    const pages = await Promise.all(Array.from({ length: 6 }, () => open(visitor)))
    const refused = await visitor.get(events)
    expect([refused.status, refused.json.error.code]).toEqual([429, 'RateLimited'])
    expect(refused.headers['retry-after']).toBe('60')
    await pages[0]?.leave()
    await expect.poll(async () => (await open(visitor)).answer.status, soon).toBe(200)
  })

  test('a stream is not cacheable, and an anonymous caller gets none', async () => {
    const depot = await newDepot(house)
    const page = await open(await worker(depot, 'viewer'))
    expect(Object.fromEntries(page.answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const stranger = await house.call('GET', events, { as: null })
    expect(stranger.json.error.code).toBe('SessionExpired')
    await page.leave()
  })

  test('a user who gets a lesser role receives no more events of the rest', async () => {
    const { company } = await newDepot(house)
    const person = await house.person([{ company, role: 'viewer' }])
    const admin = await visit(house, await house.person([{ company, role: 'admin' }]))
    const page = await open(await visit(house, person))
    const less = { id: String(person.id), role: 'registrant' }
    await admin.act('POST', '/app/data/administrasjon/personer/endre', less)
    await expect.poll(page.isOver, soon).toBe(true)
  })

  test('an open stream does not keep the session alive', async () => {
    const visitor = await worker(await newDepot(house), 'viewer')
    const { now } = house.clock
    const start = now()
    try {
      for (const minutes of [20, 40]) {
        house.clock.now = () => start + minutes * 60_000_000
        const { answer, leave } = await open(visitor)
        expect(answer.status).toBe(minutes === 20 ? 200 : 401)
        await leave()
      }
    } finally {
      house.clock.now = now
    }
  })

  test('a server that stops ends its streams, so that pages reconnect to another one', async () => {
    const twin = await house.twin()
    const at = await twin.server.listen(0, '127.0.0.1')
    const { cookie } = await worker(await newDepot(house), 'viewer')
    const answer = await fetch(at + events, { headers: { cookie } })
    const [text] = await Promise.all([answer.text(), twin.close()])
    expect(text).toContain('event: beat')
    // The date in the company's time zone, whatever the clock of the browser says.
    expect(text).toMatch(/data: {"today":"\d{4}-\d{2}-\d{2}"}/)
  })

  describe('the feed of a process', () => {
    const pace = { lookEveryMs: 5, looksPerBeat: 2, beatsMax: 1_000 }
    const all: readonly Topic[] = ['material', 'handOuts', 'revenue', 'directory']

    const follower = (depot: Depot, isStillIn: () => Promise<boolean>, session = 'one') => ({
      companyId: depot.company.id as CompanyId,
      session,
      topics: all,
      today: () => '2026-11-16',
      isStillIn,
    })

    test('queries the database once for all pages of a company, and stops when they have closed', async () => {
      const depot = await newDepot(house)
      let looks = 0
      const reader: Reader = {
        dialect: house.store.dialect,
        all: (statement, values) => house.store.all(statement, values),
        first: (statement, values) => {
          looks += 1
          return house.store.first(statement, values)
        },
      }
      const feed = new LiveFeed(reader, { ...pace, looksPerBeat: 1_000_000 })
      const pages = Array.from({ length: 50 }, (_, index) =>
        feed.follow(follower(depot, async () => true, String(index))),
      )
      const told = pages.map(async (page) => {
        for await (const text of page) if (text.includes('changed')) return text
        return ''
      })
      await expect.poll(() => looks, soon).toBeGreaterThan(2)
      await depot.register(1)
      expect(await Promise.all(told)).toEqual(
        Array.from({ length: 50 }, () => 'event: changed\ndata: {"topics":["material"]}\n\n'),
      )
      const lookedBefore = looks
      await depot.register(1)
      expect(looks).toBeLessThanOrEqual(lookedBefore + 1)
    })

    test('ends a stream when its session has ended', async () => {
      const depot = await newDepot(house)
      const visitor = await worker(depot, 'viewer')
      const isStillIn = async () => (await visitor.get('/app/okt')).status === 200
      const page = new LiveFeed(house.store, pace).follow(follower(depot, isStillIn))
      await page.next()
      await visitor.act('DELETE', '/app/okt')
      const rest = await Array.fromAsync(page)
      expect(rest.filter((text) => text.includes('changed'))).toEqual([])
    })
  })
})
