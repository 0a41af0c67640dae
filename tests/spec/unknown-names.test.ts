// Unknown names in bodies and queries: rejected where they are probably mistakes, reported otherwise.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { usage } from '../support/material-client.ts'
import { expectStatus } from '../support/replies.ts'
import { useTestServer, type TestReply, type TestCompany } from '../support/server.ts'
import { useRevenueClient, newRevenueClient } from '../support/revenue-client.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }
const xml = { 'content-type': 'application/xml', accept: 'application/json' }

/** The error of a list's only invalid row, and of a single object. */
function problemOf({ status, json, text }: TestReply) {
  expect(status, text).toBe(400)
  const { code, target, message } = json.error.details?.[0] ?? json.error
  return { code, target, message }
}

describe.each(databases)('unknown names on $name', (database) => {
  const server = useTestServer(database, 'unknown_names')
  const revenueClient = useRevenueClient(server)

  describe('annotations', () => {
    let company: TestCompany
    const call = (method: string, address: string, json?: unknown) =>
      server.call(method, address, { as: company, json })
    beforeAll(async () => {
      company = await server.addCompany('ANNOTATIONS')
    })

    test('other annotations of OData clients are ignored', async () => {
      const body = {
        '@odata.type': '#Dagsverk.Ansatt',
        '@odata.id': 'Ansatt(2)',
        '@odata.etag': 'W/"1"',
        '@odata.context': '$metadata#Ansatt/$entity',
        'Fornavn@odata.type': '#String',
        Fornavn: 'B',
      }
      const reply = await expectStatus(call('POST', '/odata/Ansatt?dryRun=true', body), 201)
      expect(reply.json.Fornavn).toBe('B')
      const revenueClient = await newRevenueClient(server)
      const revenue = await revenueClient.insert({ ...row, 'Omsetning@odata.type': '#Decimal' })
      expect(revenue.json.Omsetning).toBe(100)
      expect(revenue.headers['x-ignored-fields']).toBe('Omsetning%40odata.type')
    })

    test.each<[name: string, value: unknown, code: string]>([
      ['@odata.type', '#Dagsverk.Prosjekt', 'InvalidValue'],
      ['@odata.type', '#Annet.Avdeling', 'InvalidValue'],
      ['@type', 'Prosjekt', 'InvalidValue'],
      ['@odata.type', 5, 'InvalidValue'],
      ['@odata.removed', { reason: 'deleted' }, 'NotSupported'],
      ['@removed', {}, 'NotSupported'],
    ])('a record of another type, or a deleted one, is rejected: %s %j', async (...given) => {
      const [name, value, code] = given
      const stored = await call('PUT', '/odata/Avdeling', [{ Id: '10', Navn: 'A' }])
      const record = { Id: '10', Navn: 'B', [name]: value }
      const replies = [
        await call('POST', '/odata/Avdeling', { ...record, Id: '11' }),
        await call('PATCH', "/odata/Avdeling('10')", record),
        await call('PUT', '/odata/Avdeling', [record]),
        await call('POST', '/odata/Transaksjon', { ...usage, [name]: value }),
        await call('POST', '/prosjekt/Transaksjon/Batch', [{ ...usage, [name]: value }]),
      ]
      for (const reply of replies) {
        const { error } = reply.json
        const found = error.details?.[0] ?? error
        expect(found.code, reply.text).toBe(code)
        expect(found.target).toMatch(new RegExp(`^(\\[0\\]\\.)?${name}$`))
      }
      expect((await call('GET', '/odata/Avdeling')).json.value).toMatchObject(stored.json)
      expect((await call('GET', '/odata/Transaksjon')).json.value).toEqual([])
    })

    test.each(['#Dagsverk.Avdeling', 'dagsverk.avdeling', 'http://a/$metadata#Dagsverk.Avdeling'])(
      'the type of the set may be named: %s',
      async (type) => {
        const body = { Id: '12', '@odata.type': type, '@type': type }
        await expectStatus(call('POST', '/odata/Avdeling?dryRun=true', body), 201)
      },
    )
  })

  describe('revenue bodies', () => {
    test('a misspelled field is rejected by name, in the language of the caller', async () => {
      const { message } = problemOf(await revenueClient.insert({ ...row, OmsetningEksMva: 80 }))
      expect(message).toBe('There is no field "OmsetningEksMva". Did you mean "Omsetning"?')
      const norwegian = await revenueClient.insert({ ...row, Datoo: '' }, {}, { 'accept-language': 'nb' })
      expect(problemOf(norwegian).message).toBe('Feltet «Datoo» finnes ikke. Mente du «Dato»?')
      expect(await revenueClient.records()).toEqual([])
    })

    test('an Id with a value is the key, and one without a value is ignored', async () => {
      const { InntektsPlanId: key } = (await revenueClient.insert(row)).json
      const { message } = problemOf(await revenueClient.saveList([{ Id: key, Omsetning: 200 }]))
      expect(message).toBe('There is no field "Id". Did you mean "InntekstplanId"?')
      expect(await revenueClient.records()).toHaveLength(1)
      for (const id of [null, 0, '', '0']) {
        const reply = await revenueClient.saveList([{ ...row, Id: id }])
        expect([id, reply.status, reply.headers['x-ignored-fields']]).toEqual([id, 200, 'Id'])
      }
      const inXml = await revenueClient.insert(
        '<r><Id></Id><AvdelingID>1</AvdelingID><Omsetning>5</Omsetning></r>',
        {},
        xml,
      )
      expect(inXml.status).toBe(200)
    })

    test('a new record with an unknown field but no amount is rejected, naming both', async () => {
      const foreign = { Dato: '2024-05-01', AvdelingID: '20', Belop: 5, Kasse: 'A' }
      const message = 'Omsetning is required. Unknown names: Belop, Kasse.'
      expect(problemOf(await revenueClient.insert(foreign)).message).toBe(message)
      expect(problemOf(await revenueClient.setPerDate([foreign])).message).toBe(message)
      expect(problemOf(await revenueClient.accumulate(foreign)).message).toBe(message)
      const norwegian = await revenueClient.saveList([foreign], {}, { 'accept-language': 'nb' })
      expect(problemOf(norwegian)).toEqual({
        code: 'MissingField',
        target: '[0].Omsetning',
        message: 'Omsetning er påkrevd. Ukjente navn: Belop, Kasse.',
      })
      expect(await revenueClient.records()).toEqual([])
    })

    test('a new record without an amount is stored if all its names are known or its unknown fields are empty', async () => {
      const known = { Dato: '2024-05-01', AvdelingID: '20' }
      for (const more of [{}, { Belop: null }, { '@odata.type': 'x' }, { SistEndretDato: 'x' }])
        expect((await revenueClient.insert({ ...known, ...more })).status).toBe(200)
      expect(await revenueClient.records()).toHaveLength(4)
    })

    test('an update may contain unknown fields, and leaves the amount unchanged', async () => {
      const { InntektsPlanId: key } = (await revenueClient.insert(row)).json
      const reply = await revenueClient.update({ InntekstplanId: key, Merknad: 'x', Belop: 5 })
      expect(reply.json).toMatchObject({ Omsetning: 100, Merknad: 'x' })
      expect(reply.headers['x-ignored-fields']).toBe('Belop')
    })

    test('a misspelled field is rejected after any number of unknown fields', async () => {
      const many = Object.fromEntries(Array.from({ length: 1100 }, (_, at) => [`felt${at}`, 1]))
      const { code } = problemOf(await revenueClient.insert({ ...many, ...row, Merknd: 'x' }))
      expect(code).toBe('UnknownField')
      expect(await revenueClient.records()).toEqual([])
    })

    test('unknown names that resemble no field are ignored and reported', async () => {
      const reply = await expectStatus(revenueClient.insert({ ...row, Belop: 5, Oms: 1, AvdelingNavn: 'Kafé' }))
      expect(reply.headers['x-ignored-fields']).toBe('Belop, Oms, AvdelingNavn')
    })

    test('a record can be sent back as it was read, with timestamps and both spellings of the key', async () => {
      await revenueClient.saveList([row, row])
      const read = await revenueClient.records({ $select: '*,SistEndretDato,OpprettetDato' })
      const reply = await expectStatus(revenueClient.saveList(read))
      expect(reply.headers['x-ignored-fields']).toBe('SistEndretDato, OpprettetDato')
      const [{ InntektsPlanId: key }] = read
      expect((await revenueClient.update({ InntektsPlanId: key, Omsetning: 7 })).status).toBe(200)
      expect(await revenueClient.records()).toMatchObject([{ Omsetning: 7 }, { Omsetning: 100 }])
    })

    test('with atomic=false the valid rows of a list are stored, and each invalid one is reported', async () => {
      const rows = [row, { ...row, Omsetn: 5 }, { Id: 1, Omsetning: 5 }, { Dato: row.Dato, Sum: 5 }]
      const { status, json } = await revenueClient.saveList(rows, { atomic: 'false' })
      expect(status).toBe(200)
      expect(json.resultater).toMatchObject([
        { code: 'inserted' },
        { code: 'UnknownField', target: '[1].Omsetn' },
        { code: 'UnknownField', target: '[2].Id' },
        { code: 'MissingField', target: '[3].Omsetning' },
      ])
      expect(await revenueClient.records()).toHaveLength(1)
    })

    test('a dry run is rejected as the call would be', async () => {
      const reply = await revenueClient.insert({ ...row, Omsetn: 5 }, { dryRun: 'true' })
      expect(problemOf(reply).code).toBe('UnknownField')
    })

    test('a row of a hundred unknown fields is checked to the last', async () => {
      const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 1]))
      const { target } = problemOf(await revenueClient.setPerDate([row, { ...row, ...wide, Omsetn: 5 }]))
      expect(target).toBe('[1].Omsetn')
      expect((await revenueClient.setPerDate([{ ...row, ...wide }])).status).toBe(200)
    })
  })

  describe('query parameters', () => {
    test('unknown parameters are ignored on every method and reported', async () => {
      const cached = '_=1712345&utm_source=x&@p=1'
      const call = async (method: string, address: string, json?: unknown) => {
        const reply = await revenueClient.call(method, `${address}?${cached}`, { json })
        expect(reply.status, reply.text).toBeLessThan(300)
        return reply
      }
      // With query options `@p` is a parameter alias.
      const repliesWithOptions = [
        await call('POST', '/odata/Avdeling', { Id: 'a' }),
        await call('PATCH', "/odata/Avdeling('a')", { Navn: 'A' }),
        await call('PUT', '/odata/Avdeling', [{ Id: 'a' }]),
      ]
      for (const { headers } of repliesWithOptions) expect(headers['x-ignored-parameters']).toBe('_, utm_source')
      const replies = [
        await call('POST', '/dev/Omsetning/Lagre', row),
        await call('POST', '/dev/Omsetning/AggsertOmsetning', row),
        await call('DELETE', '/omsetning/Omsetning(1)'),
        await call('DELETE', "/odata/Avdeling('a')"),
        await call('POST', '/prosjekt/Transaksjon/Batch', [usage]),
        await call('POST', '/prosjekt/Transaksjon/Godkjenn', { ids: [1] }),
        await call('POST', '/prosjekt/TransaksjonsEksport/Avstem', { ids: [1] }),
        await call('POST', '/prosjekt/Transaksjonseksport/Eksportert', { ids: [1] }),
      ]
      for (const { headers } of replies) expect(headers['x-ignored-parameters']).toBe('_, utm_source, %40p')
    })

    test('unknown parameters may differ in a repeat with the same Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'k-1' }
      const first = await revenueClient.insert(row, { _: '1' }, headers)
      const again = await revenueClient.insert(row, { _: '2' }, headers)
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
      expect(await revenueClient.records()).toHaveLength(1)
    })

    test.each([
      ['POST', '/dev/Omsetning/Lagre?$select=Dato', '$select'],
      ['DELETE', "/odata/Avdeling('a')?dryRun=true", 'dryRun'],
      ['POST', '/odata/$batch?dryRun=true', 'dryRun'],
      ['POST', '/prosjekt/TransaksjonsEksport/Batch?dry_run=true', 'dry_run'],
    ])(
      'mistyped parameters, and dryRun or atomic where they do not apply, are rejected: %s %s',
      async (method, address, name) => {
        const reply = await revenueClient.call(method, address, method === 'POST' ? { json: row } : {})
        expect(problemOf(reply)).toMatchObject({ code: 'UnknownQueryOption', target: name })
        expect(await revenueClient.records()).toEqual([])
      },
    )
  })
})
