// ADR 0009: a request repeated with its Idempotency-Key is executed once and gets the first reply again.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useTestServer } from '../support/server.ts'
import { useRevenueClient, newRevenueClient, revenueClientFor } from '../support/revenue-client.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }
const day = 24 * 3600 * 1_000_000
function key(value: string) {
  return { 'idempotency-key': value }
}

describe.each(databases)('Idempotency-Key on $name', (database) => {
  const server = useTestServer(database, 'idempotency')
  const revenueClient = useRevenueClient(server)

  test('ADR 0009 a repeat returns the first reply, and changes nothing', async () => {
    for (const write of [revenueClient.insert, revenueClient.accumulate]) {
      const first = await write({ ...row, Firma: 'x' }, {}, key(write.name + String(write === revenueClient.insert)))
      const again = await write({ ...row, Firma: 'x' }, {}, key(write.name + String(write === revenueClient.insert)))
      expect(first.headers['idempotency-replayed']).toBeUndefined()
      expect(again.headers['idempotency-replayed']).toBe('true')
      expect([again.status, again.text]).toEqual([first.status, first.text])
      for (const name of ['content-type', 'x-ignored-fields', 'x-added', 'cache-control'])
        expect(again.headers[name], name).toBe(first.headers[name])
    }
    expect(await revenueClient.records()).toEqual([expect.objectContaining({ Omsetning: 200 })])
    expect((await revenueClient.revenueLog()).json.value).toHaveLength(2)
  })

  test('ADR 0009 works on every write', async () => {
    const { InntektsPlanId } = (await revenueClient.insert(row)).json
    const writes = [
      () => revenueClient.insert(row, {}, key('lagre')),
      () => revenueClient.update({ InntekstplanId: InntektsPlanId, Omsetning: 1 }, {}, key('oppdater')),
      () => revenueClient.saveList([row, { InntekstplanId: InntektsPlanId, Omsetning: 2 }], {}, key('liste')),
      () => revenueClient.setPerDate([row], {}, key('dato')),
      () => revenueClient.accumulate([row], {}, key('aggsert')),
    ]
    for (const write of writes) {
      const first = await write()
      const after = await revenueClient.records({ $select: '*,SistEndretDato' })
      const again = await expectStatus(write())
      expect(again.text).toBe(first.text)
      expect(await revenueClient.records({ $select: '*,SistEndretDato' })).toEqual(after)
    }
  })

  test('ADR 0009 a repeated delete returns the first reply, not 404', async () => {
    const first = (await revenueClient.insert(row)).json.InntektsPlanId
    const second = (await revenueClient.insert(row)).json.InntektsPlanId
    expect((await revenueClient.delete(first, key('slett'))).status).toBe(204)
    const again = await revenueClient.delete(first, key('slett'))
    expect([again.status, again.text]).toEqual([204, ''])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await revenueClient.delete(second, key('slett'))).json.error.code).toBe('IdempotencyKeyReused')
    expect((await revenueClient.delete(first)).status).toBe(404)
    expect((await revenueClient.delete(second, key('a b'))).json.error.code).toBe('IdempotencyKeyInvalid')
    expect(await revenueClient.idsWhere("AvdelingID eq '20'")).toEqual([second])
    expect((await revenueClient.revenueLog()).json.value).toHaveLength(3)
  })

  test('ADR 0009 a failed delete stores no reply', async () => {
    expect((await revenueClient.delete(1, key('slett'))).status).toBe(404)
    expect((await revenueClient.insert(row)).json.InntektsPlanId).toBe(1)
    const done = await expectStatus(revenueClient.delete(1, key('slett')), 204)
    expect(done.headers['idempotency-replayed']).toBeUndefined()
  })

  test('ADR 0009 a repeat returns the first reply, not the current state', async () => {
    const first = await revenueClient.insert(row, {}, key('a'))
    await revenueClient.update({ InntekstplanId: first.json.InntektsPlanId, Omsetning: 9 })
    expect((await revenueClient.insert(row, {}, key('a'))).text).toBe(first.text)
  })

  test('ADR 0009 a reply too long to store is generated again from its records', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({ ...row, AvdelingID: `${index}` }))
    const first = await revenueClient.setPerDate(rows, {}, key('lang'))
    expect(first.text.length).toBeGreaterThan(64 * 1024)
    const again = await revenueClient.setPerDate(rows, {}, key('lang'))
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.json).toEqual(first.json)
    const xml = await revenueClient.setPerDate(rows, {}, { ...key('lang'), accept: 'application/xml' })
    expect(xml.text).toMatch(/^<\?xml/)
    expect(xml.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect((await revenueClient.revenueLog({ $count: 'true', $top: '0' })).json['@odata.count']).toBe(1000)
  })

  test('ADR 0009 a long reply with one result per row is repeated with all of them', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      ...row,
      AvdelingID: `${index}`,
      Omsetning: index % 3 === 0 ? 'x' : index,
    }))
    const first = await revenueClient.setPerDate(rows, { atomic: 'false' }, key('rader'))
    expect(first.text.length).toBeGreaterThan(64 * 1024)
    expect(first.json.resultater).toHaveLength(1000)
    const again = await revenueClient.setPerDate(rows, { atomic: 'false' }, key('rader'))
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
  })

  test('ADR 0009 another body, URL or option under the same key is rejected with 422', async () => {
    await revenueClient.insert(row, {}, key('a'))
    const others = [
      await revenueClient.insert({ ...row, Omsetning: 1 }, {}, key('a')),
      await revenueClient.accumulate(row, {}, key('a')),
      await revenueClient.insert(row, { dryRun: 'true' }, key('a')),
      await revenueClient.insert(row, { atomic: 'false' }, key('a')),
    ]
    for (const reply of others) expectError(reply, 422, 'IdempotencyKeyReused')
    expect(await revenueClient.records()).toHaveLength(1)
  })

  test.each(['/DEV/omsetning/LAGRE', '/dev/Omsetning/Lagre/', '/dev//Omsetning/Lagre'])(
    'ADR 0009 the same request in another spelling of its URL is a repeat: %s',
    async (path) => {
      await revenueClient.insert(row, {}, key('a'))
      const again = await revenueClient.call('POST', path, { json: row, headers: key('a') })
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
      expect(await revenueClient.records()).toHaveLength(1)
    },
  )

  test('ADR 0009 keys of records are case-sensitive in the comparison of URLs', async () => {
    const department = (Id: string) => ({ Id, Navn: Id })
    await revenueClient.call('POST', '/ansatt/avdeling', { json: [department('Ab'), department('AB')] })
    for (const [one, other] of [
      ["/ansatt/avdeling('Ab')", "/ansatt/avdeling('AB')"],
      ['/ansatt/avdeling/Ab', '/ansatt/avdeling/AB'],
    ] as const) {
      const change = (path: string) => revenueClient.call('PATCH', path, { json: { Navn: 'ny' }, headers: key(one) })
      expect((await change(one)).status).toBe(200)
      expect((await change(one.replace('avdeling', 'AVDELING'))).headers).toHaveProperty('idempotency-replayed')
      expect((await change(other)).json.error.code).toBe('IdempotencyKeyReused')
    }
    const named = (await revenueClient.call('GET', "/ansatt/avdeling('AB')")).json
    expect(named.navn).toBe('AB')
  })

  test('ADR 0009 fifty concurrent repeats execute once; the others get the stored reply, or 409 while the first runs', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => revenueClient.accumulate(row, {}, key('samtidig'))),
    )
    expect(await revenueClient.records()).toEqual([expect.objectContaining({ Omsetning: 100 })])
    const done = replies.filter(
      ({ status, headers }) => status === 200 && headers['idempotency-replayed'] === undefined,
    )
    expect(done).toHaveLength(1)
    for (const reply of replies) {
      if (reply.status === 200) expect(reply.text).toBe(done[0]?.text)
      else {
        expectError(reply, 409, 'IdempotencyInProgress')
        expect(reply.headers['retry-after']).toBe('1')
      }
    }
  })

  test('ADR 0009 the two keys of a rotation share stored replies, another owner does not', async () => {
    const company = await server.addCompany('ROTASJON')
    const old = await server.addCredential(company, { owner: 'kasse' })
    const fresh = await server.addCredential(company, { owner: 'kasse' })
    const outsider = await server.addCredential(company, { owner: 'en annen' })
    const insert = (secret: string) =>
      server.call('POST', '/dev/Omsetning/Lagre', { as: null, json: row, headers: { 'tb-key': secret, ...key('a') } })
    const first = await insert(old.secret)
    expect((await insert(fresh.secret)).headers['idempotency-replayed']).toBe('true')
    const other = await insert(outsider.secret)
    expect(other.headers['idempotency-replayed']).toBeUndefined()
    expect(other.json.InntektsPlanId).not.toBe(first.json.InntektsPlanId)
  })

  test('ADR 0009 companies do not share Idempotency-Keys', async () => {
    const [one, other] = [await newRevenueClient(server), await newRevenueClient(server)]
    await one.insert(row, {}, key('felles'))
    const reply = await expectStatus(other.insert({ ...row, Omsetning: 1 }, {}, key('felles')))
    expect(reply.headers['idempotency-replayed']).toBeUndefined()
    expect(await other.records()).toHaveLength(1)
  })

  test('ADR 0009 a reply is stored for 30 days', async () => {
    const company = await server.addCompany('TRETTI DAGER')
    const revenueClient = revenueClientFor(server, company)
    const now = server.clock.now()
    server.clock.now = () => now
    await revenueClient.insert(row, {}, key('a'))
    server.clock.now = () => now + 30 * day
    expect((await revenueClient.insert(row, {}, key('a'))).headers['idempotency-replayed']).toBe('true')
    server.clock.now = () => now + 30 * day + 1
    const late = await revenueClient.insert(row, {}, key('a'))
    expect(late.headers['idempotency-replayed']).toBeUndefined()
    expect(await revenueClient.records()).toHaveLength(2)
    server.clock.now = () => Date.now() * 1000
  })

  test('ADR 0009 a rejected request stores no reply: it can be corrected and sent again', async () => {
    expect((await revenueClient.insert({ ...row, Dato: 'x' }, {}, key('a'))).status).toBe(400)
    expect((await revenueClient.update({ InntekstplanId: 1, Omsetning: 1 }, {}, key('a'))).status).toBe(404)
    expect((await revenueClient.insert(row, {}, key('a'))).status).toBe(200)
    expect(await revenueClient.records()).toHaveLength(1)
  })

  test('ADR 0009 stored replies are in the database and survive a restart', async () => {
    const first = await revenueClient.accumulate(row, {}, key('a'))
    const secondInstance = await server.secondInstance()
    const again = await revenueClientFor(secondInstance, revenueClient.company).accumulate(row, {}, key('a'))
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
  })

  test.each(['', ' ', 'a b', 'ø', 'x'.repeat(256), 'a\tb'])('ADR 0009 "%s" is not a valid key', async (value) => {
    const reply = await revenueClient.insert(row, {}, key(value))
    expectError(reply, 400, 'IdempotencyKeyInvalid', { target: 'header:Idempotency-Key' })
    expect(await revenueClient.records()).toEqual([])
  })

  test('ADR 0009 any visible ASCII of 1 to 255 characters is a valid key', async () => {
    for (const value of ['0', 'x'.repeat(255), `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`])
      expect((await revenueClient.insert(row, {}, key(value))).status).toBe(200)
    expect(await revenueClient.records()).toHaveLength(3)
  })

  test('ADR 0009 XML is replayed as XML', async () => {
    const headers = { ...key('xml'), accept: 'application/xml' }
    const first = await revenueClient.insert(row, {}, headers)
    const again = await revenueClient.insert(row, {}, headers)
    expect(again.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(again.text).toBe(first.text)
  })
})
