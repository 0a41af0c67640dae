// ADR 0110: sign-in events in the audit log, limited per user for failed attempts.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeAt } from '../../src/auth/mfa/totp.ts'
import { hashOfLink, newLinkToken } from '../../src/auth/tokens/link-token.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { auditRows } from '../../src/store/audit/audit-log.ts'
import { changeMarks } from '../../src/store/change-counters.ts'
import { insertPasswordLink } from '../../src/store/accounts/password-links.ts'
import { disableUser, findUserById } from '../../src/store/accounts/users.ts'
import { auditText } from '../../web/i18n/audit.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type Company, type House, type Person } from '../support/server.ts'
import { subjectText } from '../../web/features/audit/audit-subject.ts'
import { Authenticator } from './authenticator.ts'
import { seedIn } from './seed.ts'
import { cookieIn, ownPage, session, signInAs, visit, visitWith } from './session-client.ts'

const { en, nb } = auditText

const account = '/app/data/konto'
const second = 1_000_000
const hour = 3600 * second

describe.each(databases)('$name', (database) => {
  let house: House
  let company: Company
  let kari: Person
  let now = 1_790_000_010_000_000
  let made = 0
  beforeAll(async () => {
    house = await buildHouse(database, 'app-sign-in-audit')
    house.clock.now = () => now
  })
  beforeEach(async () => {
    now += 24 * hour
    company = await house.company(`DØR ${++made}`)
    kari = await house.person([{ company, role: 'admin' }])
  })
  afterAll(() => house.close())

  const entries = async ({ id }: Company = company) => {
    await house.refused.flush()
    const page = { before: Number.MAX_SAFE_INTEGER, top: 1_000 }
    return (await auditRows(house.store, id as CompanyId, page)).toReversed()
  }
  /** The entries, as action and data. */
  const told = async (of: Company = company) =>
    (await entries(of)).map(({ action, data }) => [action, JSON.parse(data)])
  const doors = async (of: Company = company) =>
    (await told(of)).filter(([action]) => String(action).startsWith('sign-'))

  test('a sign-in and a sign-out have the user, the request and the time', async () => {
    const answer = await signInAs(house, kari)
    const visitor = await visitWith(house, cookieIn(answer))
    now += second
    const out = await visitor.act('DELETE', session)
    expect(await entries()).toMatchObject([
      {
        action: 'sign-in',
        actor: `user:${kari.id}`,
        at: now - second,
        requestId: answer.headers['x-request-id'],
        data: JSON.stringify({ user: kari.id, how: 'password' }),
      },
      {
        action: 'sign-out',
        actor: `user:${kari.id}`,
        at: now,
        requestId: out.headers['x-request-id'],
        data: JSON.stringify({ user: kari.id }),
      },
    ])
    await visitor.act('DELETE', session)
    expect(await entries()).toHaveLength(2)
  })

  test('the method is recorded: code, recovery code, trusted device', async () => {
    const visitor = await visit(house, kari)
    const { secret } = (await visitor.act('POST', `${account}/totrinn`)).json
    const code = () => codeAt(seedIn(secret), now)
    const { codes } = (await visitor.act('POST', `${account}/totrinn/bekreft`, { code: code() }))
      .json
    now += 60 * second
    expect((await signInAs(house, kari)).json.error.code).toBe('SecondFactorNeeded')
    const trusting = await signInAs(house, kari, '', {}, { code: code(), trust: 'true' })
    await signInAs(house, kari, '', {}, { code: codes[0] })
    await signInAs(house, kari, '', { cookie: cookieIn(trusting, '__Host-device') })
    await signInAs(house, kari, '', {}, { code: '000000' })
    const user = kari.id
    expect(await doors()).toEqual([
      ['sign-in', { user, how: 'password' }],
      ['sign-in', { user, how: 'code' }],
      ['sign-in', { user, how: 'recovery-code' }],
      ['sign-in', { user, how: 'device' }],
      ['sign-in-refused', { user, why: 'code' }],
    ])
  })

  test('a passkey is recorded as such', async () => {
    const visitor = await visit(house, kari)
    const authenticator = new Authenticator()
    const asked = await visitor.act('POST', `${account}/passnokler/ny`)
    const cookie = `${visitor.cookie}; ${cookieIn(asked, '__Host-passkey')}`
    const fields = authenticator.make(asked.json)
    await visitor.act('POST', `${account}/passnokler`, fields, { cookie })
    const open = (path: string, json: object, headers = {}) =>
      house.call('POST', path, { as: null, json, headers: { ...ownPage, ...headers } })
    const challenge = await open('/app/okt/passnokkel/ny', {})
    const used = await open('/app/okt/passnokkel', authenticator.use(challenge.json), {
      cookie: cookieIn(challenge, '__Host-passkey'),
    })
    expect(used.status).toBe(204)
    expect((await doors()).at(-1)).toEqual(['sign-in', { user: kari.id, how: 'passkey' }])
  })

  test('switching companies is a sign-out of one and a sign-in to the other', async () => {
    const next = await house.company(`DØR ${++made}`)
    const ola = await house.person([
      { company, role: 'viewer' },
      { company: next, role: 'viewer' },
    ])
    const visitor = await visit(house, ola, company.name)
    await visitor.act('POST', '/app/okt/bytt', { company: next.name })
    const user = ola.id
    expect(await doors()).toEqual([
      ['sign-in', { user, how: 'password' }],
      ['sign-out', { user }],
    ])
    expect(await doors(next)).toEqual([['sign-in', { user, how: 'company' }]])
  })

  test('a failed attempt names the account as target, not as actor, and nothing that was typed', async () => {
    const typed = 'hemmelig-feil-passord'
    const refused = await signInAs(house, { ...kari, password: typed })
    const [entry] = await entries()
    expect(entry).toMatchObject({
      action: 'sign-in-refused',
      actor: 'stranger',
      at: now,
      requestId: refused.headers['x-request-id'],
      data: JSON.stringify({ user: kari.id, why: 'password' }),
    })
    expect(JSON.stringify(entry)).not.toMatch(new RegExp(`${typed}|${kari.email}`))
  })

  test('failed attempts write the same before the reply, whoever it is: timing reveals no addresses', async () => {
    const commitsOf = async (work: () => Promise<unknown>) => {
      const { commits } = house.store.load()
      await work()
      return house.store.load().commits - commits
    }
    const stranger = { email: 'ingen@eksempel.no', password: 'feil', id: 0 }
    const known = await commitsOf(() => signInAs(house, { ...kari, password: 'feil' }))
    expect(await commitsOf(() => signInAs(house, stranger))).toBe(known)
    expect(await commitsOf(() => house.refused.flush())).toBe(1)
  })

  test('a failed re-authentication in an open session counts too', async () => {
    const visitor = await visit(house, kari)
    const fields = { current: 'feil', password: 'blå båter på vannet' }
    await visitor.act('POST', `${account}/nyttpassord`, fields)
    expect((await doors()).at(-1)).toEqual(['sign-in-refused', { user: kari.id, why: 'password' }])
  })

  test('failed attempts write five entries an hour per user, without affecting other users', async () => {
    const ola = await house.person([{ company, role: 'viewer' }])
    const guess = async (person: Person, times: number) => {
      for (let turn = 0; turn < times; turn++) {
        now += 20 * second
        await signInAs(house, { ...person, password: `feil ${now}` })
      }
    }
    now += hour - (now % hour)
    await guess(kari, 12)
    await guess(ola, 1)
    const count = async ({ id }: Person) =>
      (await doors()).filter(([, { user }]) => user === id).length
    expect([await count(kari), await count(ola)]).toEqual([5, 1])
    now += hour
    await guess(kari, 1)
    expect(await count(kari)).toBe(6)
  })

  test('a disabled user is recorded as such, whatever the password was', async () => {
    await house.store.inHouseTransaction((writer) => disableUser(writer, kari.id, now))
    await signInAs(house, kari)
    await signInAs(house, { ...kari, password: 'feil' })
    const refused = ['sign-in-refused', { user: kari.id, why: 'shut-out' }]
    expect(await doors()).toEqual([refused, refused])
  })

  test('a reset password is recorded in every company of the user, and a failed reset in none', async () => {
    const next = await house.company(`DØR ${++made}`)
    const ola = await house.person([
      { company, role: 'viewer' },
      { company: next, role: 'viewer' },
    ])
    const { token } = newLinkToken((length) => Buffer.alloc(length, made))
    const userVersion = (await findUserById(house.store, ola.id))?.version ?? 0
    await house.store.inHouseTransaction((writer) =>
      insertPasswordLink(writer, {
        tokenHash: hashOfLink(token),
        userId: ola.id,
        userVersion,
        createdAt: now,
        expiresAt: now + hour,
      }),
    )
    const change = (password: string) =>
      house.call('POST', '/app/ny-adgang/sett', {
        as: null,
        json: { token, password },
        headers: ownPage,
      })
    expect((await change('passord')).status).toBe(400)
    expect(await told()).toEqual([])
    const changed = await change('grønne epler i kurven')
    expect(changed.status).toBe(204)
    const entry = {
      action: 'password-link',
      actor: `user:${ola.id}`,
      requestId: changed.headers['x-request-id'],
      data: JSON.stringify({ user: ola.id }),
    }
    for (const of of [company, next]) expect(await entries(of)).toMatchObject([entry])
    expect((await change('røde plommer på fat')).json.error.code).toBe('InvalidLink')
    expect(await entries()).toHaveLength(1)
  })

  test('sign-ins refresh no open page, and actions do', async () => {
    const marks = async () => (await changeMarks(house.store, company.id as CompanyId))?.material
    const before = await marks()
    const visitor = await visit(house, kari)
    await signInAs(house, { ...kari, password: 'feil' })
    await visitor.act('DELETE', session)
    expect(await entries()).toHaveLength(3)
    expect(await marks()).toBe(before)
    const fields = { currency: 'SEK' }
    await (await visit(house, kari)).act('POST', '/app/data/administrasjon/innstillinger', fields)
    expect(await marks()).toBe((before ?? 0) + 1)
  })

  test('the first use of a key or password is recorded once a day, whichever server is called', async () => {
    now += 24 * hour - (now % (24 * hour))
    const { id, secret } = await house.credential(company, { kind: 'key' })
    const beside = await house.twin()
    const find = (at: House) =>
      at.call('GET', '/dev/Omsetning/Finn', { as: null, headers: { 'tb-key': secret } })
    const first = await find(house)
    for (const at of [beside, house]) {
      now += hour
      expect((await find(at)).status).toBe(200)
    }
    for (const at of [house, beside, house]) await at.calls.flush()
    now += 22 * hour
    await find(beside)
    for (const at of [house, beside]) await at.calls.flush()
    await beside.close()
    const use = {
      action: 'first-use',
      actor: `key:${id}`,
      data: JSON.stringify({ credential: id }),
    }
    expect(await entries()).toMatchObject([
      { ...use, at: now - 24 * hour, requestId: first.headers['x-request-id'] },
      { ...use, at: now },
    ])
    expect((await entries()).map((entry) => subjectText(entry, nb))).toEqual([
      `Tilgang ${id}`,
      `Tilgang ${id}`,
    ])
  })

  test('the hash chain stays valid, and the screen has a label for each entry', async () => {
    const visitor = await visit(house, kari)
    await signInAs(house, { ...kari, password: 'feil' })
    await house.refused.flush()
    await visitor.act('DELETE', session)
    const again = await visit(house, kari)
    const { rows } = (await again.get('/app/data/revisjon')).json
    const actions: Readonly<Record<string, string>> = nb.audit.actions
    const shown = rows.map((row: { action: string; data: string }) => [
      actions[row.action],
      subjectText(row, nb),
      subjectText(row, en),
    ])
    const who = `${kari.id}`
    expect(shown).toEqual([
      ['Logget inn', 'Med passord', 'With password'],
      ['Logget ut', `Bruker ${who}`, `User ${who}`],
      ['Ble ikke sluppet inn', `Bruker ${who}: feil passord`, `User ${who}: wrong password`],
      ['Logget inn', 'Med passord', 'With password'],
    ])
    let previous = ''
    for (const { id, at, actor, action, target, requestId, data, hash } of await entries()) {
      const whole = JSON.stringify([previous, id, at, actor, action, target, requestId, data])
      expect(hash).toBe(createHash('sha256').update(whole).digest('base64url'))
      previous = hash
    }
  })
})
