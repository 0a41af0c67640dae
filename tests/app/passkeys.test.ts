// ADR 0041: passkeys: registration, sign-in, and rejected responses.
import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disableUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useTestServer, type TestReply, type TestUser } from '../support/server.ts'
import { Authenticator, type PasskeyDeviations } from './authenticator.ts'
import {
  findCookie,
  ownPage,
  sessionPath,
  setCookieHeader,
  openSession,
  resumeSession,
  type SessionClient,
  openSessionAs,
} from './session-client.ts'

const at = '/app/data/konto/passnokler'
const minute = 60_000_000

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-passkeys')
  let kari: TestUser
  let session: SessionClient
  let now = 1_790_000_000_000_000
  let addressCount = 0
  beforeAll(async () => {
    server.clock.now = () => now
  })
  beforeEach(async () => {
    now += 60 * minute
    kari = await server.addUser([{ company: server.tenantA, role: 'approver' }])
    session = await openSession(server, kari)
  })

  /** Failures are throttled by client address: each gets one of its own. */
  const open = (path: string, json: object, cookie = ''): Promise<TestReply> =>
    server.call('POST', path, {
      as: null,
      json,
      address: `127.2.${Math.floor(++addressCount / 250)}.${addressCount % 250}`,
      headers: { ...ownPage, ...(cookie === '' ? {} : { cookie }) },
    })

  const add = async (
    owner: SessionClient,
    authenticator: Authenticator,
    deviations: PasskeyDeviations = {},
    change: object = {},
  ): Promise<TestReply> => {
    const options = await expectStatus(owner.send('POST', `${at}/ny`))
    return server.call('POST', at, {
      as: null,
      json: { ...authenticator.create(options.json, deviations), ...change },
      headers: {
        ...ownPage,
        cookie: `${owner.cookie}; ${findCookie(options, '__Host-passkey')}`,
        'x-csrf-token': owner.csrf,
      },
    })
  }

  const getOptions = async () => {
    const options = await open('/app/okt/passnokkel/ny', {})
    return { options: options.json, cookie: findCookie(options, '__Host-passkey') }
  }

  const signIn = async (authenticator: Authenticator, deviations: PasskeyDeviations = {}, change: object = {}) => {
    const { options, cookie } = await getOptions()
    return open('/app/okt/passnokkel', { ...authenticator.get(options, deviations), ...change }, cookie)
  }

  const outcome = (reply: TestReply): string => (reply.status === 204 ? 'in' : reply.json.error.code)

  test.each(['ec', 'ed25519', 'rsa'] as const)(
    'a passkey of type %s is created, listed, used to sign in, and deleted',
    async (kind) => {
      const authenticator = new Authenticator(kind)
      expect((await add(session, authenticator)).status).toBe(200)
      const { passkeys } = (await session.get('/app/data/konto')).json
      expect(passkeys).toMatchObject([{ id: authenticator.id, createdAt: now, usedAt: null }])
      const entered = await signIn(authenticator)
      expect(setCookieHeader(entered)).toMatch(/__Host-sid=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax/)
      const inside = await resumeSession(server, findCookie(entered))
      expect((await inside.get(sessionPath)).json).toMatchObject({ email: kari.email, via: 'passkey' })
      await expectStatus(inside.send('POST', `${at}/slutt`, { id: authenticator.id }))
      expect(outcome(await signIn(authenticator))).toBe('InvalidPasskey')
    },
  )

  test('a passkey counts as both factors, and as re-authentication', async () => {
    const company = await server.addCompany(`STRENG ${now}`, { settings: { requiresFactorOfAdmin: true } })
    const boss = await server.addUser([{ company, role: 'admin' }])
    const authenticator = new Authenticator()
    expect((await add(await openSession(server, boss), authenticator)).status).toBe(200)
    const inside = await resumeSession(server, findCookie(await signIn(authenticator)))
    expect((await inside.get(sessionPath)).json.lacksFactor).toBe(false)
    const key = { name: 'kasse', scopes: 'revenue:read' }
    await expectStatus(inside.send('POST', '/app/data/administrasjon/nokler/ny', key))
  })

  test('signing in replaces the session of the browser, and ends the old one', async () => {
    const authenticator = new Authenticator()
    await add(session, authenticator)
    const { options, cookie } = await getOptions()
    const both = `${cookie}; ${session.cookie}`
    const entered = await open('/app/okt/passnokkel', authenticator.get(options), both)
    expect(findCookie(entered)).not.toBe(session.cookie)
    expect((await session.get(sessionPath)).status).toBe(401)
  })

  const deviationCases: readonly (readonly [string, PasskeyDeviations])[] = [
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
    test.each(deviationCases)('%s', async (_, deviations) => {
      const authenticator = new Authenticator()
      await add(session, authenticator)
      const refused = await signIn(authenticator, deviations)
      expect([refused.status, outcome(refused)]).toEqual([401, 'InvalidPasskey'])
      expect(setCookieHeader(refused)).toBe('')
      expect(outcome(await signIn(authenticator))).toBe('in')
    })

    test('signed by another passkey, unsigned, or malformed', async () => {
      const authenticator = new Authenticator()
      const other = new Authenticator()
      await add(session, authenticator)
      expect(outcome(await signIn(other, {}, { id: authenticator.id }))).toBe('InvalidPasskey')
      for (const change of [
        { signature: 'AAAA' },
        { signature: '%' },
        { authenticatorData: 'AAAA' },
        { clientData: Buffer.from('[]').toString('base64url') },
        { clientData: Buffer.from('null').toString('base64url') },
        { clientData: Buffer.from('{').toString('base64url') },
      ])
        expect(outcome(await signIn(authenticator, {}, change))).toBe('InvalidPasskey')
    })

    test('to a challenge for another purpose, an expired one, or none', async () => {
      const authenticator = new Authenticator()
      await add(session, authenticator)
      const { options, cookie } = await getOptions()
      const use = authenticator.get(options)
      expect(outcome(await open('/app/okt/passnokkel', use))).toBe('InvalidPasskey')
      const making = await session.send('POST', `${at}/ny`)
      const wrong = findCookie(making, '__Host-passkey')
      expect(outcome(await open('/app/okt/passnokkel', authenticator.get(making.json), wrong))).toBe('InvalidPasskey')
      now += 5 * minute
      expect(outcome(await open('/app/okt/passnokkel', use, cookie))).toBe('InvalidPasskey')
      now -= 1
      expect(outcome(await open('/app/okt/passnokkel', use, cookie))).toBe('in')
    })

    test('with a counter that did not increase, as of a copied passkey', async () => {
      const authenticator = new Authenticator()
      await add(session, authenticator)
      expect(outcome(await signIn(authenticator, { count: 7 }))).toBe('in')
      for (const count of [7, 6, 0]) expect(outcome(await signIn(authenticator, { count }))).toBe('InvalidPasskey')
      expect(outcome(await signIn(authenticator, { count: 8 }))).toBe('in')
    })

    test('of a removed user', async () => {
      const authenticator = new Authenticator()
      await add(session, authenticator)
      await server.store.inSystemTransaction((writer) => disableUser(writer, kari.id, now))
      expect(outcome(await signIn(authenticator))).toBe('InvalidPasskey')
    })
  })

  test('a passkey whose counter stays zero is accepted', async () => {
    const authenticator = new Authenticator()
    await add(session, authenticator)
    for (let used = 0; used < 2; used++) expect(outcome(await signIn(authenticator, { count: 0 }))).toBe('in')
  })

  describe('no passkey is registered', () => {
    const listed = async () => (await session.get('/app/data/konto')).json.passkeys

    test.each(deviationCases)('by a response %s', async (_, deviations) => {
      const flags = deviations.flags === undefined ? {} : { flags: deviations.flags }
      const refused = await add(session, new Authenticator(), { ...deviations, ...flags })
      expect([refused.status, outcome(refused)]).toEqual([401, 'InvalidPasskey'])
      expect(await listed()).toEqual([])
    })

    test("under another passkey's id, without a key, or with a weak one", async () => {
      const ola = await openSessionAs(server, server.tenantA, 'viewer')
      const authenticator = new Authenticator()
      await add(ola, authenticator)
      const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
      const publicKey = weak.export({ format: 'der', type: 'spki' }).toString('base64url')
      for (const change of [{}, { id: 'AAAA' }, { publicKey: 'AAAA' }, { publicKey }])
        expect(outcome(await add(session, authenticator, {}, change))).toBe('InvalidPasskey')
      expect(outcome(await add(session, new Authenticator(), { flags: 0x05 }))).toBe('InvalidPasskey')
      expect(await listed()).toEqual([])
    })

    test('with the challenge of another session', async () => {
      const other = await openSession(server, kari)
      const options = await other.send('POST', `${at}/ny`)
      const reply = await server.call('POST', at, {
        as: null,
        json: new Authenticator().create(options.json),
        headers: {
          ...ownPage,
          cookie: `${session.cookie}; ${findCookie(options, '__Host-passkey')}`,
          'x-csrf-token': session.csrf,
        },
      })
      expect(outcome(reply)).toBe('InvalidPasskey')
      expect(await listed()).toEqual([])
    })

    test('without re-authentication', async () => {
      now += 5 * minute
      for (const path of [`${at}/ny`, at, `${at}/slutt`])
        expect((await session.send('POST', path, {})).json.error.code).toBe('ReauthenticationRequired')
    })
  })

  test("another user's passkey is neither listed nor deleted", async () => {
    const authenticator = new Authenticator()
    await add(session, authenticator)
    const ola = await openSessionAs(server, server.tenantA, 'admin')
    expect((await ola.get('/app/data/konto')).json.passkeys).toEqual([])
    expect((await ola.send('POST', `${at}/slutt`, { id: authenticator.id })).status).toBe(404)
    expect(outcome(await signIn(authenticator))).toBe('in')
  })

  test('another site cannot sign anybody in', async () => {
    for (const path of ['/app/okt/passnokkel/ny', '/app/okt/passnokkel'])
      for (const site of ['cross-site', 'same-site']) {
        const headers = { 'sec-fetch-site': site }
        expectError(await server.call('POST', path, { as: null, json: {}, headers }), 403, 'CsrfRejected')
      }
  })
})
