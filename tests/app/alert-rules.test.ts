// Alert rules: silent integrations and waiting lines are reported once, to administrators, in both languages.
import { describe, expect, test } from 'vitest'
import { checkAlerts } from '../../src/notifications/mail/alerts.ts'
import { recordCredentialUse } from '../../src/store/accounts/credentials.ts'
import { databases } from '../support/databases.ts'
import { whileRowsFail } from '../support/failing-rows.ts'
import { newMaterialClient } from '../support/material-client.ts'
import { useClock, useTestServer, type TestCompany, type TestServer, type TestUser } from '../support/server.ts'
import { useMailServer } from '../support/mail-server.ts'
import { openSession, type SessionClient, openSessionAs } from './session-client.ts'

const at = '/app/data/administrasjon'
const hour = 3_600_000_000

describe.each(databases)('$name', (database) => {
  const mailServer = useMailServer()
  const server = useTestServer(database, 'app-alert-rules', () => mailServer.options)
  let company: TestCompany
  let kari: TestUser
  const clock = useClock(server)

  const office = async (name: string): Promise<SessionClient> => {
    company = await server.addCompany(`${name} ${database.name}`)
    kari = await server.addUser([{ company, role: 'admin' }])
    return openSession(server, kari)
  }
  const check = (mailQueue: TestServer['mailQueue'] = server.mailQueue) =>
    checkAlerts({ store: server.store, mailQueue, clock: () => clock.now, address: 'https://tall.eksempel.no' })
  /** The e-mails that one check sent. */
  const look = async () => {
    mailServer.received.length = 0
    await check()
    await server.sendMail()
    return mailServer.received.map(({ to, subject }) => ({ to, subject }))
  }
  const alertRuleOf = async (admin: SessionClient, name: string) => {
    const { credentials } = (await admin.get(at)).json
    return credentials.find((one: { name: string }) => one.name === name).alertRule
  }
  const key = async (admin: SessionClient, name: string): Promise<string> =>
    (await admin.send('POST', `${at}/nokler/ny`, { name, scopes: 'revenue:read' })).json.id
  const use = (id: string) =>
    server.store.inSystemTransaction((writer) => recordCredentialUse(writer, { id, lastUsedAt: clock.now }))

  test('a silent integration is reported once for each silence, to administrators alone', async () => {
    const admin = await office('STILLE')
    await server.addUser([{ company, role: 'approver' }])
    const other = await server.addUser([{ company, role: 'admin' }])
    const id = await key(admin, 'kasse')
    expect(await alertRuleOf(admin, 'kasse')).toBeNull()
    await admin.send('POST', `${at}/varsel`, { key: id, hours: '12' })
    expect(await alertRuleOf(admin, 'kasse')).toEqual({ hours: 12, raisedAt: null })
    clock.now += 12 * hour - 1
    expect(await look()).toEqual([])
    clock.now += 1
    const subject = `${company.name}: kasse er stille / is silent`
    const alerts = (await look()).toSorted((a, b) => (a.to < b.to ? -1 : 1))
    expect(alerts).toEqual([kari.email, other.email].toSorted().map((to) => ({ to, subject })))
    expect(mailServer.received[0]?.text).toContain('minst hver 12. time')
    expect(mailServer.received[0]?.text).toContain('every 12 hours')
    expect(mailServer.received[0]?.text).toContain('https://tall.eksempel.no/app/administrasjon')
    const raised = clock.now
    clock.now += 50 * hour
    expect(await look()).toEqual([])
    const later = await openSession(server, kari)
    expect(await alertRuleOf(later, 'kasse')).toEqual({ hours: 12, raisedAt: raised })
    await use(id)
    expect(await look()).toEqual([])
    expect(await alertRuleOf(later, 'kasse')).toEqual({ hours: 12, raisedAt: null })
    clock.now += 12 * hour
    expect(await look()).toHaveLength(2)
  })

  test('a renewed key counts as heard through the new one, and a revoked key is not missed', async () => {
    const admin = await office('FORNYET')
    const old = await key(admin, 'lonn')
    await admin.send('POST', `${at}/varsel`, { key: old, hours: '1' })
    const { id } = (await admin.send('POST', `${at}/nokler/forny`, { id: old })).json
    clock.now += 2 * hour
    await use(id)
    expect(await look()).toEqual([])
    const again = await openSession(server, kari)
    for (const one of [old, id]) await again.send('POST', `${at}/nokler/trekk`, { id: one })
    clock.now += 10 * hour
    expect(await look()).toEqual([])
  })

  test('several servers that detect one silence report it once', async () => {
    const admin = await office('FLERE')
    await admin.send('POST', `${at}/varsel`, { key: await key(admin, 'kasse'), hours: '1' })
    clock.now += hour
    await Promise.all([check(), check(), check()])
    await server.sendMail()
    expect(mailServer.received).toHaveLength(1)
  })

  test('approved lines that nobody retrieves are reported after three days, or as the company sets', async () => {
    const materialClient = await newMaterialClient(server)
    const boss = await server.addUser([{ company: materialClient.company, role: 'admin' }])
    // Companies of other tests fall silent meanwhile.
    const alerts = async () => (await look()).filter(({ to }) => to === boss.email)
    const ids = await materialClient.register(3)
    await materialClient.approve(...ids)
    clock.now += 72 * hour - 1_000
    expect(await alerts()).toEqual([])
    // Timestamps of one transaction differ by some microseconds.
    clock.now += 2_000
    expect(await alerts()).toEqual([{ to: boss.email, subject: expect.stringContaining('3 linjer venter på eksport') }])
    expect(await alerts()).toEqual([])
    const admin = await openSession(server, boss)
    expect((await admin.get(at)).json.exportAlertRule).toEqual({ hours: 72, raisedAt: clock.now })
    await materialClient.acknowledge({ ids: [ids[0]] })
    clock.now += hour
    expect(await alerts()).toEqual([])
    await materialClient.acknowledge({ ids: ids.slice(1) })
    expect(await alerts()).toEqual([])
    const again = await openSession(server, boss)
    expect((await again.get(at)).json.exportAlertRule).toEqual({ hours: 72, raisedAt: null })
    await again.send('POST', `${at}/varsel`, { hours: '24' })
    await materialClient.approve(...(await materialClient.register(1)))
    clock.now += 25 * hour
    expect(await alerts()).toHaveLength(1)
    const later = await openSession(server, boss)
    await later.send('POST', `${at}/varsel`, { hours: '0' })
    clock.now += 100 * hour
    expect(await alerts()).toEqual([])
  })

  test('a company whose alerts cannot be raised delays those of no other', async () => {
    const watched = async (name: string) => {
      const admin = await office(name)
      await admin.send('POST', `${at}/varsel`, { key: await key(admin, 'kasse'), hours: '1' })
      return { company, to: kari.email }
    }
    const failing = await watched('FEIL')
    const other = await watched('FRISK')
    const recipients = async () => {
      await server.sendMail()
      return mailServer.received.map(({ to }) => to)
    }
    clock.now += hour
    mailServer.received.length = 0
    await whileRowsFail(server, 'alertRule', 'update', failing.company, async () => {
      await expect(check()).rejects.toThrow(AggregateError)
    })
    expect(await recipients()).toEqual([other.to])
    await check()
    expect(await recipients()).toEqual([other.to, failing.to])
  })

  test('without mail the alert is shown in the app', async () => {
    const admin = await office('UTEN')
    await admin.send('POST', `${at}/varsel`, { key: await key(admin, 'kasse'), hours: '1' })
    clock.now += hour
    await check(null)
    expect(await alertRuleOf(await openSession(server, kari), 'kasse')).toEqual({ hours: 1, raisedAt: clock.now })
    expect(await look()).toEqual([])
  })

  test('only an administrator defines alert rules, and only for keys of the company', async () => {
    const admin = await office('RETT')
    const theirs = await server.addCredential(server.tenantB)
    expect((await admin.send('POST', `${at}/varsel`, { key: theirs.id, hours: '1' })).status).toBe(404)
    for (const hours of ['-1', '1441', 'x', '1.5'])
      expect((await admin.send('POST', `${at}/varsel`, { hours })).json.error.code).toBe('InvalidValue')
    const viewer = await openSessionAs(server, company, 'viewer')
    expect((await viewer.send('POST', `${at}/varsel`, { hours: '1' })).status).toBe(403)
    expect((await admin.get(at)).json.exportAlertRule).toEqual({ hours: 72, raisedAt: null })
  })
})
