// ADR 0042: OpenID Connect sign-in with a real provider: accounts, roles and errors.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { listAuditRows } from '../../src/store/audit/audit.ts'
import { findUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { startTestServer, type TestReply, type TestCompany, type TestServer } from '../support/server.ts'
import { oidcClient, startProvider, type IdentityProvider } from './identity-provider.ts'
import {
  findCookie,
  ownPage,
  sessionPath,
  setCookieHeader,
  signInAs,
  openSession,
  sessionStatus,
  resumeSession,
  openSessionAs,
} from './session-client.ts'

const minute = 60_000_000
const back = '/app/sso/svar'
const account = '/app/data/konto'

describe.each(databases)('$name', (database) => {
  let server: TestServer
  let provider: IdentityProvider
  let company: TestCompany
  let userCount = 0
  let now = 0
  beforeAll(async () => {
    provider = await startProvider(`http://localhost${back}`)
    server = await startTestServer(database, 'app-sign-on', {
      settings: {
        ...provider.settings,
        oidcRoles: 'leger=MITT:approver, sjefer=MITT:admin, gjester=DITT:viewer, ingen=FINNES IKKE:viewer',
      },
    })
    server.clock.now = () => now
    company = server.tenantA
  })
  beforeEach(() => {
    now = Date.now() * 1000
  })
  afterAll(async () => {
    await server.close()
    await provider.close()
  })

  const newSubject = (groups: readonly string[], email?: string): string => {
    const subject = `subjekt-${database.name}-${++userCount}`
    provider.claimsBySubject.set(subject, { groups, ...(email === undefined ? {} : { email }) })
    return subject
  }

  interface SignInStart {
    readonly address: string
    readonly cookie: string
  }

  const startSignIn = async (at = server, fields: object = {}, cookie = ''): Promise<SignInStart> => {
    const reply = await at.call('POST', '/app/sso', {
      as: null,
      json: fields,
      headers: { ...ownPage, ...(cookie === '' ? {} : { cookie }) },
    })
    if (reply.status !== 200) throw new Error(reply.text)
    return { address: reply.json.address, cookie: findCookie(reply, '__Host-sso') }
  }

  let addressCount = 0
  /** From a client address of its own, unless one is given: failures are throttled by address. */
  const finishSignIn = (
    search: string,
    cookie: string,
    at = server,
    address = `127.1.${Math.floor(++addressCount / 250)}.${addressCount % 250}`,
  ): Promise<TestReply> =>
    at.call('GET', back + search, {
      as: null,
      address,
      headers: { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    })

  const signIn = async (subject: string, fields: object = {}, cookie = '', at = server): Promise<TestReply> => {
    const start = await startSignIn(at, fields)
    const { search } = await provider.signIn(start.address, subject)
    return finishSignIn(search, cookie === '' ? start.cookie : `${start.cookie}; ${cookie}`, at)
  }

  const readSession = async (reply: TestReply) =>
    (await (await resumeSession(server, findCookie(reply))).get(sessionPath)).json

  /** The error page that a failed sign-in leads to; checks that no session was opened. */
  const errorCodeOf = (reply: TestReply): string => {
    expect(reply.status).toBe(303)
    expect(setCookieHeader(reply)).not.toContain('__Host-sid=')
    return new URL(reply.headers['location'] ?? '', 'http://x').searchParams.get('sso') ?? ''
  }

  test('the page knows whether there is a provider, and its name', async () => {
    const open = (at: TestServer) => at.call('GET', '/app/sso', { as: null })
    expect((await open(server)).json).toEqual({ name: 'Prøveleverandør' })
    const without = await server.secondInstance()
    expect((await open(without)).json).toEqual({ name: null })
    const post = { as: null, json: {}, headers: ownPage }
    expect((await without.call('POST', '/app/sso', post)).status).toBe(404)
    expect((await without.call('GET', back, { as: null })).status).toBe(404)
  })

  test('the redirect has state, nonce and a PKCE challenge, and a cookie encrypts them for 10 minutes', async () => {
    const reply = await server.call('POST', '/app/sso', { as: null, json: {}, headers: ownPage })
    expect(setCookieHeader(reply)).toMatch(/^__Host-sso=[\w-]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
    const { searchParams, origin } = new URL(reply.json.address)
    expect(origin).toBe(provider.issuer)
    const parameters = Object.fromEntries(searchParams)
    expect(parameters).toMatchObject({
      client_id: oidcClient.id,
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `http://localhost${back}`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(parameters[name]).toMatch(/^[\w-]{43}$/)
    expect(reply.text + setCookieHeader(reply)).not.toContain(oidcClient.secret)
  })

  test('a group creates an account with a role; the second sign-in uses the same account', async () => {
    const subject = newSubject(['leger', 'annet'], `lege${userCount}@${database.name}.example`)
    const first = await signIn(subject, { to: '/app/omsetning?vis=dager' })
    expect(first.headers['location']).toBe('/app/omsetning?vis=dager')
    expect(setCookieHeader(first)).toMatch(/__Host-sid=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax/)
    expect(setCookieHeader(first)).toMatch(/__Host-sso=; Max-Age=0/)
    expect(await readSession(first)).toMatchObject({ role: 'approver', company: company.name })
    const page = { before: Number.MAX_SAFE_INTEGER, top: 1 }
    const [last] = await listAuditRows(server.store, { companyId: company.id as CompanyId, ...page })
    expect(last).toMatchObject({ action: 'sign-in', data: expect.stringContaining('"provider"') })
    const again = await readSession(await signIn(subject))
    expect(again.email).toBe((await readSession(first)).email)
  })

  test('a user without a mapped group is rejected, and no account is created', async () => {
    const email = `fremmed@${database.name}.example`
    for (const groups of [[], ['annet'], ['ingen']])
      expect(errorCodeOf(await signIn(newSubject(groups, email)))).toBe('IdentityNotLinked')
    expect((await findUser(server.store, email))?.id).toBeUndefined()
  })

  test('an equal e-mail address does not link accounts', async () => {
    const kari = await server.addUser([{ company, role: 'admin' }])
    const subject = newSubject(['leger'], kari.email)
    expect(errorCodeOf(await signIn(subject))).toBe('IdentityNotLinked')
    expect((await signInAs(server, kari)).status).toBe(204)
    const one = newSubject(['gjester'], `delt@${database.name}.example`)
    const { email } = await readSession(await signIn(one))
    const other = newSubject(['sjefer'], email)
    expect(errorCodeOf(await signIn(other))).toBe('IdentityNotLinked')
    expect((await readSession(await signIn(one))).role).toBe('viewer')
  })

  test('an e-mail address that the provider did not verify is not stored', async () => {
    const email = `ubekreftet@${database.name}.example`
    const subject = newSubject(['leger'])
    provider.claimsBySubject.set(subject, { groups: ['leger'], email, email_verified: false })
    expect(await readSession(await signIn(subject))).toMatchObject({
      email: expect.stringMatching(/^[\da-f]{16}@127\.0\.0\.1$/),
      role: 'approver',
    })
    expect((await findUser(server.store, email))?.id).toBeUndefined()
  })

  test('a new user who signs in through two windows at once has one account', async () => {
    for (let round = 0; round < 3; round++) {
      const subject = newSubject(['leger'], `to${userCount}@${database.name}.example`)
      const windows = await Promise.all([startSignIn(), startSignIn(), startSignIn(), startSignIn()])
      const searches = await Promise.all(windows.map(({ address }) => provider.signIn(address, subject)))
      const replies = await Promise.all(
        searches.map(({ search }, index) => finishSignIn(search, windows[index]?.cookie ?? '')),
      )
      const emails = await Promise.all(replies.map(async (one) => (await readSession(one)).email))
      expect(new Set(emails)).toEqual(new Set([provider.claimsBySubject.get(subject)?.['email']]))
    }
  })

  test('groups set, remove and restore the role at the next sign-in; the strongest role counts', async () => {
    const subject = newSubject(['leger'])
    const roleWith = async (...groups: string[]) => {
      provider.claimsBySubject.set(subject, { groups })
      const reply = await signIn(subject)
      return setCookieHeader(reply).includes('__Host-sid=') ? (await readSession(reply)).role : null
    }
    expect(await roleWith('leger')).toBe('approver')
    expect(await roleWith('leger', 'sjefer')).toBe('admin')
    const before = await resumeSession(server, findCookie(await signIn(subject)))
    expect(await roleWith()).toBe(null)
    expect((await before.get(sessionPath)).status).toBe(401)
    expect(await roleWith('leger')).toBe('approver')
    // A session that has ended is not revived.
    expect((await before.get(sessionPath)).status).toBe(401)
  })

  test('rules for a company in two letter cases are rules for one company; groups are compared exactly', async () => {
    const oidcRoles = 'leger=MITT:approver, sjefer=mitt:admin, Leger=Mitt:viewer'
    const mixed = await server.secondInstance({ settings: { ...provider.settings, oidcRoles } })
    const subject = newSubject([])
    const roleWith = async (...groups: string[]) => {
      provider.claimsBySubject.set(subject, { groups })
      const reply = await signIn(subject, {}, '', mixed)
      return setCookieHeader(reply).includes('__Host-sid=') ? (await readSession(reply)).role : null
    }
    expect(await roleWith('leger')).toBe('approver')
    expect(await roleWith('sjefer')).toBe('admin')
    expect(await roleWith('leger', 'sjefer')).toBe('admin')
    expect(await roleWith('Leger')).toBe('viewer')
    expect(await roleWith('Leger', 'leger')).toBe('approver')
    expect(await roleWith('LEGER')).toBeNull()
  })

  test('ADR 0039 a session ends after one hour if its role is from a group, otherwise after twelve', async () => {
    const kari = await server.addUser([{ company, role: 'viewer' }])
    const linked = newSubject([])
    await link(kari, linked)
    const start = now
    const entered = [await signIn(newSubject(['leger'])), await signIn(linked)]
    const sessions = entered.map((reply) => findCookie(reply))
    const statuses = async (at: number) => {
      now = at
      return Promise.all(sessions.map((cookie) => sessionStatus(server, cookie)))
    }
    expect(await statuses(start + 29 * minute)).toEqual([200, 200])
    expect(await statuses(start + 58 * minute)).toEqual([200, 200])
    expect(await statuses(start + 60 * minute - 1)).toEqual([200, 200])
    expect(await statuses(start + 60 * minute)).toEqual([401, 200])
  })

  test('roles given in the app stay, and so does removal', async () => {
    const admin = await openSessionAs(server, company, 'admin')
    const kari = await server.addUser([{ company, role: 'viewer' }])
    const subject = newSubject(['leger'])
    await link(kari, subject)
    expect((await readSession(await signIn(subject))).role).toBe('viewer')
    const other = newSubject(['leger'], `stengt@${database.name}.example`)
    const { email } = await readSession(await signIn(other))
    const { id = 0 } = (await findUser(server.store, email)) ?? {}
    const out = { id: String(id) }
    await admin.send('POST', '/app/data/administrasjon/personer/steng', out)
    expect(errorCodeOf(await signIn(other))).toBe('IdentityNotLinked')
    // A group that is lost and regained does not undo a removal.
    provider.claimsBySubject.set(other, { groups: [] })
    expect(errorCodeOf(await signIn(other))).toBe('IdentityNotLinked')
    provider.claimsBySubject.set(other, { groups: ['leger'] })
    expect(errorCodeOf(await signIn(other))).toBe('IdentityNotLinked')
    await admin.send('POST', '/app/data/administrasjon/personer/apne', out)
    expect((await readSession(await signIn(other))).role).toBe('approver')
  })

  const link = async (person: { email: string; password: string; id: number }, subject: string) => {
    const session = await openSession(server, person)
    const reply = await session.send('POST', `${account}/sso`, {})
    const { search } = await provider.signIn(reply.json.address, subject)
    const cookies = `${session.cookie}; ${findCookie(reply, '__Host-sso')}`
    return { session, reply: await finishSignIn(search, cookies) }
  }

  describe('linking with an account', () => {
    test('a linked identity signs in to that account from then on, whatever e-mail the provider sends', async () => {
      const kari = await server.addUser([{ company, role: 'approver' }])
      const subject = newSubject([])
      expect(errorCodeOf(await signIn(subject))).toBe('IdentityNotLinked')
      const { session, reply } = await link(kari, subject)
      expect(reply.headers['location']).toBe('/app/konto?sso=linked')
      expect((await session.get(account)).json.identities).toMatchObject([{ issuer: provider.issuer }])
      expect(await readSession(await signIn(subject))).toMatchObject({ email: kari.email })
      await session.send('POST', `${account}/sso/fjern`)
      expect(errorCodeOf(await signIn(subject))).toBe('IdentityNotLinked')
      const page = { before: Number.MAX_SAFE_INTEGER, top: 20 }
      const entries = await listAuditRows(server.store, { companyId: company.id as CompanyId, ...page })
      const own = entries.filter(({ actor, action }) => actor === `user:${kari.id}` && action.startsWith('identity'))
      expect(own.map(({ action }) => action)).toEqual(['identity-off', 'identity-on'])
    })

    test('an identity linked with another account is rejected', async () => {
      const kari = await server.addUser([{ company, role: 'approver' }])
      const ola = await server.addUser([{ company, role: 'viewer' }])
      const subject = newSubject([])
      await link(kari, subject)
      const { reply, session } = await link(ola, subject)
      expect(new URL(reply.headers['location'] ?? '', 'http://x').pathname).toBe('/app/konto')
      expect(reply.headers['location']).toContain('sso=IdentityAlreadyLinked')
      expect((await session.get(account)).json.identities).toEqual([])
      expect((await readSession(await signIn(subject))).email).toBe(kari.email)
    })

    test('a callback in another session, or without one, is rejected', async () => {
      const kari = await server.addUser([{ company, role: 'approver' }])
      const ola = await openSessionAs(server, company, 'viewer')
      const session = await openSession(server, kari)
      for (const cookie of [ola.cookie, '']) {
        const reply = await session.send('POST', `${account}/sso`, {})
        const { search } = await provider.signIn(reply.json.address, newSubject([]))
        const arrived = await finishSignIn(search, `${cookie}; ${findCookie(reply, '__Host-sso')}`)
        expect(['SingleSignOnFailed', 'SessionExpired']).toContain(errorCodeOf(arrived))
      }
      expect((await ola.get(account)).json.identities).toEqual([])
    })

    test('linking requires re-authentication', async () => {
      const session = await openSessionAs(server, company, 'viewer')
      now += 5 * minute
      for (const path of ['sso', 'sso/fjern'])
        expect((await session.send('POST', `${account}/${path}`, {})).json.error.code).toBe('ReauthenticationRequired')
    })
  })

  describe('an invalid callback opens no session', () => {
    const round = async () => {
      const start = await startSignIn()
      const { searchParams } = await provider.signIn(start.address, newSubject(['leger']))
      return { left: start, searchParams }
    }
    const search = (given: URLSearchParams, changes: Readonly<Record<string, string | null>>) => {
      const changed = new URLSearchParams(given)
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) changed.delete(name)
        else changed.set(name, value)
      }
      return `?${changed.toString()}`
    }

    test.each([
      ['another state', { state: 'A'.repeat(43) }],
      ['no state', { state: null }],
      ['another issuer', { iss: 'http://127.0.0.1:1' }],
      ['another code', { code: 'A'.repeat(43) }],
      ['no code', { code: null }],
      ['an error reply', { code: null, error: 'access_denied' }],
    ])('%s', async (_, changes) => {
      const { left: start, searchParams } = await round()
      const reply = await finishSignIn(search(searchParams, changes), start.cookie)
      expect(errorCodeOf(reply)).toBe('SingleSignOnFailed')
    })

    test("no login state, another browser's, a modified one, and two", async () => {
      const { searchParams } = await round()
      const other = await startSignIn()
      const changed = other.cookie.slice(0, -1) + (other.cookie.endsWith('A') ? 'B' : 'A')
      for (const cookie of ['', other.cookie, changed, `${other.cookie}; ${other.cookie}`])
        expect(errorCodeOf(await finishSignIn(`?${searchParams.toString()}`, cookie))).toBe('SingleSignOnFailed')
    })

    test('a used code', async () => {
      const { left: start, searchParams } = await round()
      const first = await finishSignIn(`?${searchParams.toString()}`, start.cookie)
      expect(setCookieHeader(first)).toContain('__Host-sid=')
      const replayed = await finishSignIn(`?${searchParams.toString()}`, start.cookie)
      expect(errorCodeOf(replayed)).toBe('SingleSignOnFailed')
    })

    test('after 10 minutes, to the microsecond', async () => {
      const { left: start, searchParams } = await round()
      now += 10 * minute
      expect(errorCodeOf(await finishSignIn(`?${searchParams.toString()}`, start.cookie))).toBe('SingleSignOnFailed')
      now -= 1
      expect(setCookieHeader(await finishSignIn(`?${searchParams.toString()}`, start.cookie))).toContain('__Host-sid=')
    })

    test.each([
      ['a token with another nonce', 'nonce'],
      ['a code for another PKCE challenge', 'code_challenge'],
    ])('%s', async (_, parameter) => {
      const { left: start } = await round()
      const address = new URL(start.address)
      address.searchParams.set(parameter, 'B'.repeat(43))
      const { search: changed } = await provider.signIn(address.href, newSubject(['leger']))
      expect(errorCodeOf(await finishSignIn(changed, start.cookie))).toBe('SingleSignOnFailed')
    })
  })

  test('wrong codes are throttled per client address before the provider is called', async () => {
    const { cookie, address } = await startSignIn()
    const { searchParams } = new URL(address)
    const wrong = new URLSearchParams({
      code: 'A'.repeat(43),
      state: searchParams.get('state') ?? '',
      iss: provider.issuer,
    }).toString()
    const clientAddress = '127.0.9.9'
    for (let tried = 0; tried < 7; tried++)
      expect(errorCodeOf(await finishSignIn(`?${wrong}`, cookie, server, clientAddress))).toBe('SingleSignOnFailed')
    expect(errorCodeOf(await finishSignIn(`?${wrong}`, cookie, server, clientAddress))).toBe('TooManyFailedLogins')
    expect(setCookieHeader(await signIn(newSubject(['leger'])))).toContain('__Host-sid=')
  })

  test('signing in replaces the session of the browser, and ends the old one', async () => {
    const foreignCookie = `__Host-sid=${'A'.repeat(43)}`
    const first = findCookie(await signIn(newSubject(['leger']), {}, foreignCookie))
    expect(first).toMatch(/^__Host-sid=[\w-]{43}$/)
    expect(first).not.toBe(foreignCookie)
    const second = findCookie(await signIn(newSubject(['leger']), {}, first))
    expect(second).not.toBe(first)
    for (const cookie of [foreignCookie, first]) expect(await sessionStatus(server, cookie)).toBe(401)
    expect(await sessionStatus(server, second)).toBe(200)
  })

  test('another site cannot start a sign-in', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site }
      expectError(await server.call('POST', '/app/sso', { as: null, json: {}, headers }), 403, 'CsrfRejected')
    }
  })

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/app//evil.example',
    '/app/\\evil.example',
    'javascript:alert(1)',
    '/app/../docs',
    '/app/i-dag\r\nX: y',
    '',
  ])('nobody is redirected to %j', async (to) => {
    expect((await signIn(newSubject(['leger']), { to })).headers['location']).toBe('/app/i-dag')
  })

  test('sensitive actions require a recent authentication at the provider', async () => {
    const subject = newSubject(['sjefer'])
    const session = await resumeSession(server, findCookie(await signIn(subject)))
    const key = { name: `kasse ${userCount}`, scopes: 'revenue:read' }
    const add = (readSession: typeof session) => readSession.send('POST', '/app/data/administrasjon/nokler/ny', key)
    expect((await add(session)).json.error.code).toBe('ReauthenticationRequired')
    const reauthenticated = await resumeSession(server, findCookie(await signIn(subject, { reauthenticate: 'true' })))
    expect((await add(reauthenticated)).status).toBe(200)
  })

  test("the second factor is the provider's: the company's own requirement is not applied", async () => {
    const strict = await server.addCompany(`STRENGT ${database.name}`, { settings: { requiresFactorOfViewer: true } })
    const kari = await server.addUser([{ company: strict, role: 'viewer' }])
    const session = await openSession(server, kari)
    expect((await session.get(sessionPath)).json.lacksFactor).toBe(true)
    const subject = newSubject([])
    await link(kari, subject)
    expect(await readSession(await signIn(subject))).toMatchObject({ lacksFactor: false })
  })

  describe('a faulty provider', () => {
    test.each([
      ['a provider with another issuer', () => ({ oidcIssuer: provider.issuer.replace('127.0.0.1', 'localhost') })],
      ['an unreachable provider', () => ({ oidcIssuer: 'http://127.0.0.1:9' })],
      ['a server that is no provider', () => ({ oidcIssuer: `${provider.issuer}/annet` })],
    ])('%s fails the sign-in, and everything else works', async (_, changes) => {
      const secondInstance = await server.secondInstance({ settings: { ...provider.settings, ...changes() } })
      const reply = await secondInstance.call('POST', '/app/sso', { as: null, json: {}, headers: ownPage })
      expect([reply.status, reply.json.error.code]).toEqual([503, 'ProviderUnavailable'])
      const kari = await server.addUser([{ company, role: 'viewer' }])
      expect((await signInAs(secondInstance, kari)).status).toBe(204)
    })

    test('a provider that does not accept our secret issues no token', async () => {
      const secondInstance = await server.secondInstance({
        settings: { ...provider.settings, oidcClientSecret: 'feil', oidcRoles: 'leger=MITT:approver' },
      })
      const start = await startSignIn(secondInstance)
      const { search } = await provider.signIn(start.address, newSubject(['leger']))
      expect(errorCodeOf(await finishSignIn(search, start.cookie, secondInstance))).toBe('SingleSignOnFailed')
    })
  })
})
