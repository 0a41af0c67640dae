// ADR 0041: TOTP, recovery codes, trusted devices, and companies that require a second factor.
import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SecondFactor } from '../../src/auth/mfa/second-factor.ts'
import { codeAt } from '../../src/auth/mfa/totp.ts'
import type { CompanySettings } from '../../src/auth/companies/company-settings.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useTestServer, type TestReply, type TestServer, type TestUser } from '../support/server.ts'
import { parseSeed } from './seed.ts'
import {
  findCookie,
  sessionPath,
  setCookieHeader,
  signInAs,
  openSession,
  sessionStatus,
  resumeSession,
  type SessionClient,
  openSessionAs,
} from './session-client.ts'

const at = '/app/data/konto'
const minute = 60_000_000
const step = 30_000_000
const day = 24 * 60 * minute

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-factor')
  let kari: TestUser
  let now = 1_790_000_010_000_000
  beforeAll(() => {
    server.clock.now = () => now
  })
  beforeEach(async () => {
    now += day
    kari = await server.addUser([{ company: server.tenantA, role: 'approver' }])
  })

  /** An authenticator app with the seed. */
  interface App {
    readonly code: () => string
    readonly codes: readonly string[]
    readonly secret: string
    readonly session: SessionClient
  }

  const setUp = async (person: TestUser): Promise<App> => {
    const session = await openSession(server, person)
    const { secret } = (await session.send('POST', `${at}/totrinn`)).json
    const code = () => codeAt(parseSeed(secret), now)
    const confirmed = await expectStatus(session.send('POST', `${at}/totrinn/bekreft`, { code: code() }))
    now += step
    const { codes } = confirmed.json
    return { code, codes, secret, session: await resumeSession(server, findCookie(confirmed)) }
  }

  const signIn = (more: Readonly<Record<string, string>>, cookie = '', person = kari) =>
    signInAs(server, person, '', cookie === '' ? {} : { cookie }, more)

  test('a factor enrolled under another master key is reported, not accepted, and causes no server error', async () => {
    const other = new SecondFactor({ pepper: Buffer.alloc(32, 9), random: randomBytes })
    const seed = await server.store.inSystemTransaction(async (writer) => {
      const { secret } = await other.enroll(writer, kari.id, kari.email)
      await other.confirm(writer, kari.id, codeAt(parseSeed(secret), now), now)
      return parseSeed(secret)
    })
    now += step
    const refused = await signIn({ code: codeAt(seed, now) })
    expect([refused.status, outcome(refused)]).toEqual([409, 'SecondFactorUndecryptable'])
    expect(refused.headers['set-cookie']).toBeUndefined()
  })

  const outcome = ({ status, text }: TestReply): string => (status === 204 ? 'in' : JSON.parse(text).error.code)

  test('without a factor the password is enough, and a seed alone changes nothing', async () => {
    const session = await openSession(server, kari)
    const { secret, otpauthUrl } = (await session.send('POST', `${at}/totrinn`)).json
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(otpauthUrl).toBe(
      `otpauth://totp/Dagsverk:${encodeURIComponent(kari.email)}?secret=${secret}&issuer=Dagsverk`,
    )
    expect((await session.get(at)).json.factor).toBeNull()
    expect(outcome(await signIn({}))).toBe('in')
    expectError(await session.send('POST', `${at}/totrinn/bekreft`, { code: '000000' }), 401, 'InvalidSecondFactorCode')
    expect((await session.get(at)).json.factor).toBeNull()
  })

  test('a code of the app activates it: every other session ends, and this one gets a new id', async () => {
    const other = await openSession(server, kari)
    const { session } = await setUp(kari)
    expect((await other.get(sessionPath)).status).toBe(401)
    const { json } = await session.get(at)
    expect(json.factor).toEqual({ since: now - step, codes: 10 })
    expect(json.sessions).toMatchObject([{ isThis: true }])
  })

  test('from then on the right password alone reports the missing code, and a wrong one does not', async () => {
    const { code } = await setUp(kari)
    expect(outcome(await signIn({}))).toBe('SecondFactorCodeRequired')
    expect(outcome(await signIn({}, '', { ...kari, password: 'feil' }))).toBe('InvalidCredentials')
    expect(outcome(await signIn({ code: code() }, '', { ...kari, password: 'feil' }))).toBe('InvalidCredentials')
    expect(outcome(await signIn({ code: '12345' }))).toBe('InvalidSecondFactorCode')
    const entered = await signIn({ code: `${code().slice(0, 3)} ${code().slice(3)}` })
    expect(outcome(entered)).toBe('in')
    expect(findCookie(entered, '__Host-device')).toBe('')
  })

  test('a code works once, also for two concurrent uses, and no earlier code works after it', async () => {
    const { code } = await setUp(kari)
    const early = code()
    now += step
    const outcomes = await Promise.all([signIn({ code: code() }), signIn({ code: code() })])
    expect(outcomes.map(outcome).toSorted()).toEqual(['InvalidSecondFactorCode', 'in'])
    expect(outcome(await signIn({ code: early }))).toBe('InvalidSecondFactorCode')
    now += step
    expect(outcome(await signIn({ code: code() }))).toBe('in')
  })

  test('a recovery code works once, however it is typed; new codes void the old', async () => {
    const { codes, session } = await setUp(kari)
    const [first = '', second = '', third = ''] = codes
    expect(outcome(await signIn({ code: first.toUpperCase().replaceAll('-', ' ') }))).toBe('in')
    expect(outcome(await signIn({ code: first }))).toBe('InvalidSecondFactorCode')
    const outcomes = await Promise.all([signIn({ code: second }), signIn({ code: second })])
    expect(outcomes.map(outcome).toSorted()).toEqual(['InvalidSecondFactorCode', 'in'])
    expect((await session.get(at)).json.factor.codes).toBe(8)
    const renewed = await session.send('POST', `${at}/totrinn/koder`)
    expect(renewed.json.codes).toHaveLength(10)
    expect(outcome(await signIn({ code: third }))).toBe('InvalidSecondFactorCode')
    expect(outcome(await signIn({ code: renewed.json.codes[0] }))).toBe('in')
  })

  test('administrators see who has a factor, and nothing else of it', async () => {
    const admin = await openSessionAs(server, server.tenantA, 'admin')
    const { codes, secret } = await setUp(kari)
    const since = now - step
    const { text } = await admin.get('/app/data/administrasjon')
    const { people } = JSON.parse(text)
    const sinceOf = (id: number) => people.find((person: { id: number }) => person.id === id).factorSince
    expect(sinceOf(kari.id)).toBe(since)
    const ola = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    expect((await admin.get('/app/data/administrasjon')).json.people).toContainEqual(
      expect.objectContaining({ id: ola.id, factorSince: null }),
    )
    for (const one of [secret, ...codes]) expect(text).not.toContain(one)
  })

  test("another user's codes do not work", async () => {
    const ola = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    const { codes, code } = await setUp(ola)
    await setUp(kari)
    expect(outcome(await signIn({ code: codes[0] ?? '' }))).toBe('InvalidSecondFactorCode')
    expect(outcome(await signIn({ code: code() }))).toBe('InvalidSecondFactorCode')
  })

  test('guessing codes is throttled like guessing passwords, also for the right code', async () => {
    const { code } = await setUp(kari)
    for (let guess = 0; guess < 7; guess++)
      expect(outcome(await signIn({ code: String(100_000 + guess) }))).toBe('InvalidSecondFactorCode')
    expect(outcome(await signIn({ code: code() }))).toBe('TooManyFailedLogins')
  })

  test('the seed and the codes are stored encrypted, and in no reply after the first', async () => {
    const { secret, codes, session } = await setUp(kari)
    const shown = JSON.stringify([
      (await session.get(at)).json,
      (await session.get(sessionPath)).json,
      await stored(server, 'userFactor'),
      await stored(server, 'recoveryCode'),
    ])
    for (const one of [secret, parseSeed(secret).toString('base64'), parseSeed(secret).toString('hex')])
      expect(shown).not.toContain(one)
    for (const code of codes) expect(shown).not.toContain(code)
  })

  describe('trusted devices', () => {
    const trusted = async () => {
      const { code, session } = await setUp(kari)
      const entered = await signIn({ code: code(), trust: 'true' })
      return { code, session, entered, device: findCookie(entered, '__Host-device') }
    }

    test('a trusted device is not asked for a code for 30 days, to the microsecond', async () => {
      const { entered, device } = await trusted()
      expect(setCookieHeader(entered)).toMatch(
        /__Host-device=[\w-]{43}; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax/,
      )
      expect(outcome(await signIn({}, device))).toBe('in')
      expect(outcome(await signIn({}))).toBe('SecondFactorCodeRequired')
      now += 30 * day - 1
      expect(outcome(await signIn({}, device))).toBe('in')
      now += 1
      expect(outcome(await signIn({}, device))).toBe('SecondFactorCodeRequired')
    })

    test('a device is trusted for its own user alone, and never without the password', async () => {
      const { device } = await trusted()
      const ola = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
      await setUp(ola)
      expect(outcome(await signIn({}, device, ola))).toBe('SecondFactorCodeRequired')
      expect(outcome(await signIn({}, device, { ...kari, password: 'feil' }))).toBe('InvalidCredentials')
      const foreignCookie = `__Host-device=${'A'.repeat(43)}`
      expect(outcome(await signIn({}, foreignCookie))).toBe('SecondFactorCodeRequired')
      expect(outcome(await signIn({}, `${device}; ${foreignCookie}`))).toBe('SecondFactorCodeRequired')
    })

    test('trusted devices are listed to their user, and asked for a code again once revoked', async () => {
      const { device, entered } = await trusted()
      const mine = `${findCookie(entered)}; ${device}`
      const session = await resumeSession(server, mine)
      const { devices } = (await session.get(at)).json
      expect(devices).toMatchObject([{ isThis: true, createdAt: now }])
      const ola = await openSessionAs(server, server.tenantA, 'viewer')
      const [{ id }] = devices
      expect((await ola.send('POST', `${at}/enheter/slutt`, { id })).status).toBe(404)
      expect(outcome(await signIn({}, device))).toBe('in')
      const again = await resumeSession(server, findCookie(await signIn({}, device)))
      expect((await again.send('POST', `${at}/enheter/slutt`, { id })).status).toBe(200)
      expect((await again.get(at)).json.devices).toEqual([])
      expect(outcome(await signIn({}, device))).toBe('SecondFactorCodeRequired')
    })

    test('a trusted device is void after a new password, and after the factor was removed and added', async () => {
      const first = await trusted()
      const password = 'nye ord som ingen kjenner'
      await expectStatus(first.session.send('POST', `${at}/nyttpassord`, { current: kari.password, password }))
      expect(outcome(await signIn({}, first.device, { ...kari, password }))).toBe('SecondFactorCodeRequired')
    })
  })

  test('removing the factor deletes all its data, and ends all other sessions', async () => {
    const { code, session } = await setUp(kari)
    const elsewhere = await signIn({ code: code(), trust: 'true' })
    const off = await expectStatus(session.send('POST', `${at}/totrinn/av`))
    expect((await session.get(sessionPath)).status).toBe(401)
    expect(await sessionStatus(server, findCookie(elsewhere))).toBe(401)
    const here = await resumeSession(server, findCookie(off))
    expect((await here.get(at)).json).toMatchObject({ factor: null, devices: [] })
    expect(outcome(await signIn({}))).toBe('in')
    expect((await here.send('POST', `${at}/totrinn/av`)).status).toBe(404)
    const { device } = { device: findCookie(elsewhere, '__Host-device') }
    now += step
    await setUp(kari)
    expect(outcome(await signIn({}, device))).toBe('SecondFactorCodeRequired')
  })

  test('a second factor cannot be enrolled over the first', async () => {
    const { session, code } = await setUp(kari)
    for (const [path, fields] of [
      ['totrinn', undefined],
      ['totrinn/bekreft', { code: code() }],
    ] as const)
      expect((await session.send('POST', `${at}/${path}`, fields)).json.error.code).toBe('SecondFactorAlreadyEnabled')
  })

  test('adding and removing the factor requires re-authentication', async () => {
    const { session } = await setUp(kari)
    now += 5 * minute
    for (const path of ['totrinn', 'totrinn/bekreft', 'totrinn/koder', 'totrinn/av'])
      expect([path, (await session.send('POST', `${at}/${path}`, {})).json.error.code]).toEqual([
        path,
        'ReauthenticationRequired',
      ])
    expect((await session.get(at)).json.factor).not.toBeNull()
  })

  test('each step is audited, without a name', async () => {
    const { session } = await setUp(kari)
    await session.send('POST', `${at}/totrinn/koder`)
    await session.send('POST', `${at}/totrinn/av`)
    const boss = await openSessionAs(server, server.tenantA, 'auditor')
    const { rows } = (await boss.get('/app/data/revisjon')).json
    const mine = rows.filter(({ data }: { data: string }) => data.includes(`${kari.id}`))
    expect(mine.map(({ action }: { action: string }) => action)).toEqual([
      'factor-off',
      'factor-codes',
      'factor-on',
      'sign-in',
    ])
  })

  describe('a company that requires a factor of a role', () => {
    const strict = async (settings: Partial<CompanySettings>, role: 'admin' | 'approver') => {
      const company = await server.addCompany(`STRENG ${now}`, { settings })
      return server.addUser([{ company, role }])
    }

    test('lets those users enroll and sign out, and nothing else, until they have one', async () => {
      const ola = await strict({ requiresFactorOfApprover: true }, 'approver')
      const session = await openSession(server, ola)
      expect((await session.get(sessionPath)).json.lacksFactor).toBe(true)
      for (const path of ['/app/data/uttak/antall', '/app/les/Omsetning'])
        expectError(await session.get(path), 403, 'SecondFactorSetupRequired')
      const { session: after } = await setUp(ola)
      expect((await after.get(sessionPath)).json.lacksFactor).toBe(false)
      expect((await after.get('/app/data/uttak/antall')).status).toBe(200)
    })

    test('requires it of that role alone, and from the next request on', async () => {
      const ola = await strict({ requiresFactorOfApprover: true }, 'admin')
      const session = await openSession(server, ola)
      expect((await session.get('/app/data/administrasjon')).status).toBe(200)
      const fields = { 'requires-factor-of-admin': 'true' }
      await session.send('POST', '/app/data/administrasjon/innstillinger', fields)
      expect((await session.get('/app/data/administrasjon')).json.error.code).toBe('SecondFactorSetupRequired')
    })
  })

  describe('changing the password', () => {
    const change = (session: SessionClient, current: string, password: string) =>
      session.send('POST', `${at}/nyttpassord`, { current, password })

    test('requires the present password, and ends every other session', async () => {
      const other = await openSession(server, kari)
      const session = await openSession(server, kari)
      const password = 'nye ord som ingen kjenner'
      expectError(await change(session, 'feil', password), 401, 'InvalidCredentials')
      expect((await other.get(sessionPath)).status).toBe(200)
      const changed = await expectStatus(change(session, kari.password, password))
      expect((await other.get(sessionPath)).status).toBe(401)
      expect((await session.get(sessionPath)).status).toBe(401)
      expect(await sessionStatus(server, findCookie(changed))).toBe(200)
      expect(outcome(await signIn({}))).toBe('InvalidCredentials')
      expect(outcome(await signIn({}, '', { ...kari, password }))).toBe('in')
    })

    test.each(['kort', 'passordpassord1', ' nye ord som ingen kjenner'])(
      '%j is rejected, and nothing changes',
      async (password) => {
        const session = await openSession(server, kari)
        expectError(await change(session, kari.password, password), 400, 'InvalidValue')
        expect((await session.get(sessionPath)).status).toBe(200)
        expect(outcome(await signIn({}))).toBe('in')
      },
    )

    test('is throttled like signing in', async () => {
      const session = await openSession(server, kari)
      for (let guess = 0; guess < 7; guess++) expect((await change(session, `feil ${guess}`, 'x')).status).toBe(401)
      expect((await change(session, kari.password, 'x')).status).toBe(429)
    })
  })

  describe("the user's own sessions", () => {
    test('are listed with browser and company, and can be ended one by one or all but this one', async () => {
      const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
      const first = await resumeSession(server, findCookie(await signInAs(server, kari, '', agent)))
      const second = await openSession(server, kari)
      const third = await openSession(server, kari)
      const { sessions } = (await third.get(at)).json
      expect(sessions).toHaveLength(3)
      const named = sessions.find(({ agent: one }: { agent: string }) => one.includes('Firefox'))
      expect(named).toMatchObject({ isThis: false, company: server.tenantA.name, via: 'password' })
      await third.send('POST', `${at}/okter/slutt`, { id: named.id })
      expect([(await first.get(sessionPath)).status, (await second.get(sessionPath)).status]).toEqual([401, 200])
      await third.send('POST', `${at}/okter/slutt`, {})
      expect([(await second.get(sessionPath)).status, (await third.get(sessionPath)).status]).toEqual([401, 200])
    })

    test("another user's session is 404, and continues", async () => {
      const ola = await openSessionAs(server, server.tenantA, 'admin')
      const [{ id }] = (await ola.get(at)).json.sessions
      const session = await openSession(server, kari)
      expect((await session.send('POST', `${at}/okter/slutt`, { id })).status).toBe(404)
      expect((await ola.get(sessionPath)).status).toBe(200)
    })
  })
})

/** Every row of a table. */
async function stored({ store }: TestServer, table: 'userFactor' | 'recoveryCode') {
  const compiled = () => ({ sql: `select * from "${table}"`, placeholders: [] })
  return store.all({ compiled, isCrossCompany: false }, {})
}
