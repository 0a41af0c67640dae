// ADR 0094: passkeys: registration, sign-in, and rejected responses.
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disableUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type Answer, type House, type Person } from '../support/server.ts'
import { Authenticator, type Odd } from './authenticator.ts'
import {
  cookieIn,
  ownPage,
  session,
  setCookie,
  visit,
  visitWith,
  type Visitor,
} from './session-client.ts'

const at = '/app/data/konto/passnokler'
const minute = 60_000_000

describe.each(databases)('$name', (database) => {
  let house: House
  let kari: Person
  let visitor: Visitor
  let now = 1_790_000_000_000_000
  let places = 0
  beforeAll(async () => {
    house = await buildHouse(database, 'app-passkeys')
    house.clock.now = () => now
  })
  beforeEach(async () => {
    now += 60 * minute
    kari = await house.person([{ company: house.mine, role: 'approver' }])
    visitor = await visit(house, kari)
  })
  afterAll(() => house.close())

  /** Failures are throttled by client address: each gets one of its own. */
  const open = (path: string, json: object, cookie = ''): Promise<Answer> =>
    house.call('POST', path, {
      as: null,
      json,
      address: `127.2.${Math.floor(++places / 250)}.${places % 250}`,
      headers: { ...ownPage, ...(cookie === '' ? {} : { cookie }) },
    })

  const add = async (
    who: Visitor,
    authenticator: Authenticator,
    odd: Odd = {},
    change: object = {},
  ): Promise<Answer> => {
    const told = await who.act('POST', `${at}/ny`)
    expect(told.status).toBe(200)
    return house.call('POST', at, {
      as: null,
      json: { ...authenticator.make(told.json, odd), ...change },
      headers: {
        ...ownPage,
        cookie: `${who.cookie}; ${cookieIn(told, '__Host-passkey')}`,
        'x-csrf-token': who.csrf,
      },
    })
  }

  const asked = async () => {
    const told = await open('/app/okt/passnokkel/ny', {})
    return { told: told.json, cookie: cookieIn(told, '__Host-passkey') }
  }

  const enter = async (authenticator: Authenticator, odd: Odd = {}, change: object = {}) => {
    const { told, cookie } = await asked()
    return open('/app/okt/passnokkel', { ...authenticator.use(told, odd), ...change }, cookie)
  }

  const outcome = (answer: Answer): string =>
    answer.status === 204 ? 'in' : answer.json.error.code

  test.each(['ec', 'ed25519', 'rsa'] as const)(
    'a passkey of type %s is created, listed, used to sign in, and deleted',
    async (kind) => {
      const authenticator = new Authenticator(kind)
      expect((await add(visitor, authenticator)).status).toBe(200)
      const { passkeys } = (await visitor.get('/app/data/konto')).json
      expect(passkeys).toMatchObject([{ id: authenticator.id, createdAt: now, usedAt: null }])
      const entered = await enter(authenticator)
      expect(setCookie(entered)).toMatch(
        /__Host-sid=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax/,
      )
      const inside = await visitWith(house, cookieIn(entered))
      expect((await inside.get(session)).json).toMatchObject({ email: kari.email, via: 'passkey' })
      const out = await inside.act('POST', `${at}/slutt`, { id: authenticator.id })
      expect(out.status).toBe(200)
      expect(outcome(await enter(authenticator))).toBe('PasskeyRefused')
    },
  )

  test('a passkey counts as both factors, and as re-authentication', async () => {
    const company = await house.company(`STRENG ${now}`, {
      settings: { requiresFactorOfAdmin: true },
    })
    const boss = await house.person([{ company, role: 'admin' }])
    const authenticator = new Authenticator()
    expect((await add(await visit(house, boss), authenticator)).status).toBe(200)
    const inside = await visitWith(house, cookieIn(await enter(authenticator)))
    expect((await inside.get(session)).json.lacksFactor).toBe(false)
    const key = { name: 'kasse', scopes: 'revenue:read' }
    const made = await inside.act('POST', '/app/data/administrasjon/nokler/ny', key)
    expect(made.status).toBe(200)
  })

  test('signing in replaces the session of the browser, and ends the old one', async () => {
    const authenticator = new Authenticator()
    await add(visitor, authenticator)
    const { told, cookie } = await asked()
    const both = `${cookie}; ${visitor.cookie}`
    const entered = await open('/app/okt/passnokkel', authenticator.use(told), both)
    expect(cookieIn(entered)).not.toBe(visitor.cookie)
    expect((await visitor.get(session)).status).toBe(401)
  })

  const oddities: readonly (readonly [string, Odd])[] = [
    ['for another site', { site: 'evil.example' }],
    ["from another site's origin", { origin: 'https://evil.example' }],
    ['from another port of the same host', { origin: 'http://localhost:1234' }],
    ['in a cross-origin frame', { crossOrigin: true }],
    ['to another challenge', { challenge: 'A'.repeat(43) }],
    ['of another type', { type: 'payment.get' }],
    ['without user presence', { flags: 0x44 }],
    ['without user verification', { flags: 0x41 }],
  ]

  describe('a rejected response opens no session', () => {
    test.each(oddities)('%s', async (_, odd) => {
      const authenticator = new Authenticator()
      await add(visitor, authenticator)
      const refused = await enter(authenticator, odd)
      expect([refused.status, outcome(refused)]).toEqual([401, 'PasskeyRefused'])
      expect(setCookie(refused)).toBe('')
      expect(outcome(await enter(authenticator))).toBe('in')
    })

    test('signed by another passkey, unsigned, or malformed', async () => {
      const authenticator = new Authenticator()
      const other = new Authenticator()
      await add(visitor, authenticator)
      expect(outcome(await enter(other, {}, { id: authenticator.id }))).toBe('PasskeyRefused')
      for (const change of [
        { signature: 'AAAA' },
        { signature: '%' },
        { authenticatorData: 'AAAA' },
        { clientData: Buffer.from('[]').toString('base64url') },
        { clientData: Buffer.from('null').toString('base64url') },
        { clientData: Buffer.from('{').toString('base64url') },
      ])
        expect(outcome(await enter(authenticator, {}, change))).toBe('PasskeyRefused')
    })

    test('to a challenge for another purpose, an expired one, or none', async () => {
      const authenticator = new Authenticator()
      await add(visitor, authenticator)
      const { told, cookie } = await asked()
      const use = authenticator.use(told)
      expect(outcome(await open('/app/okt/passnokkel', use))).toBe('PasskeyRefused')
      const making = await visitor.act('POST', `${at}/ny`)
      const wrong = cookieIn(making, '__Host-passkey')
      expect(
        outcome(await open('/app/okt/passnokkel', authenticator.use(making.json), wrong)),
      ).toBe('PasskeyRefused')
      now += 5 * minute
      expect(outcome(await open('/app/okt/passnokkel', use, cookie))).toBe('PasskeyRefused')
      now -= 1
      expect(outcome(await open('/app/okt/passnokkel', use, cookie))).toBe('in')
    })

    test('with a counter that did not increase, as of a copied passkey', async () => {
      const authenticator = new Authenticator()
      await add(visitor, authenticator)
      expect(outcome(await enter(authenticator, { count: 7 }))).toBe('in')
      for (const count of [7, 6, 0])
        expect(outcome(await enter(authenticator, { count }))).toBe('PasskeyRefused')
      expect(outcome(await enter(authenticator, { count: 8 }))).toBe('in')
    })

    test('of a removed user', async () => {
      const authenticator = new Authenticator()
      await add(visitor, authenticator)
      await house.store.inHouseTransaction((writer) => disableUser(writer, kari.id, now))
      expect(outcome(await enter(authenticator))).toBe('PasskeyRefused')
    })
  })

  test('a passkey whose counter stays zero is accepted', async () => {
    const authenticator = new Authenticator()
    await add(visitor, authenticator)
    for (let used = 0; used < 2; used++)
      expect(outcome(await enter(authenticator, { count: 0 }))).toBe('in')
  })

  describe('no passkey is registered', () => {
    const listed = async () => (await visitor.get('/app/data/konto')).json.passkeys

    test.each(oddities)('by a response %s', async (_, odd) => {
      const flags = odd.flags === undefined ? {} : { flags: odd.flags }
      const refused = await add(visitor, new Authenticator(), { ...odd, ...flags })
      expect([refused.status, outcome(refused)]).toEqual([401, 'PasskeyRefused'])
      expect(await listed()).toEqual([])
    })

    test("under another passkey's id, without a key, or with a weak one", async () => {
      const ola = await visit(house, await house.person([{ company: house.mine, role: 'viewer' }]))
      const authenticator = new Authenticator()
      await add(ola, authenticator)
      const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
      const publicKey = weak.export({ format: 'der', type: 'spki' }).toString('base64url')
      for (const change of [{}, { id: 'AAAA' }, { publicKey: 'AAAA' }, { publicKey }])
        expect(outcome(await add(visitor, authenticator, {}, change))).toBe('PasskeyRefused')
      expect(outcome(await add(visitor, new Authenticator(), { flags: 0x05 }))).toBe(
        'PasskeyRefused',
      )
      expect(await listed()).toEqual([])
    })

    test('with the challenge of another session', async () => {
      const other = await visit(house, kari)
      const told = await other.act('POST', `${at}/ny`)
      const answer = await house.call('POST', at, {
        as: null,
        json: new Authenticator().make(told.json),
        headers: {
          ...ownPage,
          cookie: `${visitor.cookie}; ${cookieIn(told, '__Host-passkey')}`,
          'x-csrf-token': visitor.csrf,
        },
      })
      expect(outcome(answer)).toBe('PasskeyRefused')
      expect(await listed()).toEqual([])
    })

    test('without re-authentication', async () => {
      now += 5 * minute
      for (const path of [`${at}/ny`, at, `${at}/slutt`])
        expect((await visitor.act('POST', path, {})).json.error.code).toBe('PasswordNeeded')
    })
  })

  test("another user's passkey is neither listed nor deleted", async () => {
    const authenticator = new Authenticator()
    await add(visitor, authenticator)
    const ola = await visit(house, await house.person([{ company: house.mine, role: 'admin' }]))
    expect((await ola.get('/app/data/konto')).json.passkeys).toEqual([])
    expect((await ola.act('POST', `${at}/slutt`, { id: authenticator.id })).status).toBe(404)
    expect(outcome(await enter(authenticator))).toBe('in')
  })

  test('another site cannot sign anybody in', async () => {
    for (const path of ['/app/okt/passnokkel/ny', '/app/okt/passnokkel'])
      for (const site of ['cross-site', 'same-site']) {
        const headers = { 'sec-fetch-site': site }
        const answer = await house.call('POST', path, { as: null, json: {}, headers })
        expect([answer.status, answer.json.error.code]).toEqual([403, 'CsrfRejected'])
      }
  })
})
