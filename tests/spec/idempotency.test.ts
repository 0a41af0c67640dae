// ADR 0015: a request repeated with its Idempotency-Key is executed once and gets the first reply again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { buildHouse, type House } from '../support/server.ts'
import { newTill, tillOf } from '../support/revenue-client.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }
const day = 24 * 3600 * 1_000_000
function key(value: string) {
  return { 'idempotency-key': value }
}

describe.each(databases)('Idempotency-Key on $name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'idempotency')
  })
  afterAll(() => house.close())

  test('ADR 0015 a repeat returns the first reply, and changes nothing', async () => {
    const till = await newTill(house)
    for (const write of [till.insert, till.accumulate]) {
      const first = await write(
        { ...row, Firma: 'x' },
        {},
        key(write.name + String(write === till.insert)),
      )
      const again = await write(
        { ...row, Firma: 'x' },
        {},
        key(write.name + String(write === till.insert)),
      )
      expect(first.headers['idempotency-replayed']).toBeUndefined()
      expect(again.headers['idempotency-replayed']).toBe('true')
      expect([again.status, again.text]).toEqual([first.status, first.text])
      for (const name of ['content-type', 'x-ignored-fields', 'x-added', 'cache-control'])
        expect(again.headers[name], name).toBe(first.headers[name])
    }
    expect(await till.records()).toEqual([expect.objectContaining({ Omsetning: 200 })])
    expect((await till.journal()).json.value).toHaveLength(2)
  })

  test('ADR 0015 works on every write', async () => {
    const till = await newTill(house)
    const { InntektsPlanId } = (await till.insert(row)).json
    const writes = [
      () => till.insert(row, {}, key('lagre')),
      () => till.update({ InntekstplanId: InntektsPlanId, Omsetning: 1 }, {}, key('oppdater')),
      () =>
        till.saveList([row, { InntekstplanId: InntektsPlanId, Omsetning: 2 }], {}, key('liste')),
      () => till.setPerDate([row], {}, key('dato')),
      () => till.accumulate([row], {}, key('aggsert')),
    ]
    for (const write of writes) {
      const first = await write()
      const after = await till.records({ $select: '*,SistEndretDato' })
      const again = await write()
      expect(again.status).toBe(200)
      expect(again.text).toBe(first.text)
      expect(await till.records({ $select: '*,SistEndretDato' })).toEqual(after)
    }
  })

  test('ADR 0015 a repeated delete returns the first reply, not 404', async () => {
    const till = await newTill(house)
    const first = (await till.insert(row)).json.InntektsPlanId
    const second = (await till.insert(row)).json.InntektsPlanId
    expect((await till.remove(first, key('slett'))).status).toBe(204)
    const again = await till.remove(first, key('slett'))
    expect([again.status, again.text]).toEqual([204, ''])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await till.remove(second, key('slett'))).json.error.code).toBe('IdempotencyKeyReused')
    expect((await till.remove(first)).status).toBe(404)
    expect((await till.remove(second, key('a b'))).json.error.code).toBe('IdempotencyKeyInvalid')
    expect(await till.idsWhere("AvdelingID eq '20'")).toEqual([second])
    expect((await till.journal()).json.value).toHaveLength(3)
  })

  test('ADR 0015 a failed delete stores no reply', async () => {
    const till = await newTill(house)
    expect((await till.remove(1, key('slett'))).status).toBe(404)
    expect((await till.insert(row)).json.InntektsPlanId).toBe(1)
    const done = await till.remove(1, key('slett'))
    expect(done.status).toBe(204)
    expect(done.headers['idempotency-replayed']).toBeUndefined()
  })

  test('ADR 0015 a repeat returns the first reply, not the current state', async () => {
    const till = await newTill(house)
    const first = await till.insert(row, {}, key('a'))
    await till.update({ InntekstplanId: first.json.InntektsPlanId, Omsetning: 9 })
    expect((await till.insert(row, {}, key('a'))).text).toBe(first.text)
  })

  test('ADR 0015 a reply too long to store is generated again from its records', async () => {
    const till = await newTill(house)
    const rows = Array.from({ length: 1000 }, (_, index) => ({ ...row, AvdelingID: `${index}` }))
    const first = await till.setPerDate(rows, {}, key('lang'))
    expect(first.text.length).toBeGreaterThan(64 * 1024)
    const again = await till.setPerDate(rows, {}, key('lang'))
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.json).toEqual(first.json)
    const xml = await till.setPerDate(rows, {}, { ...key('lang'), accept: 'application/xml' })
    expect(xml.text).toMatch(/^<\?xml/)
    expect(xml.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect((await till.journal({ $count: 'true', $top: '0' })).json['@odata.count']).toBe(1000)
  })

  test('ADR 0015 another body, URL or option under the same key is rejected with 422', async () => {
    const till = await newTill(house)
    await till.insert(row, {}, key('a'))
    const others = [
      await till.insert({ ...row, Omsetning: 1 }, {}, key('a')),
      await till.accumulate(row, {}, key('a')),
      await till.insert(row, { dryRun: 'true' }, key('a')),
      await till.insert(row, { atomic: 'false' }, key('a')),
    ]
    for (const answer of others) {
      expect(answer.status).toBe(422)
      expect(answer.json.error.code).toBe('IdempotencyKeyReused')
    }
    expect(await till.records()).toHaveLength(1)
  })

  test('ADR 0015 the same request in another letter case of its URL is a repeat', async () => {
    const till = await newTill(house)
    await till.insert(row, {}, key('a'))
    const again = await till.call('POST', '/DEV/omsetning/LAGRE', { json: row, headers: key('a') })
    expect(again.headers['idempotency-replayed']).toBe('true')
  })

  test('ADR 0015 keys of records are case-sensitive in the comparison of URLs', async () => {
    const till = await newTill(house)
    const department = (Id: string) => ({ Id, Navn: Id })
    await till.call('POST', '/ansatt/avdeling', { json: [department('Ab'), department('AB')] })
    for (const [one, other] of [
      ["/ansatt/avdeling('Ab')", "/ansatt/avdeling('AB')"],
      ['/ansatt/avdeling/Ab', '/ansatt/avdeling/AB'],
    ] as const) {
      const change = (path: string) =>
        till.call('PATCH', path, { json: { Navn: 'ny' }, headers: key(one) })
      expect((await change(one)).status).toBe(200)
      expect((await change(one.replace('avdeling', 'AVDELING'))).headers).toHaveProperty(
        'idempotency-replayed',
      )
      expect((await change(other)).json.error.code).toBe('IdempotencyKeyReused')
    }
    const named = (await till.call('GET', "/ansatt/avdeling('AB')")).json
    expect(named.navn).toBe('AB')
  })

  test('ADR 0015 fifty concurrent repeats execute once; the others replay or are told that it runs', async () => {
    const till = await newTill(house)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => till.accumulate(row, {}, key('samtidig'))),
    )
    expect(await till.records()).toEqual([expect.objectContaining({ Omsetning: 100 })])
    const done = answers.filter(
      ({ status, headers }) => status === 200 && headers['idempotency-replayed'] === undefined,
    )
    expect(done).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.text).toBe(done[0]?.text)
      else {
        expect(answer.status).toBe(409)
        expect(answer.json.error.code).toBe('IdempotencyInProgress')
        expect(answer.headers['retry-after']).toBe('1')
      }
    }
  })

  test('ADR 0015 the two keys of a rotation share stored replies, another owner does not', async () => {
    const company = await house.company('ROTASJON')
    const old = await house.credential(company, { owner: 'kasse' })
    const fresh = await house.credential(company, { owner: 'kasse' })
    const stranger = await house.credential(company, { owner: 'en annen' })
    const insert = (secret: string) =>
      house.call('POST', '/dev/Omsetning/Lagre', {
        as: null,
        json: row,
        headers: { 'tb-key': secret, ...key('a') },
      })
    const first = await insert(old.secret)
    expect((await insert(fresh.secret)).headers['idempotency-replayed']).toBe('true')
    const other = await insert(stranger.secret)
    expect(other.headers['idempotency-replayed']).toBeUndefined()
    expect(other.json.InntektsPlanId).not.toBe(first.json.InntektsPlanId)
  })

  test('ADR 0015 companies do not share Idempotency-Keys', async () => {
    const [one, other] = [await newTill(house), await newTill(house)]
    await one.insert(row, {}, key('felles'))
    const answer = await other.insert({ ...row, Omsetning: 1 }, {}, key('felles'))
    expect(answer.status).toBe(200)
    expect(answer.headers['idempotency-replayed']).toBeUndefined()
    expect(await other.records()).toHaveLength(1)
  })

  test('ADR 0015 a reply is stored for 30 days', async () => {
    const company = await house.company('TRETTI DAGER')
    const till = tillOf(house, company)
    const now = house.clock.now()
    house.clock.now = () => now
    await till.insert(row, {}, key('a'))
    house.clock.now = () => now + 30 * day
    expect((await till.insert(row, {}, key('a'))).headers['idempotency-replayed']).toBe('true')
    house.clock.now = () => now + 30 * day + 1
    const late = await till.insert(row, {}, key('a'))
    expect(late.headers['idempotency-replayed']).toBeUndefined()
    expect(await till.records()).toHaveLength(2)
    house.clock.now = () => Date.now() * 1000
  })

  test('ADR 0015 a rejected request stores no reply: it can be corrected and sent again', async () => {
    const till = await newTill(house)
    expect((await till.insert({ ...row, Dato: 'x' }, {}, key('a'))).status).toBe(400)
    expect((await till.update({ InntekstplanId: 1, Omsetning: 1 }, {}, key('a'))).status).toBe(404)
    expect((await till.insert(row, {}, key('a'))).status).toBe(200)
    expect(await till.records()).toHaveLength(1)
  })

  test('ADR 0015 stored replies are in the database and survive a restart', async () => {
    const till = await newTill(house)
    const first = await till.accumulate(row, {}, key('a'))
    const twin = await house.twin()
    const again = await tillOf(twin, till.company).accumulate(row, {}, key('a'))
    await twin.close()
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
  })

  test.each(['', ' ', 'a b', 'ø', 'x'.repeat(256), 'a\tb'])(
    'ADR 0015 "%s" is not a valid key',
    async (value) => {
      const till = await newTill(house)
      const answer = await till.insert(row, {}, key(value))
      expect(answer.status).toBe(400)
      expect(answer.json.error).toMatchObject({
        code: 'IdempotencyKeyInvalid',
        target: 'header:Idempotency-Key',
      })
      expect(await till.records()).toEqual([])
    },
  )

  test('ADR 0015 any visible ASCII of 1 to 255 characters is a valid key', async () => {
    const till = await newTill(house)
    for (const value of ['0', 'x'.repeat(255), `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`])
      expect((await till.insert(row, {}, key(value))).status).toBe(200)
    expect(await till.records()).toHaveLength(3)
  })

  test('ADR 0015 XML is replayed as XML', async () => {
    const till = await newTill(house)
    const headers = { ...key('xml'), accept: 'application/xml' }
    const first = await till.insert(row, {}, headers)
    const again = await till.insert(row, {}, headers)
    expect(again.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(again.text).toBe(first.text)
  })
})
