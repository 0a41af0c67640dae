// ADR 0092, 0093: OpenID Connect sign-in with a real provider: accounts, roles and errors.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { auditRows } from '../../src/store/audit/audit-log.ts'
import { findUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type Answer, type Company, type House } from '../support/server.ts'
import { client, startProvider, type IdentityProvider } from './identity-provider.ts'
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
const back = '/app/sso/svar'
const account = '/app/data/konto'

describe.each(databases)('$name', (database) => {
  let base: House
  let house: House
  let provider: IdentityProvider
  let company: Company
  let people = 0
  let now = 0
  beforeAll(async () => {
    provider = await startProvider(`http://localhost${back}`)
    base = await buildHouse(database, 'app-sign-on')
    base.clock.now = () => now
    company = base.mine
    house = await base.twin({
      provider: settings(),
      groupRoles: [
        'leger=MITT:approver',
        'sjefer=MITT:admin',
        'gjester=DITT:viewer',
        'ingen=FINNES IKKE:viewer',
      ],
    })
  })
  beforeEach(() => {
    now = Date.now() * 1000
  })
  afterAll(async () => {
    await house.close()
    await base.close()
    await provider.close()
  })

  const settings = (changes: object = {}) => ({
    issuer: provider.issuer,
    clientId: client.id,
    clientSecret: client.secret,
    scopes: 'openid email profile',
    groupsClaim: 'groups',
    hosts: [],
    ...changes,
  })

  const newSubject = (groups: readonly string[], email?: string): string => {
    const subject = `subjekt-${database.name}-${++people}`
    provider.people.set(subject, { groups, ...(email === undefined ? {} : { email }) })
    return subject
  }

  interface Left {
    readonly address: string
    readonly cookie: string
  }

  const leave = async (at = house, fields: object = {}, cookie = ''): Promise<Left> => {
    const answer = await at.call('POST', '/app/sso', {
      as: null,
      json: fields,
      headers: { ...ownPage, ...(cookie === '' ? {} : { cookie }) },
    })
    if (answer.status !== 200) throw new Error(answer.text)
    return { address: answer.json.address, cookie: cookieIn(answer, '__Host-sso') }
  }

  let arrivals = 0
  /** From a client address of its own, unless one is given: failures are throttled by address. */
  const arrive = (
    search: string,
    cookie: string,
    at = house,
    address = `127.1.${Math.floor(++arrivals / 250)}.${arrivals % 250}`,
  ): Promise<Answer> =>
    at.call('GET', back + search, {
      as: null,
      address,
      headers: { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    })

  const enter = async (subject: string, fields: object = {}, cookie = ''): Promise<Answer> => {
    const left = await leave(house, fields)
    const { search } = await provider.signIn(left.address, subject)
    return arrive(search, cookie === '' ? left.cookie : `${left.cookie}; ${cookie}`)
  }

  const who = async (answer: Answer) =>
    (await (await visitWith(house, cookieIn(answer))).get(session)).json

  /** The error page that a failed sign-in leads to; checks that no session was opened. */
  const refusedAs = (answer: Answer): string => {
    expect(answer.status).toBe(303)
    expect(setCookie(answer)).not.toContain('__Host-sid=')
    return new URL(answer.headers['location'] ?? '', 'http://x').searchParams.get('sso') ?? ''
  }

  test('the page knows whether there is a provider, and its name', async () => {
    const open = (at: House) => at.call('GET', '/app/sso', { as: null })
    expect((await open(house)).json).toEqual({ name: 'Prøveleverandør' })
    expect((await open(base)).json).toEqual({ name: null })
    const headers = ownPage
    expect((await base.call('POST', '/app/sso', { as: null, json: {}, headers })).status).toBe(404)
    expect((await base.call('GET', back, { as: null })).status).toBe(404)
  })

  test('the redirect has state, nonce and a PKCE challenge, and a cookie encrypts them for 10 minutes', async () => {
    const answer = await house.call('POST', '/app/sso', { as: null, json: {}, headers: ownPage })
    expect(setCookie(answer)).toMatch(
      /^__Host-sso=[\w-]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    )
    const { searchParams, origin } = new URL(answer.json.address)
    expect(origin).toBe(provider.issuer)
    const asked = Object.fromEntries(searchParams)
    expect(asked).toMatchObject({
      client_id: client.id,
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `http://localhost${back}`,
    })
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(asked[name]).toMatch(/^[\w-]{43}$/)
    expect(answer.text + setCookie(answer)).not.toContain(client.secret)
  })

  test('a group creates an account with a role; the second sign-in uses the same account', async () => {
    const subject = newSubject(['leger', 'annet'], `lege${people}@${database.name}.example`)
    const first = await enter(subject, { to: '/app/omsetning?vis=dager' })
    expect(first.headers['location']).toBe('/app/omsetning?vis=dager')
    expect(setCookie(first)).toMatch(
      /__Host-sid=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax/,
    )
    expect(setCookie(first)).toMatch(/__Host-sso=; Max-Age=0/)
    expect(await who(first)).toMatchObject({ role: 'approver', company: company.name })
    const page = { before: Number.MAX_SAFE_INTEGER, top: 1 }
    const [last] = await auditRows(house.store, company.id as CompanyId, page)
    expect(last).toMatchObject({ action: 'sign-in', data: expect.stringContaining('"provider"') })
    const again = await who(await enter(subject))
    expect(again.email).toBe((await who(first)).email)
  })

  test('a user without a mapped group is rejected, and no account is created', async () => {
    const email = `fremmed@${database.name}.example`
    for (const groups of [[], ['annet'], ['ingen']])
      expect(refusedAs(await enter(newSubject(groups, email)))).toBe('IdentityUnknown')
    expect((await findUser(house.store, email))?.id).toBeUndefined()
  })

  test('an equal e-mail address does not link accounts', async () => {
    const kari = await house.person([{ company, role: 'admin' }])
    const subject = newSubject(['leger'], kari.email)
    expect(refusedAs(await enter(subject))).toBe('IdentityUnknown')
    expect((await signInAs(house, kari)).status).toBe(204)
    const one = newSubject(['gjester'], `delt@${database.name}.example`)
    const { email } = await who(await enter(one))
    const other = newSubject(['sjefer'], email)
    expect(refusedAs(await enter(other))).toBe('IdentityUnknown')
    expect((await who(await enter(one))).role).toBe('viewer')
  })

  test('an e-mail address that the provider did not verify is not stored', async () => {
    const email = `ubekreftet@${database.name}.example`
    const subject = newSubject(['leger'])
    provider.people.set(subject, { groups: ['leger'], email, email_verified: false })
    expect(await who(await enter(subject))).toMatchObject({
      email: expect.stringMatching(/^[\da-f]{16}@127\.0\.0\.1$/),
      role: 'approver',
    })
    expect((await findUser(house.store, email))?.id).toBeUndefined()
  })

  test('a new user who signs in through two windows at once has one account', async () => {
    for (let round = 0; round < 3; round++) {
      const subject = newSubject(['leger'], `to${people}@${database.name}.example`)
      const windows = await Promise.all([leave(), leave(), leave(), leave()])
      const searches = await Promise.all(
        windows.map(({ address }) => provider.signIn(address, subject)),
      )
      const answers = await Promise.all(
        searches.map(({ search }, index) => arrive(search, windows[index]?.cookie ?? '')),
      )
      const emails = await Promise.all(answers.map(async (one) => (await who(one)).email))
      expect(new Set(emails)).toEqual(new Set([provider.people.get(subject)?.['email']]))
    }
  })

  test('groups set, remove and restore the role at the next sign-in; the strongest role counts', async () => {
    const subject = newSubject(['leger'])
    const roleWith = async (...groups: string[]) => {
      provider.people.set(subject, { groups })
      const answer = await enter(subject)
      return setCookie(answer).includes('__Host-sid=') ? (await who(answer)).role : null
    }
    expect(await roleWith('leger')).toBe('approver')
    expect(await roleWith('leger', 'sjefer')).toBe('admin')
    const before = await visitWith(house, cookieIn(await enter(subject)))
    expect(await roleWith()).toBe(null)
    expect((await before.get(session)).status).toBe(401)
    expect(await roleWith('leger')).toBe('approver')
  })

  test('ADR 0126 a session ends after one hour if its role is from a group, otherwise after twelve', async () => {
    const kari = await house.person([{ company, role: 'viewer' }])
    const linked = newSubject([])
    await link(kari, linked)
    const start = now
    const entered = [await enter(newSubject(['leger'])), await enter(linked)]
    const sessions = entered.map((answer) => cookieIn(answer))
    const statuses = async (at: number) => {
      now = at
      return Promise.all(
        sessions.map(
          async (cookie) =>
            (await house.call('GET', session, { as: null, headers: { cookie } })).status,
        ),
      )
    }
    expect(await statuses(start + 29 * minute)).toEqual([200, 200])
    expect(await statuses(start + 58 * minute)).toEqual([200, 200])
    expect(await statuses(start + 60 * minute - 1)).toEqual([200, 200])
    expect(await statuses(start + 60 * minute)).toEqual([401, 200])
  })

  test('roles given in the app stay, and so does removal', async () => {
    const admin = await visit(house, await house.person([{ company, role: 'admin' }]))
    const kari = await house.person([{ company, role: 'viewer' }])
    const subject = newSubject(['leger'])
    await link(kari, subject)
    expect((await who(await enter(subject))).role).toBe('viewer')
    const other = newSubject(['leger'], `stengt@${database.name}.example`)
    const { email } = await who(await enter(other))
    const { id = 0 } = (await findUser(house.store, email)) ?? {}
    const out = { id: String(id) }
    await admin.act('POST', '/app/data/administrasjon/personer/steng', out)
    expect(refusedAs(await enter(other))).toBe('IdentityUnknown')
    // A group that is lost and regained does not undo a removal.
    provider.people.set(other, { groups: [] })
    expect(refusedAs(await enter(other))).toBe('IdentityUnknown')
    provider.people.set(other, { groups: ['leger'] })
    expect(refusedAs(await enter(other))).toBe('IdentityUnknown')
    await admin.act('POST', '/app/data/administrasjon/personer/apne', out)
    expect((await who(await enter(other))).role).toBe('approver')
  })

  const link = async (person: { email: string; password: string; id: number }, subject: string) => {
    const visitor = await visit(house, person)
    const answer = await visitor.act('POST', `${account}/sso`, {})
    const { search } = await provider.signIn(answer.json.address, subject)
    const cookies = `${visitor.cookie}; ${cookieIn(answer, '__Host-sso')}`
    return { visitor, answer: await arrive(search, cookies) }
  }

  describe('linking with an account', () => {
    test('a linked identity signs in to that account from then on, whatever e-mail the provider sends', async () => {
      const kari = await house.person([{ company, role: 'approver' }])
      const subject = newSubject([])
      expect(refusedAs(await enter(subject))).toBe('IdentityUnknown')
      const { visitor, answer } = await link(kari, subject)
      expect(answer.headers['location']).toBe('/app/konto?sso=linked')
      expect((await visitor.get(account)).json.identities).toMatchObject([
        { issuer: provider.issuer },
      ])
      expect(await who(await enter(subject))).toMatchObject({ email: kari.email })
      await visitor.act('POST', `${account}/sso/fjern`)
      expect(refusedAs(await enter(subject))).toBe('IdentityUnknown')
    })

    test('an identity linked with another account is rejected', async () => {
      const kari = await house.person([{ company, role: 'approver' }])
      const ola = await house.person([{ company, role: 'viewer' }])
      const subject = newSubject([])
      await link(kari, subject)
      const { answer, visitor } = await link(ola, subject)
      expect(new URL(answer.headers['location'] ?? '', 'http://x').pathname).toBe('/app/konto')
      expect(answer.headers['location']).toContain('sso=IdentityTaken')
      expect((await visitor.get(account)).json.identities).toEqual([])
      expect((await who(await enter(subject))).email).toBe(kari.email)
    })

    test('a callback in another session, or without one, is rejected', async () => {
      const kari = await house.person([{ company, role: 'approver' }])
      const ola = await visit(house, await house.person([{ company, role: 'viewer' }]))
      const visitor = await visit(house, kari)
      for (const cookie of [ola.cookie, '']) {
        const answer = await visitor.act('POST', `${account}/sso`, {})
        const { search } = await provider.signIn(answer.json.address, newSubject([]))
        const arrived = await arrive(search, `${cookie}; ${cookieIn(answer, '__Host-sso')}`)
        expect(['SignOnFailed', 'SessionExpired']).toContain(refusedAs(arrived))
      }
      expect((await ola.get(account)).json.identities).toEqual([])
    })

    test('linking requires re-authentication', async () => {
      const visitor = await visit(house, await house.person([{ company, role: 'viewer' }]))
      now += 5 * minute
      for (const path of ['sso', 'sso/fjern'])
        expect((await visitor.act('POST', `${account}/${path}`, {})).json.error.code).toBe(
          'PasswordNeeded',
        )
    })
  })

  describe('an invalid callback opens no session', () => {
    const round = async () => {
      const left = await leave()
      const { searchParams } = await provider.signIn(left.address, newSubject(['leger']))
      return { left, searchParams }
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
      const { left, searchParams } = await round()
      const answer = await arrive(search(searchParams, changes), left.cookie)
      expect(refusedAs(answer)).toBe('SignOnFailed')
    })

    test("no login state, another browser's, a modified one, and two", async () => {
      const { searchParams } = await round()
      const other = await leave()
      const changed = other.cookie.slice(0, -1) + (other.cookie.endsWith('A') ? 'B' : 'A')
      for (const cookie of ['', other.cookie, changed, `${other.cookie}; ${other.cookie}`])
        expect(refusedAs(await arrive(`?${searchParams.toString()}`, cookie))).toBe('SignOnFailed')
    })

    test('a used code', async () => {
      const { left, searchParams } = await round()
      const first = await arrive(`?${searchParams.toString()}`, left.cookie)
      expect(setCookie(first)).toContain('__Host-sid=')
      const replayed = await arrive(`?${searchParams.toString()}`, left.cookie)
      expect(refusedAs(replayed)).toBe('SignOnFailed')
    })

    test('after 10 minutes, to the microsecond', async () => {
      const { left, searchParams } = await round()
      now += 10 * minute
      expect(refusedAs(await arrive(`?${searchParams.toString()}`, left.cookie))).toBe(
        'SignOnFailed',
      )
      now -= 1
      expect(setCookie(await arrive(`?${searchParams.toString()}`, left.cookie))).toContain(
        '__Host-sid=',
      )
    })

    test('a token with another nonce', async () => {
      const { left } = await round()
      const address = new URL(left.address)
      address.searchParams.set('nonce', 'B'.repeat(43))
      const { searchParams } = await provider.signIn(address.href, newSubject(['leger']))
      expect(refusedAs(await arrive(`?${searchParams.toString()}`, left.cookie))).toBe(
        'SignOnFailed',
      )
    })

    test('a code for another PKCE challenge', async () => {
      const { left } = await round()
      const address = new URL(left.address)
      address.searchParams.set('code_challenge', 'B'.repeat(43))
      const { searchParams } = await provider.signIn(address.href, newSubject(['leger']))
      expect(refusedAs(await arrive(`?${searchParams.toString()}`, left.cookie))).toBe(
        'SignOnFailed',
      )
    })
  })

  test('wrong codes are throttled per client address before the provider is called', async () => {
    const { cookie, address } = await leave()
    const { searchParams } = new URL(address)
    const wrong = new URLSearchParams({
      code: 'A'.repeat(43),
      state: searchParams.get('state') ?? '',
      iss: provider.issuer,
    }).toString()
    const place = '127.0.9.9'
    for (let tried = 0; tried < 7; tried++)
      expect(refusedAs(await arrive(`?${wrong}`, cookie, house, place))).toBe('SignOnFailed')
    expect(refusedAs(await arrive(`?${wrong}`, cookie, house, place))).toBe('TooManyFailedLogins')
    expect(setCookie(await enter(newSubject(['leger'])))).toContain('__Host-sid=')
  })

  test('signing in replaces the session of the browser, and ends the old one', async () => {
    const planted = `__Host-sid=${'A'.repeat(43)}`
    const first = cookieIn(await enter(newSubject(['leger']), {}, planted))
    expect(first).toMatch(/^__Host-sid=[\w-]{43}$/)
    expect(first).not.toBe(planted)
    const second = cookieIn(await enter(newSubject(['leger']), {}, first))
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

  test('another site cannot start a sign-in', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site }
      const answer = await house.call('POST', '/app/sso', { as: null, json: {}, headers })
      expect([answer.status, answer.json.error.code]).toEqual([403, 'CsrfRejected'])
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
    expect((await enter(newSubject(['leger']), { to })).headers['location']).toBe('/app/i-dag')
  })

  test('sensitive actions require a recent authentication at the provider', async () => {
    const subject = newSubject(['sjefer'])
    const visitor = await visitWith(house, cookieIn(await enter(subject)))
    const key = { name: `kasse ${people}`, scopes: 'revenue:read' }
    const add = (who: typeof visitor) => who.act('POST', '/app/data/administrasjon/nokler/ny', key)
    expect((await add(visitor)).json.error.code).toBe('PasswordNeeded')
    const anew = await visitWith(house, cookieIn(await enter(subject, { anew: 'true' })))
    expect((await add(anew)).status).toBe(200)
  })

  test("the second factor is the provider's: the company's own requirement is not applied", async () => {
    const strict = await house.company(`STRENGT ${database.name}`, {
      settings: { requiresFactorOfViewer: true },
    })
    const kari = await house.person([{ company: strict, role: 'viewer' }])
    const visitor = await visit(house, kari)
    expect((await visitor.get(session)).json.lacksFactor).toBe(true)
    const subject = newSubject([])
    await link(kari, subject)
    expect(await who(await enter(subject))).toMatchObject({ lacksFactor: false })
  })

  describe('a faulty provider', () => {
    test.each([
      [
        'a provider with another issuer',
        () => ({ issuer: provider.issuer.replace('127.0.0.1', 'localhost') }),
      ],
      ['an unreachable provider', () => ({ issuer: 'http://127.0.0.1:9' })],
      ['a server that is no provider', () => ({ issuer: `${provider.issuer}/annet` })],
    ])('%s fails the sign-in, and everything else works', async (_, changes) => {
      const twin = await base.twin({ provider: settings(changes()) })
      const answer = await twin.call('POST', '/app/sso', {
        as: null,
        json: {},
        headers: ownPage,
      })
      expect([answer.status, answer.json.error.code]).toEqual([503, 'ProviderUnavailable'])
      const kari = await house.person([{ company, role: 'viewer' }])
      expect((await signInAs(twin, kari)).status).toBe(204)
      await twin.close()
    })

    test('a provider that does not accept our secret issues no token', async () => {
      const twin = await base.twin({
        provider: settings({ clientSecret: 'feil' }),
        groupRoles: ['leger=MITT:approver'],
      })
      const left = await leave(twin)
      const { search } = await provider.signIn(left.address, newSubject(['leger']))
      expect(refusedAs(await arrive(search, left.cookie, twin))).toBe('SignOnFailed')
      await twin.close()
    })
  })
})
