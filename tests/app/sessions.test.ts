// ADR 0039: sessions of the browser app: sign-in, lifetime, roles and CSRF protection.
import { beforeAll, describe, expect, test } from 'vitest'
import { appRoutes } from '../../src/app/endpoints.ts'
import { appPaths } from '../../src/app/contract/endpoints.ts'
import { codeAt } from '../../src/auth/mfa/totp.ts'
import { roles } from '../../src/auth/roles.ts'
import { disableUser, saveMembership } from '../../src/store/accounts/users.ts'
import { openRawConnection, request } from '../http/conversation.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useTestServer, type TestUser } from '../support/server.ts'
import { parseSeed } from './seed.ts'
import {
  findCookie,
  ownPage,
  sessionPath,
  setCookieHeader,
  signInAs,
  openSession,
  sessionStatus,
  resumeSession,
  type SessionClient,
  openSessionAs,
} from './session-client.ts'

const minute = 60_000_000

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'sessions')
  let kari: TestUser
  beforeAll(async () => {
    kari = await server.addUser([
      { company: server.tenantA, role: 'approver' },
      { company: server.tenantB, role: 'viewer' },
    ])
  })

  const at = async <T>(moment: number, work: () => Promise<T>): Promise<T> => {
    const { now } = server.clock
    server.clock.now = () => moment
    try {
      return await work()
    } finally {
      server.clock.now = now
    }
  }

  test('a right password sets a session cookie that is HttpOnly, Secure and bound to the host', async () => {
    const reply = await expectStatus(signInAs(server, kari, server.tenantA.name), 204)
    expect(setCookieHeader(reply)).toMatch(/^__Host-sid=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
    const { json } = await (await resumeSession(server, findCookie(reply))).get(sessionPath)
    expect(json).toMatchObject({
      email: kari.email,
      role: 'approver',
      company: server.tenantA.name,
      companies: [server.tenantB.name, server.tenantA.name],
      currency: 'NOK',
    })
  })

  test("unknown, wrong, disabled and another company's user get one reply, without a challenge", async () => {
    const ola = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    const shutOut = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    const outsider = await server.addUser([])
    await server.store.inSystemTransaction((writer) => disableUser(writer, shutOut.id, 1))
    const replies = await Promise.all([
      signInAs(server, { ...ola, email: 'ingen@eksempel.no' }),
      signInAs(server, { ...ola, password: 'feil' }),
      signInAs(server, shutOut),
      signInAs(server, outsider),
      signInAs(server, ola, server.tenantB.name),
    ])
    const bodies = replies.map(({ json }) => ({ ...json.error, requestId: '' }))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    for (const { status, headers, json } of replies) {
      expect([status, json.error.code]).toEqual([401, 'InvalidCredentials'])
      expect(headers['www-authenticate']).toBeUndefined()
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  test('seven wrong passwords a minute throttle the user, also for the right one, and nobody else', async () => {
    const ola = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    for (let guess = 0; guess < 7; guess++)
      expect((await signInAs(server, { ...ola, password: `feil ${guess}` })).status).toBe(401)
    const limited = await signInAs(server, ola)
    expect([limited.status, limited.json.error.code]).toEqual([429, 'TooManyFailedLogins'])
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await signInAs(server, kari)).status).toBe(204)
  })

  test('ADR 0038 wrong passwords at one server count at every other, and for no other user', async () => {
    const ola = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    const servers = [server, await server.secondInstance(), await server.secondInstance()]
    const guess = async (number: number) =>
      (await signInAs(servers[number % 3] ?? server, { ...ola, password: `feil ${number}` })).status
    const statuses = []
    for (let number = 0; number < 9; number++) statuses.push(await guess(number))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401, 429, 429])
    for (const server of servers) {
      expect((await signInAs(server, ola)).json.error.code).toBe('TooManyFailedLogins')
      expect((await signInAs(server, kari)).status).toBe(204)
    }
  })

  test('every sign-in has a new session id, and the id that the browser sent is void', async () => {
    const foreignCookie = `__Host-sid=${'A'.repeat(43)}`
    const first = findCookie(await signInAs(server, kari, '', { cookie: foreignCookie }))
    expect(first).not.toBe(foreignCookie)
    const second = findCookie(await signInAs(server, kari, '', { cookie: first }))
    expect(second).not.toBe(first)
    for (const cookie of [foreignCookie, first]) expect(await sessionStatus(server, cookie)).toBe(401)
    expect(await sessionStatus(server, second)).toBe(200)
  })

  test('two session cookies are rejected: nobody knows whose they are', async () => {
    const cookie = findCookie(await signInAs(server, kari))
    expect(await sessionStatus(server, `${cookie}; __Host-sid=${'A'.repeat(43)}`)).toBe(401)
  })

  test('signing out ends the session on the server, and deletes the cookie', async () => {
    const session = await openSession(server, kari)
    const reply = await expectStatus(session.send('DELETE', sessionPath), 204)
    expect(setCookieHeader(reply)).toMatch(/^__Host-sid=; Max-Age=0/)
    expect(reply.headers['clear-site-data']).toBe('"cache"')
    expect((await session.get(sessionPath)).json.error.code).toBe('SessionExpired')
  })

  test('a session ends after 30 minutes without use, and after 12 hours of use', async () => {
    const start = 1_790_000_000_000_000
    const session = await at(start, () => openSession(server, kari))
    const status = async (moment: number) => at(start + moment, async () => (await session.get(sessionPath)).status)
    expect(await status(30 * minute - 1)).toBe(200)
    expect(await status(60 * minute - 2)).toBe(200)
    expect(await status(90 * minute - 2)).toBe(401)
    const busy = await at(start, () => openSession(server, kari))
    const look = (moment: number) => at(start + moment, () => busy.get(sessionPath))
    for (let used = 25 * minute; used < 720 * minute; used += 25 * minute) expect((await look(used)).status).toBe(200)
    expect((await look(720 * minute - 1)).status).toBe(200)
    expect((await look(720 * minute)).status).toBe(401)
  })

  test('background requests do not keep a session alive', async () => {
    const start = 1_790_000_000_000_000
    const session = await at(start, () => openSession(server, kari))
    const lookIn = (moment: number) =>
      at(start + moment, () =>
        server.call('GET', sessionPath, { as: null, headers: { cookie: session.cookie, 'x-background': '1' } }),
      )
    expect((await lookIn(20 * minute)).status).toBe(200)
    expect((await lookIn(30 * minute)).status).toBe(401)
  })

  test('a session ends when its user is removed', async () => {
    const ola = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    const session = await openSession(server, ola)
    await server.store.inSystemTransaction((writer) => disableUser(writer, ola.id, 1))
    expect((await session.get(sessionPath)).status).toBe(401)
  })

  test("switching companies changes the session id, and only leads to the user's companies", async () => {
    const third = await server.addCompany('TREDJE')
    const session = await openSession(server, kari, server.tenantA.name)
    await expectStatus(session.send('POST', '/app/okt/bytt', { company: third.name }), 404)
    const moved = await session.send('POST', '/app/okt/bytt', { company: server.tenantB.name })
    expect(findCookie(moved)).not.toBe(session.cookie)
    expect((await session.get(sessionPath)).status).toBe(401)
    const there = await (await resumeSession(server, findCookie(moved))).get(sessionPath)
    expect(there.json).toMatchObject({ company: server.tenantB.name, role: 'viewer' })
  })

  describe('a body that arrives after', () => {
    let address: string
    beforeAll(async () => {
      address = await server.http.listen(0, '127.0.0.1')
    })

    /** Sends the head, runs `work` when the server asks for the body, and then sends that. */
    const replyAfter = async (session: SessionClient, path: string, json: object, work: () => Promise<unknown>) => {
      const connection = openRawConnection(address)
      const body = JSON.stringify(json)
      const headers = [
        'Host: localhost',
        `Cookie: ${session.cookie}`,
        `X-CSRF-Token: ${session.csrf}`,
        'Sec-Fetch-Site: same-origin',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
        'Connection: close',
      ]
      await connection.send(request([`POST ${path} HTTP/1.1`, ...headers]))
      await connection.waitFor(/^HTTP\/1\.1 100 /)
      await work()
      await connection.send(body)
      const [, reply = ''] = (await connection.ended).split('100 Continue\r\n\r\n')
      return reply
    }

    test('the session has ended changes nothing, and opens no session', async () => {
      const person = await server.addUser([{ company: server.tenantA, role: 'admin' }])
      const stolen = await openSession(server, person)
      const { secret } = (await stolen.send('POST', appPaths.accountFactor, {})).json
      const code = codeAt(parseSeed(secret), server.clock.now())
      const changePassword = async () => {
        const own = await openSession(server, person)
        const passwords = { current: person.password, password: 'nye ord som ingen kjenner' }
        expect((await own.send('POST', appPaths.accountPassword, passwords)).status).toBe(200)
      }
      const late = await replyAfter(stolen, appPaths.accountFactorConfirm, { code }, changePassword)
      expect(late).toMatch(/^HTTP\/1\.1 401 .*"code":"SessionExpired"/s)
      expect(late.toLowerCase()).not.toContain('set-cookie')
      await expectStatus(signInAs(server, { ...person, password: 'nye ord som ingen kjenner' }), 204)
    })

    test('the role has changed is rejected as a new request would be', async () => {
      const person = await server.addUser([{ company: server.tenantA, role: 'admin' }])
      const session = await openSession(server, person)
      const body = { name: 'sen', scopes: 'revenue:read', days: '1' }
      const late = await replyAfter(session, appPaths.keyAdd, body, () =>
        server.store.inSystemTransaction((writer) =>
          saveMembership(writer, {
            companyId: server.tenantA.id,
            userId: person.id,
            role: 'viewer',
            departments: null,
          }),
        ),
      )
      expect(late).toMatch(/^HTTP\/1\.1 403 .*"code":"RoleMissing"/s)
    })
  })

  test('of two concurrent changes of one account one is made, and the session of the other has ended', async () => {
    const person = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    const sessions = [await openSession(server, person), await openSession(server, person)]
    const replies = await Promise.all(
      sessions.map((session, index) =>
        session.send('POST', appPaths.accountPassword, {
          current: person.password,
          password: `nye ord nummer ${index}`,
        }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    const changed = replies.find(({ status }) => status === 200)
    if (changed === undefined) throw new Error('neither was made')
    expect(await sessionStatus(server, findCookie(changed))).toBe(200)
  })

  test('concurrent requests of one session keep it one session', async () => {
    const session = await openSession(server, kari, server.tenantA.name)
    const moves = await Promise.all(
      Array.from({ length: 8 }, () => session.send('POST', '/app/okt/bytt', { company: server.tenantB.name })),
    )
    const statuses = moves.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([204, ...Array(7).fill(401)])
  })

  test('a session is not accepted by the API, nor a key by the app', async () => {
    const { cookie } = await openSession(server, kari)
    const api = await server.call('GET', '/dev/Omsetning/Finn', { as: null, headers: { cookie } })
    expect(api.json.error.code).toBe('MissingCredentials')
    for (const { method, path } of appRoutes) {
      const reply = await server.call(method, path.replace(':set', 'Omsetning'), { headers: ownPage })
      if (method === 'GET' && path === sessionPath) expect(reply.status).toBe(204)
      else expect([path, reply.json.error.code]).toEqual([path, 'SessionExpired'])
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
      ['of a browser without Fetch Metadata on another site', { origin: 'https://evil.example', token: 'right' }],
      ['of a browser without Fetch Metadata in a frame', { origin: 'null', token: 'right' }],
      ['without Origin and Fetch Metadata', { token: 'right' }],
      ['as a form', { ...ownPage, token: 'right', 'content-type': 'application/x-www-form-urlencoded' }],
      ['as plain text', { ...ownPage, token: 'right', 'content-type': 'text/plain' }],
      ['as a multipart form', { ...ownPage, token: 'right', 'content-type': 'multipart/form-data; boundary=x' }],
    ]

    test.each(vectors)('%s', async (_, { token, ...headers }) => {
      const session = await openSession(server, kari, server.tenantA.name)
      const reply = await server.call('POST', '/app/data/omsetning/celler', {
        as: null,
        body: JSON.stringify([cell]),
        headers: {
          'content-type': 'application/json',
          cookie: session.cookie,
          ...headers,
          ...(token === undefined ? {} : { 'x-csrf-token': session.csrf }),
        },
      })
      expect([403, 415]).toContain(reply.status)
      const found = await server.call('GET', '/dev/Omsetning/Finn')
      expect(found.json).toEqual([])
    })

    test('whatever it would change', async () => {
      const { cookie } = await openSession(server, kari, server.tenantA.name)
      for (const { method, path } of appRoutes.filter((route) => route.method !== 'GET')) {
        if (path === sessionPath) continue
        const reply = await server.call(method, path, { as: null, json: {}, headers: { cookie, ...ownPage } })
        expect([path, reply.json.error.code]).toEqual([path, 'CsrfRejected'])
      }
    })

    test('signing in from another site', async () => {
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])
        expectError(await signInAs(server, kari, '', headers), 403, 'CsrfRejected')
    })

    test('signing out from another site', async () => {
      const session = await openSession(server, kari)
      const reply = await server.call('DELETE', sessionPath, {
        as: null,
        headers: { cookie: session.cookie, 'sec-fetch-site': 'cross-site' },
      })
      expect(reply.status).toBe(403)
      expect((await session.get(sessionPath)).status).toBe(200)
    })
  })

  test.each(roles)('%s reaches what the role allows, and nothing else', async (role) => {
    const session = await openSessionAs(server, server.tenantA, role)
    const { scopes } = (await session.get(sessionPath)).json
    for (const { method, path, access } of appRoutes) {
      // Streams have no end; another test covers what they send.
      if (path.startsWith(sessionPath) || path.startsWith('/app/data/konto') || path === appPaths.live) continue
      const address = path.replace(':set', 'Omsetning')
      const reply = method === 'GET' ? await session.get(address) : await session.send(method, address, [])
      // Open to every role; each set requires a scope.
      const needed = path === appPaths.read ? 'revenue:read' : access
      // No user of this test is an operator, which no role includes.
      const isLet =
        needed === 'anybody' || (typeof needed === 'string' ? scopes.includes(needed) : needed.includes(role))
      expect([path, reply.status === 403]).toEqual([path, !isLet])
      if (!isLet) expect(reply.json.error.code).toBe('RoleMissing')
    }
  })
})
