// ADR 0044: sign-in events in the audit log, limited per user for failed attempts.
import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeAt } from '../../src/auth/mfa/totp.ts'
import { generateToken, hashToken } from '../../src/auth/tokens/secret.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { listAuditRows } from '../../src/store/audit/audit.ts'
import { getChangeCounters } from '../../src/store/change-counters.ts'
import { insertPasswordLink } from '../../src/store/accounts/password-links.ts'
import { disableUser, findUserById } from '../../src/store/accounts/users.ts'
import { auditTexts } from './audit-texts.ts'
import { databases } from '../support/databases.ts'
import { whileRowsFail } from '../support/failing-rows.ts'
import { useTestServer, type TestCompany, type TestServer, type TestUser } from '../support/server.ts'
import { formatSubject } from '../../web/features/audit/audit-subject.ts'
import { Authenticator } from './authenticator.ts'
import { parseSeed } from './seed.ts'
import { findCookie, ownPage, sessionPath, signInAs, openSession, resumeSession } from './session-client.ts'

const { en, nb } = auditTexts

const account = '/app/data/konto'
const second = 1_000_000
const hour = 3600 * second

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-sign-in-audit')
  let company: TestCompany
  let kari: TestUser
  let now = 1_790_000_010_000_000
  let made = 0
  beforeAll(() => {
    server.clock.now = () => now
  })
  beforeEach(async () => {
    now += 24 * hour
    company = await server.addCompany(`DØR ${++made}`)
    kari = await server.addUser([{ company, role: 'admin' }])
  })

  const storedEntries = async ({ id }: TestCompany) => {
    const page = { before: Number.MAX_SAFE_INTEGER, top: 1_000 }
    return (await listAuditRows(server.store, { companyId: id as CompanyId, ...page })).toReversed()
  }
  const entries = async (of: TestCompany = company) => {
    await server.failedSignIns.flush()
    return storedEntries(of)
  }
  /** The entries, as action and data. */
  const auditEntries = async (of: TestCompany = company) =>
    (await entries(of)).map(({ action, data }) => [action, JSON.parse(data)])
  const signInEntries = async (of: TestCompany = company) =>
    (await auditEntries(of)).filter(([action]) => String(action).startsWith('sign-'))

  test('a sign-in and a sign-out have the user, the request and the time', async () => {
    const reply = await signInAs(server, kari)
    const session = await resumeSession(server, findCookie(reply))
    now += second
    const out = await session.send('DELETE', sessionPath)
    expect(await entries()).toMatchObject([
      {
        action: 'sign-in',
        actor: `user:${kari.id}`,
        at: now - second,
        requestId: reply.headers['x-request-id'],
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
    await session.send('DELETE', sessionPath)
    expect(await entries()).toHaveLength(2)
  })

  test('the method is recorded: code, recovery code, trusted device', async () => {
    const session = await openSession(server, kari)
    const { secret } = (await session.send('POST', `${account}/totrinn`)).json
    const code = () => codeAt(parseSeed(secret), now)
    const { codes } = (await session.send('POST', `${account}/totrinn/bekreft`, { code: code() })).json
    now += 60 * second
    expect((await signInAs(server, kari)).json.error.code).toBe('SecondFactorCodeRequired')
    const trusting = await signInAs(server, kari, '', {}, { code: code(), trust: 'true' })
    await signInAs(server, kari, '', {}, { code: codes[0] })
    await signInAs(server, kari, '', { cookie: findCookie(trusting, '__Host-device') })
    await signInAs(server, kari, '', {}, { code: '000000' })
    const user = kari.id
    expect(await signInEntries()).toEqual([
      ['sign-in', { user, how: 'password' }],
      ['sign-in', { user, how: 'code' }],
      ['sign-in', { user, how: 'recovery-code' }],
      ['sign-in', { user, how: 'device' }],
      ['sign-in-failed', { user, why: 'code' }],
    ])
  })

  test('a passkey is recorded as such', async () => {
    const session = await openSession(server, kari)
    const authenticator = new Authenticator()
    const challengeReply = await session.send('POST', `${account}/passnokler/ny`)
    const cookie = `${session.cookie}; ${findCookie(challengeReply, '__Host-passkey')}`
    const fields = authenticator.create(challengeReply.json)
    await session.send('POST', `${account}/passnokler`, fields, { cookie })
    const open = (path: string, json: object, headers = {}) =>
      server.call('POST', path, { as: null, json, headers: { ...ownPage, ...headers } })
    const challenge = await open('/app/okt/passnokkel/ny', {})
    const used = await open('/app/okt/passnokkel', authenticator.get(challenge.json), {
      cookie: findCookie(challenge, '__Host-passkey'),
    })
    expect(used.status).toBe(204)
    expect((await signInEntries()).at(-1)).toEqual(['sign-in', { user: kari.id, how: 'passkey' }])
  })

  test('switching companies is a sign-out of one and a sign-in to the other', async () => {
    const next = await server.addCompany(`DØR ${++made}`)
    const ola = await server.addUser([
      { company, role: 'viewer' },
      { company: next, role: 'viewer' },
    ])
    const session = await openSession(server, ola, company.name)
    await session.send('POST', '/app/okt/bytt', { company: next.name })
    const user = ola.id
    expect(await signInEntries()).toEqual([
      ['sign-in', { user, how: 'password' }],
      ['sign-out', { user }],
    ])
    expect(await signInEntries(next)).toEqual([['sign-in', { user, how: 'company' }]])
  })

  test('a failed attempt names the account as target, not as actor, and nothing that was typed', async () => {
    const typed = 'hemmelig-feil-passord'
    const refused = await signInAs(server, { ...kari, password: typed })
    const [entry] = await entries()
    expect(entry).toMatchObject({
      action: 'sign-in-failed',
      actor: 'anonymous',
      at: now,
      requestId: refused.headers['x-request-id'],
      data: JSON.stringify({ user: kari.id, why: 'password' }),
    })
    expect(JSON.stringify(entry)).not.toMatch(new RegExp(`${typed}|${kari.email}`))
  })

  test('failed attempts write the same before the reply, for every account: timing reveals no addresses', async () => {
    const commitsOf = async (work: () => Promise<unknown>) => {
      const { commits } = server.store.load()
      await work()
      return server.store.load().commits - commits
    }
    const outsider = { email: 'ingen@eksempel.no', password: 'feil', id: 0 }
    const known = await commitsOf(() => signInAs(server, { ...kari, password: 'feil' }))
    expect(await commitsOf(() => signInAs(server, outsider))).toBe(known)
    expect(await commitsOf(() => server.failedSignIns.flush())).toBe(1)
  })

  test('a failed re-authentication in an open session counts too', async () => {
    const session = await openSession(server, kari)
    const fields = { current: 'feil', password: 'blå båter på vannet' }
    await session.send('POST', `${account}/nyttpassord`, fields)
    expect((await signInEntries()).at(-1)).toEqual(['sign-in-failed', { user: kari.id, why: 'password' }])
  })

  test('failed attempts write five entries an hour per user, without affecting other users', async () => {
    const ola = await server.addUser([{ company, role: 'viewer' }])
    const guess = async (person: TestUser, times: number) => {
      for (let turn = 0; turn < times; turn++) {
        now += 20 * second
        await signInAs(server, { ...person, password: `feil ${now}` })
      }
    }
    now += hour - (now % hour)
    await guess(kari, 12)
    await guess(ola, 1)
    const count = async ({ id }: TestUser) => (await signInEntries()).filter(([, { user }]) => user === id).length
    expect([await count(kari), await count(ola)]).toEqual([5, 1])
    now += hour
    await guess(kari, 1)
    expect(await count(kari)).toBe(6)
  })

  test('a disabled user is recorded as such, whatever the password was', async () => {
    await server.store.inSystemTransaction((writer) => disableUser(writer, kari.id, now))
    await signInAs(server, kari)
    await signInAs(server, { ...kari, password: 'feil' })
    const refused = ['sign-in-failed', { user: kari.id, why: 'shut-out' }]
    expect(await signInEntries()).toEqual([refused, refused])
  })

  test('a reset password is recorded in every company of the user, and a failed reset in none', async () => {
    const next = await server.addCompany(`DØR ${++made}`)
    const ola = await server.addUser([
      { company, role: 'viewer' },
      { company: next, role: 'viewer' },
    ])
    const token = generateToken((length) => Buffer.alloc(length, made))
    const userVersion = (await findUserById(server.store, { id: ola.id }))?.version ?? 0
    await server.store.inSystemTransaction((writer) =>
      insertPasswordLink(writer, {
        tokenHash: hashToken(token),
        userId: ola.id,
        userVersion,
        createdAt: now,
        expiresAt: now + hour,
      }),
    )
    const change = (password: string) =>
      server.call('POST', '/app/ny-adgang/sett', { as: null, json: { token, password }, headers: ownPage })
    expect((await change('passord')).status).toBe(400)
    expect(await auditEntries()).toEqual([])
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
    const materialCounter = async () =>
      (await getChangeCounters(server.store, { companyId: company.id as CompanyId }))?.material
    const before = await materialCounter()
    const session = await openSession(server, kari)
    await signInAs(server, { ...kari, password: 'feil' })
    await session.send('DELETE', sessionPath)
    expect(await entries()).toHaveLength(3)
    expect(await materialCounter()).toBe(before)
    const fields = { currency: 'SEK' }
    await (await openSession(server, kari)).send('POST', '/app/data/administrasjon/innstillinger', fields)
    expect(await materialCounter()).toBe((before ?? 0) + 1)
  })

  test('the first use of a key or password is recorded once a day, whichever server is called', async () => {
    now += 24 * hour - (now % (24 * hour))
    const { id, secret } = await server.addCredential(company, { kind: 'key' })
    const secondInstance = await server.secondInstance()
    const find = (at: TestServer) => at.call('GET', '/dev/Omsetning/Finn', { as: null, headers: { 'tb-key': secret } })
    const first = await find(server)
    for (const at of [secondInstance, server]) {
      now += hour
      expect((await find(at)).status).toBe(200)
    }
    for (const at of [server, secondInstance, server]) await at.apiCallLog.flush()
    now += 22 * hour
    await find(secondInstance)
    for (const at of [server, secondInstance]) await at.apiCallLog.flush()
    const use = { action: 'first-use', actor: `key:${id}`, data: JSON.stringify({ credential: id }) }
    expect(await entries()).toMatchObject([
      { ...use, at: now - 24 * hour, requestId: first.headers['x-request-id'] },
      { ...use, at: now },
    ])
    expect((await entries()).map((entry) => formatSubject(entry, nb))).toEqual([`Tilgang ${id}`, `Tilgang ${id}`])
  })

  test('a company whose audit cannot be written loses no entry, and delays those of no other company', async () => {
    const other = await server.addCompany(`ANDRE ${made}`)
    const otherUser = await server.addUser([{ company: other, role: 'admin' }])
    const actionsOf = async (of: TestCompany) => (await storedEntries(of)).map(({ action }) => action).toSorted()
    for (const one of [company, other]) {
      const { secret } = await server.addCredential(one, { kind: 'key' })
      await server.call('GET', '/dev/Omsetning/Finn', { as: null, headers: { 'tb-key': secret } })
    }
    for (const user of [kari, otherUser]) await signInAs(server, { ...user, password: 'feil' })
    await whileRowsFail(server, 'audit', 'insert', company, async () => {
      await expect(server.failedSignIns.flush()).rejects.toThrow(`failed for company ${company.id}`)
      await expect(server.apiCallLog.flush()).rejects.toThrow('failed for first uses')
    })
    expect(await actionsOf(company)).toEqual([])
    expect(await actionsOf(other)).toEqual(['first-use', 'sign-in-failed'])
    await server.failedSignIns.flush()
    await server.apiCallLog.flush()
    expect(await actionsOf(company)).toEqual(['first-use', 'sign-in-failed'])
  })

  test('the hash chain stays valid, and the screen has a label for each entry', async () => {
    const session = await openSession(server, kari)
    await signInAs(server, { ...kari, password: 'feil' })
    await server.failedSignIns.flush()
    await session.send('DELETE', sessionPath)
    const again = await openSession(server, kari)
    const { rows } = (await again.get('/app/data/revisjon')).json
    const actions: Readonly<Record<string, string>> = nb.audit.actions
    const shown = rows.map((row: { action: string; data: string }) => [
      actions[row.action],
      formatSubject(row, nb),
      formatSubject(row, en),
    ])
    const userId = `${kari.id}`
    expect(shown).toEqual([
      ['Logget inn', 'Med passord', 'With password'],
      ['Logget ut', `Bruker ${userId}`, `User ${userId}`],
      ['Mislykket innlogging', `Bruker ${userId}: feil passord`, `User ${userId}: wrong password`],
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
