// ADR 0090, 0091: TOTP, recovery codes, trusted devices, and companies that require a second factor.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SecondFactor } from '../../src/auth/mfa/second-factor.ts'
import { codeAt } from '../../src/auth/mfa/totp.ts'
import type { CompanySettings } from '../../src/auth/companies/company-settings.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type Answer, type House, type Person } from '../support/server.ts'
import { seedIn } from './seed.ts'
import {
  cookieIn,
  session,
  setCookie,
  signInAs,
  visit,
  visitWith,
  type Visitor,
} from './session-client.ts'

const at = '/app/data/konto'
const minute = 60_000_000
const step = 30_000_000
const day = 24 * 60 * minute

describe.each(databases)('$name', (database) => {
  let house: House
  let kari: Person
  let now = 1_790_000_010_000_000
  beforeAll(async () => {
    house = await buildHouse(database, 'app-factor')
    house.clock.now = () => now
  })
  beforeEach(async () => {
    now += day
    kari = await house.person([{ company: house.mine, role: 'approver' }])
  })
  afterAll(() => house.close())

  /** An authenticator app with the seed. */
  interface App {
    readonly code: () => string
    readonly codes: readonly string[]
    readonly secret: string
    readonly visitor: Visitor
  }

  const setUp = async (person: Person): Promise<App> => {
    const visitor = await visit(house, person)
    const { secret } = (await visitor.act('POST', `${at}/totrinn`)).json
    const code = () => codeAt(seedIn(secret), now)
    const confirmed = await visitor.act('POST', `${at}/totrinn/bekreft`, { code: code() })
    expect(confirmed.status).toBe(200)
    now += step
    const { codes } = confirmed.json
    return { code, codes, secret, visitor: await visitWith(house, cookieIn(confirmed)) }
  }

  const enter = (more: Readonly<Record<string, string>>, cookie = '', person = kari) =>
    signInAs(house, person, '', cookie === '' ? {} : { cookie }, more)

  test('a factor enrolled under another master key is reported, not accepted, and causes no server error', async () => {
    const other = new SecondFactor({ pepper: Buffer.alloc(32, 9), random: randomBytes })
    const seed = await house.store.inHouseTransaction(async (writer) => {
      const { secret } = await other.offer(writer, kari.id, kari.email)
      await other.confirm(writer, kari.id, codeAt(seedIn(secret), now), now)
      return seedIn(secret)
    })
    now += step
    const refused = await enter({ code: codeAt(seed, now) })
    expect([refused.status, outcome(refused)]).toEqual([409, 'FactorUnreadable'])
    expect(refused.headers['set-cookie']).toBeUndefined()
  })

  const outcome = ({ status, text }: Answer): string =>
    status === 204 ? 'in' : JSON.parse(text).error.code

  test('without a factor the password is enough, and a seed alone changes nothing', async () => {
    const visitor = await visit(house, kari)
    const { secret, address } = (await visitor.act('POST', `${at}/totrinn`)).json
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(address).toBe(
      `otpauth://totp/Dagsverk:${encodeURIComponent(kari.email)}?secret=${secret}&issuer=Dagsverk`,
    )
    expect((await visitor.get(at)).json.factor).toBeNull()
    expect(outcome(await enter({}))).toBe('in')
    const wrong = await visitor.act('POST', `${at}/totrinn/bekreft`, { code: '000000' })
    expect([wrong.status, wrong.json.error.code]).toEqual([401, 'WrongCode'])
    expect((await visitor.get(at)).json.factor).toBeNull()
  })

  test('a code of the app activates it: every other session ends, and this one gets a new id', async () => {
    const other = await visit(house, kari)
    const { visitor } = await setUp(kari)
    expect((await other.get(session)).status).toBe(401)
    const { json } = await visitor.get(at)
    expect(json.factor).toEqual({ since: now - step, codes: 10 })
    expect(json.sessions).toMatchObject([{ isThis: true }])
  })

  test('from then on the right password alone reports the missing code, and a wrong one does not', async () => {
    const { code } = await setUp(kari)
    expect(outcome(await enter({}))).toBe('SecondFactorNeeded')
    expect(outcome(await enter({}, '', { ...kari, password: 'feil' }))).toBe('InvalidCredentials')
    expect(outcome(await enter({ code: code() }, '', { ...kari, password: 'feil' }))).toBe(
      'InvalidCredentials',
    )
    expect(outcome(await enter({ code: '12345' }))).toBe('WrongCode')
    const entered = await enter({ code: `${code().slice(0, 3)} ${code().slice(3)}` })
    expect(outcome(entered)).toBe('in')
    expect(cookieIn(entered, '__Host-device')).toBe('')
  })

  test('a code works once, also for two concurrent uses, and no earlier code works after it', async () => {
    const { code } = await setUp(kari)
    const early = code()
    now += step
    const outcomes = await Promise.all([enter({ code: code() }), enter({ code: code() })])
    expect(outcomes.map(outcome).toSorted()).toEqual(['WrongCode', 'in'])
    expect(outcome(await enter({ code: early }))).toBe('WrongCode')
    now += step
    expect(outcome(await enter({ code: code() }))).toBe('in')
  })

  test('a recovery code works once, however it is typed; new codes void the old', async () => {
    const { codes, visitor } = await setUp(kari)
    const [first = '', second = '', third = ''] = codes
    expect(outcome(await enter({ code: first.toUpperCase().replaceAll('-', ' ') }))).toBe('in')
    expect(outcome(await enter({ code: first }))).toBe('WrongCode')
    const outcomes = await Promise.all([enter({ code: second }), enter({ code: second })])
    expect(outcomes.map(outcome).toSorted()).toEqual(['WrongCode', 'in'])
    expect((await visitor.get(at)).json.factor.codes).toBe(8)
    const renewed = await visitor.act('POST', `${at}/totrinn/koder`)
    expect(renewed.json.codes).toHaveLength(10)
    expect(outcome(await enter({ code: third }))).toBe('WrongCode')
    expect(outcome(await enter({ code: renewed.json.codes[0] }))).toBe('in')
  })

  test('administrators see who has a factor, and nothing else of it', async () => {
    const admin = await visit(house, await house.person([{ company: house.mine, role: 'admin' }]))
    const { codes, secret } = await setUp(kari)
    const since = now - step
    const { text } = await admin.get('/app/data/administrasjon')
    const { people } = JSON.parse(text)
    const sinceOf = (id: number) =>
      people.find((person: { id: number }) => person.id === id).factorSince
    expect(sinceOf(kari.id)).toBe(since)
    const ola = await house.person([{ company: house.mine, role: 'viewer' }])
    expect((await admin.get('/app/data/administrasjon')).json.people).toContainEqual(
      expect.objectContaining({ id: ola.id, factorSince: null }),
    )
    for (const one of [secret, ...codes]) expect(text).not.toContain(one)
  })

  test("another user's codes do not work", async () => {
    const ola = await house.person([{ company: house.mine, role: 'viewer' }])
    const { codes, code } = await setUp(ola)
    await setUp(kari)
    expect(outcome(await enter({ code: codes[0] ?? '' }))).toBe('WrongCode')
    expect(outcome(await enter({ code: code() }))).toBe('WrongCode')
  })

  test('guessing codes is throttled like guessing passwords, also for the right code', async () => {
    const { code } = await setUp(kari)
    for (let guess = 0; guess < 7; guess++)
      expect(outcome(await enter({ code: String(100_000 + guess) }))).toBe('WrongCode')
    expect(outcome(await enter({ code: code() }))).toBe('TooManyFailedLogins')
  })

  test('the seed and the codes are stored encrypted, and in no reply after the first', async () => {
    const { secret, codes, visitor } = await setUp(kari)
    const shown = JSON.stringify([
      (await visitor.get(at)).json,
      (await visitor.get(session)).json,
      await stored(house, 'userFactor'),
      await stored(house, 'recoveryCode'),
    ])
    for (const one of [secret, seedIn(secret).toString('base64'), seedIn(secret).toString('hex')])
      expect(shown).not.toContain(one)
    for (const code of codes) expect(shown).not.toContain(code)
  })

  describe('trusted devices', () => {
    const trusted = async () => {
      const { code, visitor } = await setUp(kari)
      const entered = await enter({ code: code(), trust: 'true' })
      return { code, visitor, entered, device: cookieIn(entered, '__Host-device') }
    }

    test('a trusted device is not asked for a code for 30 days, to the microsecond', async () => {
      const { entered, device } = await trusted()
      expect(setCookie(entered)).toMatch(
        /__Host-device=[\w-]{43}; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax/,
      )
      expect(outcome(await enter({}, device))).toBe('in')
      expect(outcome(await enter({}))).toBe('SecondFactorNeeded')
      now += 30 * day - 1
      expect(outcome(await enter({}, device))).toBe('in')
      now += 1
      expect(outcome(await enter({}, device))).toBe('SecondFactorNeeded')
    })

    test('a device is trusted for its own user alone, and never without the password', async () => {
      const { device } = await trusted()
      const ola = await house.person([{ company: house.mine, role: 'viewer' }])
      await setUp(ola)
      expect(outcome(await enter({}, device, ola))).toBe('SecondFactorNeeded')
      expect(outcome(await enter({}, device, { ...kari, password: 'feil' }))).toBe(
        'InvalidCredentials',
      )
      const planted = `__Host-device=${'A'.repeat(43)}`
      expect(outcome(await enter({}, planted))).toBe('SecondFactorNeeded')
      expect(outcome(await enter({}, `${device}; ${planted}`))).toBe('SecondFactorNeeded')
    })

    test('trusted devices are listed to their user, and asked for a code again once revoked', async () => {
      const { device, entered } = await trusted()
      const mine = `${cookieIn(entered)}; ${device}`
      const visitor = await visitWith(house, mine)
      const { devices } = (await visitor.get(at)).json
      expect(devices).toMatchObject([{ isThis: true, createdAt: now }])
      const ola = await visit(house, await house.person([{ company: house.mine, role: 'viewer' }]))
      const [{ id }] = devices
      expect((await ola.act('POST', `${at}/enheter/slutt`, { id })).status).toBe(404)
      expect(outcome(await enter({}, device))).toBe('in')
      const again = await visitWith(house, cookieIn(await enter({}, device)))
      expect((await again.act('POST', `${at}/enheter/slutt`, { id })).status).toBe(200)
      expect((await again.get(at)).json.devices).toEqual([])
      expect(outcome(await enter({}, device))).toBe('SecondFactorNeeded')
    })

    test('a trusted device is void after a new password, and after the factor was removed and added', async () => {
      const first = await trusted()
      const password = 'nye ord som ingen kjenner'
      const changed = await first.visitor.act('POST', `${at}/nyttpassord`, {
        current: kari.password,
        password,
      })
      expect(changed.status).toBe(200)
      expect(outcome(await enter({}, first.device, { ...kari, password }))).toBe(
        'SecondFactorNeeded',
      )
    })
  })

  test('removing the factor deletes all its data, and ends all other sessions', async () => {
    const { code, visitor } = await setUp(kari)
    const elsewhere = await enter({ code: code(), trust: 'true' })
    const off = await visitor.act('POST', `${at}/totrinn/av`)
    expect(off.status).toBe(200)
    expect((await visitor.get(session)).status).toBe(401)
    expect((await (await visitWith(house, cookieIn(elsewhere))).get(session)).status).toBe(401)
    const here = await visitWith(house, cookieIn(off))
    expect((await here.get(at)).json).toMatchObject({ factor: null, devices: [] })
    expect(outcome(await enter({}))).toBe('in')
    expect((await here.act('POST', `${at}/totrinn/av`)).status).toBe(404)
    const { device } = { device: cookieIn(elsewhere, '__Host-device') }
    now += step
    await setUp(kari)
    expect(outcome(await enter({}, device))).toBe('SecondFactorNeeded')
  })

  test('a second factor cannot be enrolled over the first', async () => {
    const { visitor, code } = await setUp(kari)
    for (const [path, fields] of [
      ['totrinn', undefined],
      ['totrinn/bekreft', { code: code() }],
    ] as const)
      expect((await visitor.act('POST', `${at}/${path}`, fields)).json.error.code).toBe(
        'FactorInPlace',
      )
  })

  test('adding and removing the factor requires re-authentication', async () => {
    const { visitor } = await setUp(kari)
    now += 5 * minute
    for (const path of ['totrinn', 'totrinn/bekreft', 'totrinn/koder', 'totrinn/av'])
      expect([path, (await visitor.act('POST', `${at}/${path}`, {})).json.error.code]).toEqual([
        path,
        'PasswordNeeded',
      ])
    expect((await visitor.get(at)).json.factor).not.toBeNull()
  })

  test('each step is audited, without a name', async () => {
    const { visitor } = await setUp(kari)
    await visitor.act('POST', `${at}/totrinn/koder`)
    await visitor.act('POST', `${at}/totrinn/av`)
    const boss = await visit(house, await house.person([{ company: house.mine, role: 'auditor' }]))
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
      const company = await house.company(`STRENG ${now}`, { settings })
      return house.person([{ company, role }])
    }

    test('lets those users enroll and sign out, and nothing else, until they have one', async () => {
      const ola = await strict({ requiresFactorOfApprover: true }, 'approver')
      const visitor = await visit(house, ola)
      expect((await visitor.get(session)).json.lacksFactor).toBe(true)
      for (const path of ['/app/data/uttak/antall', '/app/les/Omsetning']) {
        const refused = await visitor.get(path)
        expect([refused.status, refused.json.error.code]).toEqual([403, 'SecondFactorRequired'])
      }
      const { visitor: after } = await setUp(ola)
      expect((await after.get(session)).json.lacksFactor).toBe(false)
      expect((await after.get('/app/data/uttak/antall')).status).toBe(200)
    })

    test('requires it of that role alone, and from the next request on', async () => {
      const ola = await strict({ requiresFactorOfApprover: true }, 'admin')
      const visitor = await visit(house, ola)
      expect((await visitor.get('/app/data/administrasjon')).status).toBe(200)
      const fields = { 'requires-factor-of-admin': 'true' }
      await visitor.act('POST', '/app/data/administrasjon/innstillinger', fields)
      expect((await visitor.get('/app/data/administrasjon')).json.error.code).toBe(
        'SecondFactorRequired',
      )
    })
  })

  describe('changing the password', () => {
    const change = (visitor: Visitor, current: string, password: string) =>
      visitor.act('POST', `${at}/nyttpassord`, { current, password })

    test('requires the present password, and ends every other session', async () => {
      const other = await visit(house, kari)
      const visitor = await visit(house, kari)
      const password = 'nye ord som ingen kjenner'
      const wrong = await change(visitor, 'feil', password)
      expect([wrong.status, wrong.json.error.code]).toEqual([401, 'InvalidCredentials'])
      expect((await other.get(session)).status).toBe(200)
      const changed = await change(visitor, kari.password, password)
      expect(changed.status).toBe(200)
      expect((await other.get(session)).status).toBe(401)
      expect((await visitor.get(session)).status).toBe(401)
      expect((await (await visitWith(house, cookieIn(changed))).get(session)).status).toBe(200)
      expect(outcome(await enter({}))).toBe('InvalidCredentials')
      expect(outcome(await enter({}, '', { ...kari, password }))).toBe('in')
    })

    test.each(['kort', 'passordpassord1', ' nye ord som ingen kjenner'])(
      '%j is rejected, and nothing changes',
      async (password) => {
        const visitor = await visit(house, kari)
        const refused = await change(visitor, kari.password, password)
        expect([refused.status, refused.json.error.code]).toEqual([400, 'InvalidValue'])
        expect((await visitor.get(session)).status).toBe(200)
        expect(outcome(await enter({}))).toBe('in')
      },
    )

    test('is throttled like signing in', async () => {
      const visitor = await visit(house, kari)
      for (let guess = 0; guess < 7; guess++)
        expect((await change(visitor, `feil ${guess}`, 'x')).status).toBe(401)
      expect((await change(visitor, kari.password, 'x')).status).toBe(429)
    })
  })

  describe("the user's own sessions", () => {
    test('are listed with browser and company, and can be ended one by one or all but this one', async () => {
      const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
      const first = await visitWith(house, cookieIn(await signInAs(house, kari, '', agent)))
      const second = await visit(house, kari)
      const third = await visit(house, kari)
      const { sessions } = (await third.get(at)).json
      expect(sessions).toHaveLength(3)
      const named = sessions.find(({ agent: one }: { agent: string }) => one.includes('Firefox'))
      expect(named).toMatchObject({ isThis: false, company: house.mine.name, via: 'password' })
      await third.act('POST', `${at}/okter/slutt`, { id: named.id })
      expect([(await first.get(session)).status, (await second.get(session)).status]).toEqual([
        401, 200,
      ])
      await third.act('POST', `${at}/okter/slutt`, {})
      expect([(await second.get(session)).status, (await third.get(session)).status]).toEqual([
        401, 200,
      ])
    })

    test("another user's session is 404, and continues", async () => {
      const ola = await visit(house, await house.person([{ company: house.mine, role: 'admin' }]))
      const [{ id }] = (await ola.get(at)).json.sessions
      const visitor = await visit(house, kari)
      expect((await visitor.act('POST', `${at}/okter/slutt`, { id })).status).toBe(404)
      expect((await ola.get(session)).status).toBe(200)
    })
  })
})

/** Every row of a table. */
async function stored({ store }: House, table: 'userFactor' | 'recoveryCode') {
  return store.all({ text: () => ({ sql: `select * from "${table}"`, places: [] }) }, {})
}
