// Expired data is deleted by an hourly job, and none before its time.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeAt } from '../src/auth/mfa/totp.ts'
import { createPasswordLink } from '../src/auth/passwords/password-reset.ts'
import { findUser } from '../src/store/accounts/users.ts'
import { crossCompanyStatement, statement } from '../src/store/statement.ts'
import { parseSeed } from './app/seed.ts'
import { openSessionAs, openSession, ownPage, signInAs } from './app/session-client.ts'
import { databases } from './support/databases.ts'
import { whileRowsFail } from './support/failing-rows.ts'
import { materialClientFor } from './support/material-client.ts'
import { useTestServer, type TestCompany } from './support/server.ts'

const minute = 60_000_000
const hour = 60 * minute
const day = 24 * hour

describe.each(databases)('expired data on $name', (database) => {
  const server = useTestServer(database, 'expired')
  // A second try of a test begins after everything that the first one has left.
  const clock = { now: Date.now() * 1000 }
  beforeEach(() => {
    clock.now += 100 * day
    server.clock.now = () => clock.now
  })

  const addUser = () => server.addUser([{ company: server.tenantA, role: 'admin' }])

  const insertRevenue = async (headers = {}) => {
    const json = { Dato: '2024-05-01', AvdelingID: '1', Omsetning: 5 }
    expect((await server.call('POST', '/dev/Omsetning/Lagre', { json, headers })).status).toBe(200)
    await server.webhookDelivery.deliverDue()
  }

  const insertOnce = () => insertRevenue({ 'idempotency-key': 'k1' })

  const trustDevice = async () => {
    const person = await addUser()
    const session = await openSession(server, person)
    const { secret } = (await session.send('POST', '/app/data/konto/totrinn')).json
    const code = () => codeAt(parseSeed(secret), clock.now)
    await session.send('POST', '/app/data/konto/totrinn/bekreft', { code: code() })
    clock.now += minute
    await signInAs(server, person, '', {}, { code: code(), trust: 'true' })
  }

  const linkPassword = async () => {
    const user = await findUser(server.store, (await addUser()).email)
    if (user === undefined) throw new Error('no such user')
    const context = { random: randomBytes, clock: () => clock.now }
    await server.store.inSystemTransaction((writer) => createPasswordLink(writer, user, context))
  }

  const receiver = createServer((_, response) => response.writeHead(204).end())
  beforeAll(async () => {
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const admin = await openSessionAs(server, server.tenantA, 'admin')
    expect((await admin.send('POST', '/app/data/administrasjon/webhooks/ny', { url })).status).toBe(200)
  })
  afterAll(() => void receiver.close())

  const inviteUser = async () => {
    const admin = await openSessionAs(server, server.tenantA, 'admin')
    const invited = { email: 'ny@eksempel.no', role: 'viewer' }
    expect((await admin.send('POST', '/app/data/administrasjon/personer/inviter', invited)).status).toBe(200)
  }

  const importDepartment = async (company = server.tenantA) => {
    const { cookie, csrf } = await openSessionAs(server, company, 'admin')
    const { text } = await server.call('POST', '/app/data/import/avdeling/rader?fields=Id,Navn&dry=false&file=a.csv', {
      as: null,
      body: `Id;Navn\n${clock.now};Hage\n`,
      headers: { cookie, 'x-csrf-token': csrf, 'content-type': 'application/octet-stream', ...ownPage },
    })
    expect(text).toContain('"inserted":1')
  }

  const rejectCall = async (company = server.tenantA) => {
    await server.call('GET', '/dev/Omsetning/Finn?$top=-1', { as: company })
    await server.apiCallLog.flush()
  }

  const retrieveTwice = async (company: TestCompany) => {
    const client = materialClientFor(server, company)
    await client.approve(...(await client.register(1)))
    for (let time = 0; time < 2; time++) expect((await client.exportList()).status).toBe(200)
  }

  const countOf = async (table: string) => (await server.store.first(countStatement(table), {}))?.count
  const countOfCompany = async (table: string, { id }: TestCompany) =>
    (await server.store.first(countOfCompanyStatement(table), { companyId: id }))?.count ?? 0

  test.each<[table: string, lifetime: number, create: () => Promise<unknown>]>([
    ['idempotency', 30 * day, insertOnce],
    ['session', 12 * hour, () => openSessionAs(server, server.tenantA, 'viewer')],
    ['trustedDevice', 30 * day, trustDevice],
    ['loginFailure', hour, async () => signInAs(server, { ...(await addUser()), password: 'feil' })],
    ['passwordLink', hour, linkPassword],
    ['event', 30 * day, insertRevenue],
    ['delivery', 30 * day, insertRevenue],
    ['rejectedCall', 30 * day, rejectCall],
    ['knownAddress', 30 * day, () => openSessionAs(server, server.tenantA, 'viewer')],
    ['importChange', 30 * day, importDepartment],
    ['invitation', 37 * day, inviteUser],
  ])('each %s is kept for %i µs, and deleted then', async (table, lifetime, create) => {
    const countAt = async (at: number) => {
      clock.now = at
      await server.deleteExpired()
      return countOf(table)
    }
    expect(await countAt(clock.now)).toBe(0)
    await create()
    const created = clock.now
    expect(await countAt(created + lifetime - minute)).toBeGreaterThan(0)
    expect(await countAt(created + lifetime + minute)).toBe(0)
  })

  test('is deleted although another kind cannot be', async () => {
    await insertOnce()
    await rejectCall()
    clock.now += 31 * day
    const rename = (from: string, to: string) =>
      server.store.inSystemTransaction((writer) => writer.run(renameStatement(from, to), {}))
    await rename('session', 'otherSession')
    try {
      await expect(server.deleteExpired()).rejects.toThrow(AggregateError)
    } finally {
      await rename('otherSession', 'session')
    }
    expect([await countOf('idempotency'), await countOf('rejectedCall')]).toEqual([0, 0])
  })

  test.each<[table: string, create: (company: TestCompany) => Promise<unknown>]>([
    ['rejectedCall', rejectCall],
    ['importChange', importDepartment],
    ['retrieval', retrieveTwice],
  ])('each %s of a company is deleted although those of another cannot be', async (table, create) => {
    const { tenantA: company, tenantB: failing } = server
    await create(company)
    await create(failing)
    clock.now += 500 * day
    const counts = async () => [await countOfCompany(table, failing), await countOfCompany(table, company)]
    const [ofFailing = 0, ofCompany = 0] = await counts()
    await whileRowsFail(server, table, 'delete', failing, async () => {
      await expect(server.deleteExpired()).rejects.toThrow(AggregateError)
    })
    expect(await counts()).toEqual([ofFailing, expect.toSatisfy((left) => left < ofCompany)])
    await server.deleteExpired()
    expect(await countOfCompany(table, failing)).toBeLessThan(ofFailing)
  })
})

function countStatement(table: string) {
  return crossCompanyStatement<{ count: number }>(
    () => sql`select cast(count(*) as integer) as count from ${sql.table(table)}`,
  )
}

function countOfCompanyStatement(table: string) {
  return statement<{ count: number }>(
    ({ value }) => sql`
      select cast(count(*) as integer) as count from ${sql.table(table)} where "companyId" = ${value('companyId')}`,
  )
}

function renameStatement(from: string, to: string) {
  return crossCompanyStatement(() => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`)
}
