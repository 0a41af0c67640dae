// ADR 0060: sessions of the browser app: sign-in, lifetime, roles and CSRF protection.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appRoutes } from '../../src/app/endpoints.ts'
import { words } from '../../src/app/paths.ts'
import { roles } from '../../src/auth/roles.ts'
import { disableUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type House, type Person } from '../support/server.ts'
import {
  cookieIn,
  ownPage,
  session,
  setCookie,
  signInAs,
  visit,
  visitWith,
} from './session-client.ts'

const minute = 60_000_000

describe.each(databases)('$name', (database) => {
  let house: House
  let kari: Person
  beforeAll(async () => {
    house = await buildHouse(database, 'sessions')
    kari = await house.person([
      { company: house.mine, role: 'approver' },
      { company: house.other, role: 'viewer' },
    ])
  })
  afterAll(() => house.close())

  const at = async <T>(moment: number, work: () => Promise<T>): Promise<T> => {
    const { now } = house.clock
    house.clock.now = () => moment
    try {
      return await work()
    } finally {
      house.clock.now = now
    }
  }

  test('a right password sets a session cookie that is HttpOnly, Secure and bound to the host', async () => {
    const answer = await signInAs(house, kari, house.mine.name)
    expect(answer.status).toBe(204)
    expect(setCookie(answer)).toMatch(
      /^__Host-sid=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    )
    const { json } = await (await visitWith(house, cookieIn(answer))).get(session)
    expect(json).toMatchObject({
      email: kari.email,
      role: 'approver',
      company: house.mine.name,
      companies: [house.other.name, house.mine.name],
      currency: 'NOK',
    })
  })

  test("unknown, wrong, disabled and another company's user get one reply, without a challenge", async () => {
    const ola = await house.person([{ company: house.mine, role: 'viewer' }])
    const shutOut = await house.person([{ company: house.mine, role: 'viewer' }])
    const stranger = await house.person([])
    await house.store.inHouseTransaction((writer) => disableUser(writer, shutOut.id, 1))
    const answers = await Promise.all([
      signInAs(house, { ...ola, email: 'ingen@eksempel.no' }),
      signInAs(house, { ...ola, password: 'feil' }),
      signInAs(house, shutOut),
      signInAs(house, stranger),
      signInAs(house, ola, house.other.name),
    ])
    const bodies = answers.map(({ json }) => ({ ...json.error, requestId: '' }))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    for (const { status, headers, json } of answers) {
      expect([status, json.error.code]).toEqual([401, 'InvalidCredentials'])
      expect(headers['www-authenticate']).toBeUndefined()
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  test('seven wrong passwords a minute throttle the user, also for the right one, and nobody else', async () => {
    const ola = await house.person([{ company: house.mine, role: 'viewer' }])
    for (let guess = 0; guess < 7; guess++)
      expect((await signInAs(house, { ...ola, password: `feil ${guess}` })).status).toBe(401)
    const limited = await signInAs(house, ola)
    expect([limited.status, limited.json.error.code]).toEqual([429, 'TooManyFailedLogins'])
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await signInAs(house, kari)).status).toBe(204)
  })

  test('ADR 0127 wrong passwords at one server count at every other, and for no other user', async () => {
    const ola = await house.person([{ company: house.mine, role: 'viewer' }])
    const servers = [house, await house.twin(), await house.twin()]
    const guess = async (number: number) =>
      (await signInAs(servers[number % 3] ?? house, { ...ola, password: `feil ${number}` })).status
    const statuses = []
    for (let number = 0; number < 9; number++) statuses.push(await guess(number))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401, 429, 429])
    for (const server of servers) {
      expect((await signInAs(server, ola)).json.error.code).toBe('TooManyFailedLogins')
      expect((await signInAs(server, kari)).status).toBe(204)
    }
    for (const server of servers.slice(1)) await server.close()
  })

  test('every sign-in has a new session id, and the id that the browser sent is void', async () => {
    const planted = `__Host-sid=${'A'.repeat(43)}`
    const first = cookieIn(await signInAs(house, kari, '', { cookie: planted }))
    expect(first).not.toBe(planted)
    const second = cookieIn(await signInAs(house, kari, '', { cookie: first }))
    expect(second).not.toBe(first)
    for (const [cookie, status] of [
      [planted, 401],
      [first, 401],
      [second, 200],
    ] as const)
      expect((await house.call('GET', session, { as: null, headers: { cookie } })).status).toBe(
        status,
      )
  })

  test('two session cookies are rejected: nobody knows whose they are', async () => {
    const cookie = cookieIn(await signInAs(house, kari))
    const both = { cookie: `${cookie}; __Host-sid=${'A'.repeat(43)}` }
    expect((await house.call('GET', session, { as: null, headers: both })).status).toBe(401)
  })

  test('signing out ends the session on the server, and deletes the cookie', async () => {
    const visitor = await visit(house, kari)
    const answer = await visitor.act('DELETE', session)
    expect(answer.status).toBe(204)
    expect(setCookie(answer)).toMatch(/^__Host-sid=; Max-Age=0/)
    expect(answer.headers['clear-site-data']).toBe('"cache"')
    expect((await visitor.get(session)).json.error.code).toBe('SessionExpired')
  })

  test('a session ends after 30 minutes without use, and after 12 hours of use', async () => {
    const start = 1_790_000_000_000_000
    const visitor = await at(start, () => visit(house, kari))
    const status = async (moment: number) =>
      at(start + moment, async () => (await visitor.get(session)).status)
    expect(await status(30 * minute - 1)).toBe(200)
    expect(await status(60 * minute - 2)).toBe(200)
    expect(await status(90 * minute - 2)).toBe(401)
    const busy = await at(start, () => visit(house, kari))
    const look = (moment: number) => at(start + moment, () => busy.get(session))
    for (let used = 25 * minute; used < 720 * minute; used += 25 * minute)
      expect((await look(used)).status).toBe(200)
    expect((await look(720 * minute - 1)).status).toBe(200)
    expect((await look(720 * minute)).status).toBe(401)
  })

  test('background requests do not keep a session alive', async () => {
    const start = 1_790_000_000_000_000
    const visitor = await at(start, () => visit(house, kari))
    const lookIn = (moment: number) =>
      at(start + moment, () =>
        house.call('GET', session, {
          as: null,
          headers: { cookie: visitor.cookie, 'x-unattended': '1' },
        }),
      )
    expect((await lookIn(20 * minute)).status).toBe(200)
    expect((await lookIn(30 * minute)).status).toBe(401)
  })

  test('a session ends when its user is removed', async () => {
    const ola = await house.person([{ company: house.mine, role: 'viewer' }])
    const visitor = await visit(house, ola)
    await house.store.inHouseTransaction((writer) => disableUser(writer, ola.id, 1))
    expect((await visitor.get(session)).status).toBe(401)
  })

  test("switching companies changes the session id, and only leads to the user's companies", async () => {
    const third = await house.company('TREDJE')
    const visitor = await visit(house, kari, house.mine.name)
    const refused = await visitor.act('POST', '/app/okt/bytt', { company: third.name })
    expect(refused.status).toBe(404)
    const moved = await visitor.act('POST', '/app/okt/bytt', { company: house.other.name })
    expect(cookieIn(moved)).not.toBe(visitor.cookie)
    expect((await visitor.get(session)).status).toBe(401)
    const there = await (await visitWith(house, cookieIn(moved))).get(session)
    expect(there.json).toMatchObject({ company: house.other.name, role: 'viewer' })
  })

  test('concurrent requests of one session keep it one session', async () => {
    const visitor = await visit(house, kari, house.mine.name)
    const moves = await Promise.all(
      Array.from({ length: 8 }, () =>
        visitor.act('POST', '/app/okt/bytt', { company: house.other.name }),
      ),
    )
    const statuses = moves.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([204, ...Array(7).fill(401)])
  })

  test('a session is not accepted by the API, nor a key by the app', async () => {
    const { cookie } = await visit(house, kari)
    const api = await house.call('GET', '/dev/Omsetning/Finn', { as: null, headers: { cookie } })
    expect(api.json.error.code).toBe('MissingCredentials')
    for (const { method, path } of appRoutes) {
      const answer = await house.call(method, path.replace(':set', 'Omsetning'), {
        headers: ownPage,
      })
      expect([path, answer.json.error.code]).toEqual([path, 'SessionExpired'])
    }
  })

  describe('a request that our own page did not send changes nothing', () => {
    const cell = { date: '2026-05-04', department: '20', amount: '1', before: null }
    const vectors: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['without a token', { ...ownPage }],
      ['with another session’s token', { ...ownPage, 'x-csrf-token': 'A'.repeat(43) }],
      ['from another site', { 'sec-fetch-site': 'cross-site', token: 'right' }],
      ['from another subdomain', { 'sec-fetch-site': 'same-site', token: 'right' }],
      ['from the address bar', { 'sec-fetch-site': 'none', token: 'right' }],
      [
        'of a browser without Fetch Metadata on another site',
        { origin: 'https://evil.example', token: 'right' },
      ],
      ['of a browser without Fetch Metadata in a frame', { origin: 'null', token: 'right' }],
      ['without Origin and Fetch Metadata', { token: 'right' }],
      [
        'as a form',
        { ...ownPage, token: 'right', 'content-type': 'application/x-www-form-urlencoded' },
      ],
      ['as plain text', { ...ownPage, token: 'right', 'content-type': 'text/plain' }],
      [
        'as a multipart form',
        { ...ownPage, token: 'right', 'content-type': 'multipart/form-data; boundary=x' },
      ],
    ]

    test.each(vectors)('%s', async (_, { token, ...headers }) => {
      const visitor = await visit(house, kari, house.mine.name)
      const answer = await house.call('POST', '/app/data/omsetning/celler', {
        as: null,
        body: JSON.stringify([cell]),
        headers: {
          'content-type': 'application/json',
          cookie: visitor.cookie,
          ...headers,
          ...(token === undefined ? {} : { 'x-csrf-token': visitor.csrf }),
        },
      })
      expect([403, 415]).toContain(answer.status)
      const found = await house.call('GET', '/dev/Omsetning/Finn')
      expect(found.json).toEqual([])
    })

    test('whatever it would change', async () => {
      const { cookie } = await visit(house, kari, house.mine.name)
      for (const { method, path } of appRoutes.filter((route) => route.method !== 'GET')) {
        if (path === session) continue
        const answer = await house.call(method, path, {
          as: null,
          json: {},
          headers: { cookie, ...ownPage },
        })
        expect([path, answer.json.error.code]).toEqual([path, 'CsrfRejected'])
      }
    })

    test('signing in from another site', async () => {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]) {
        const answer = await signInAs(house, kari, '', headers)
        expect([answer.status, answer.json.error.code]).toEqual([403, 'CsrfRejected'])
      }
    })

    test('signing out from another site', async () => {
      const visitor = await visit(house, kari)
      const answer = await house.call('DELETE', session, {
        as: null,
        headers: { cookie: visitor.cookie, 'sec-fetch-site': 'cross-site' },
      })
      expect(answer.status).toBe(403)
      expect((await visitor.get(session)).status).toBe(200)
    })
  })

  test.each(roles)('%s reaches what the role allows, and nothing else', async (role) => {
    const person = await house.person([{ company: house.mine, role }])
    const visitor = await visit(house, person)
    const { scopes } = (await visitor.get(session)).json
    for (const { method, path, access } of appRoutes) {
      // Streams have no end; another test covers what they send.
      if (path.startsWith(session) || path.startsWith('/app/data/konto') || path === words.live)
        continue
      const address = path.replace(':set', 'Omsetning')
      const answer =
        method === 'GET' ? await visitor.get(address) : await visitor.act(method, address, [])
      // Open to every role; the sets have rights of their own.
      const needed = path === words.read ? 'revenue:read' : access
      // No user of this test is an operator, which no role includes.
      const isLet =
        needed === 'anybody' ||
        (typeof needed === 'string' ? scopes.includes(needed) : needed.includes(role))
      expect([path, answer.status === 403]).toEqual([path, !isLet])
      if (!isLet) expect(answer.json.error.code).toBe('RoleMissing')
    }
  })
})
