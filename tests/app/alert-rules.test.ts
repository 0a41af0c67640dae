// Alert rules: silent integrations and waiting lines are reported once, to administrators, in both languages.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Delivery } from '../../src/notifications/mail/deliver.ts'
import { senderTo } from '../../src/notifications/mail/sender.ts'
import { watchOver } from '../../src/notifications/mail/alerts.ts'
import { noteCredentialUse } from '../../src/store/accounts/credentials.ts'
import { databases } from '../support/databases.ts'
import { newDepot } from '../support/material-client.ts'
import { buildHouse, type Company, type House, type Person } from '../support/server.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { visit, type Visitor } from './session-client.ts'

const at = '/app/data/administrasjon'
const hour = 3_600_000_000

describe.each(databases)('$name', (database) => {
  let house: House
  let server: MailServer
  let company: Company
  let kari: Person
  let now: number
  beforeAll(async () => {
    house = await buildHouse(database, 'app-watches')
    server = await startMailServer()
  })
  beforeEach(() => {
    now = Date.now() * 1000
    house.clock.now = () => now
    house.mail.isOn = true
    server.received.length = 0
  })
  afterAll(async () => {
    await server.stop()
    await house.close()
  })

  const office = async (name: string): Promise<Visitor> => {
    company = await house.company(`${name} ${database.name}`)
    kari = await house.person([{ company, role: 'admin' }])
    return visit(house, kari)
  }
  const watching = (outbox: House['mail']['outbox'] | null = house.mail.outbox) =>
    watchOver({
      store: house.store,
      outbox,
      clock: () => now,
      address: 'https://tall.eksempel.no',
    })
  const carry = async () => {
    const { store, mail } = house
    const sender = senderTo(server.url, 'dagsverk@eksempel.no')
    const options = { store, outbox: mail.outbox, sender, clock: () => now, onUnsent: () => {} }
    await new Delivery(options).round()
  }
  /** The e-mails that one check sent. */
  const look = async () => {
    server.received.length = 0
    await watching()
    await carry()
    return server.received.map(({ to, subject }) => ({ to, subject }))
  }
  const watchOf = async (admin: Visitor, name: string) => {
    const { keys } = (await admin.get(at)).json
    return keys.find((key: { name: string }) => key.name === name).watch
  }
  const key = async (admin: Visitor, name: string): Promise<string> =>
    (await admin.act('POST', `${at}/nokler/ny`, { name, scopes: 'revenue:read' })).json.id
  const use = (id: string) =>
    house.store.inHouseTransaction((writer) => noteCredentialUse(writer, id, now))

  test('a silent integration is reported once for each silence, to administrators alone', async () => {
    const admin = await office('STILLE')
    await house.person([{ company, role: 'approver' }])
    const other = await house.person([{ company, role: 'admin' }])
    const id = await key(admin, 'kasse')
    expect(await watchOf(admin, 'kasse')).toBeNull()
    await admin.act('POST', `${at}/varsel`, { key: id, hours: '12' })
    expect(await watchOf(admin, 'kasse')).toEqual({ hours: 12, raisedAt: null })
    now += 12 * hour - 1
    expect(await look()).toEqual([])
    now += 1
    const subject = `${company.name}: kasse er stille / is silent`
    const told = (await look()).toSorted((a, b) => (a.to < b.to ? -1 : 1))
    expect(told).toEqual([kari.email, other.email].toSorted().map((to) => ({ to, subject })))
    expect(server.received[0]?.text).toContain('minst hver 12. time')
    expect(server.received[0]?.text).toContain('every 12 hours')
    expect(server.received[0]?.text).toContain('https://tall.eksempel.no/app/administrasjon')
    const raised = now
    now += 50 * hour
    expect(await look()).toEqual([])
    const later = await visit(house, kari)
    expect(await watchOf(later, 'kasse')).toEqual({ hours: 12, raisedAt: raised })
    await use(id)
    expect(await look()).toEqual([])
    expect(await watchOf(later, 'kasse')).toEqual({ hours: 12, raisedAt: null })
    now += 12 * hour
    expect(await look()).toHaveLength(2)
  })

  test('a renewed key counts as heard through the new one, and a revoked key is not missed', async () => {
    const admin = await office('FORNYET')
    const old = await key(admin, 'lonn')
    await admin.act('POST', `${at}/varsel`, { key: old, hours: '1' })
    const { id } = (await admin.act('POST', `${at}/nokler/forny`, { id: old })).json
    now += 2 * hour
    await use(id)
    expect(await look()).toEqual([])
    const again = await visit(house, kari)
    for (const one of [old, id]) await again.act('POST', `${at}/nokler/trekk`, { id: one })
    now += 10 * hour
    expect(await look()).toEqual([])
  })

  test('several servers that detect one silence report it once', async () => {
    const admin = await office('FLERE')
    await admin.act('POST', `${at}/varsel`, { key: await key(admin, 'kasse'), hours: '1' })
    now += hour
    await Promise.all([watching(), watching(), watching()])
    await carry()
    expect(server.received).toHaveLength(1)
  })

  test('approved lines that nobody retrieves are reported after three days, or as the company sets', async () => {
    const depot = await newDepot(house)
    const boss = await house.person([{ company: depot.company, role: 'admin' }])
    // Companies of other tests fall silent meanwhile.
    const told = async () => (await look()).filter(({ to }) => to === boss.email)
    const ids = await depot.register(3)
    await depot.approve(...ids)
    now += 72 * hour - 1_000
    expect(await told()).toEqual([])
    // Timestamps of one transaction differ by some microseconds.
    now += 2_000
    expect(await told()).toEqual([
      { to: boss.email, subject: expect.stringContaining('3 linjer venter på eksport') },
    ])
    expect(await told()).toEqual([])
    const admin = await visit(house, boss)
    expect((await admin.get(at)).json.exportWatch).toEqual({ hours: 72, raisedAt: now })
    await depot.mark({ ids: [ids[0]] })
    now += hour
    expect(await told()).toEqual([])
    await depot.mark({ ids: ids.slice(1) })
    expect(await told()).toEqual([])
    const again = await visit(house, boss)
    expect((await again.get(at)).json.exportWatch).toEqual({ hours: 72, raisedAt: null })
    await again.act('POST', `${at}/varsel`, { hours: '24' })
    await depot.approve(...(await depot.register(1)))
    now += 25 * hour
    expect(await told()).toHaveLength(1)
    const later = await visit(house, boss)
    await later.act('POST', `${at}/varsel`, { hours: '0' })
    now += 100 * hour
    expect(await told()).toEqual([])
  })

  test('without mail the alert is shown in the app', async () => {
    const admin = await office('UTEN')
    await admin.act('POST', `${at}/varsel`, { key: await key(admin, 'kasse'), hours: '1' })
    now += hour
    await watching(null)
    expect(await watchOf(await visit(house, kari), 'kasse')).toEqual({ hours: 1, raisedAt: now })
    expect(await look()).toEqual([])
  })

  test('only an administrator defines alert rules, and only for keys of the company', async () => {
    const admin = await office('RETT')
    const theirs = await house.credential(house.other)
    expect((await admin.act('POST', `${at}/varsel`, { key: theirs.id, hours: '1' })).status).toBe(
      404,
    )
    for (const hours of ['-1', '1441', 'x', '1.5'])
      expect((await admin.act('POST', `${at}/varsel`, { hours })).json.error.code).toBe(
        'InvalidValue',
      )
    const viewer = await visit(house, await house.person([{ company, role: 'viewer' }]))
    expect((await viewer.act('POST', `${at}/varsel`, { hours: '1' })).status).toBe(403)
    expect((await admin.get(at)).json.exportWatch).toEqual({ hours: 72, raisedAt: null })
  })
})
