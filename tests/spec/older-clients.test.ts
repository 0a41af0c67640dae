// ADR 0008: requests of older clients, in the formats and spellings of their libraries.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectStatus } from '../support/replies.ts'
import { useTestServer } from '../support/server.ts'
import { useRevenueClient, addressOf, newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { sendRaw } from '../support/socket.ts'
import { members, readXml } from '../support/xml.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }
const rowXml = '<Dato>2024-05-01</Dato><AvdelingID>20</AvdelingID><Omsetning>100</Omsetning>'
const xml = { 'content-type': 'application/xml' }

describe.each(databases)('older clients on $name', (database) => {
  const server = useTestServer(database, 'older_clients')
  const revenueClient = useRevenueClient(server)

  describe('HTTP/1.0', () => {
    let address: string
    beforeAll(async () => {
      address = await server.http.listen(0, '127.0.0.1')
    })
    const send = (lines: readonly string[], body = '') =>
      sendRaw(address, `${[...lines, `tb-key: ${server.tenantA.key}`].join('\r\n')}\r\n\r\n${body}`)

    test('a request without Host is served, and a URL in the reply has the address that was called', async () => {
      const body = JSON.stringify(row)
      const inserted = await send(
        ['POST /dev/Omsetning/Lagre HTTP/1.0', 'Content-Type: application/json', `Content-Length: ${body.length}`],
        body,
      )
      expect([inserted.status, JSON.parse(inserted.text)]).toEqual([200, expect.objectContaining({ Omsetning: 100 })])
      const found = await send(['GET /dev/Omsetning/Finn HTTP/1.0'])
      expect([found.status, JSON.parse(found.text)]).toEqual([200, [expect.objectContaining({ Omsetning: 100 })]])
      const set = await send(['GET /odata/Avdeling HTTP/1.0'])
      expect(JSON.parse(set.text)).toMatchObject({ '@odata.context': `${address}/odata/$metadata#Avdeling` })
    })

    test('a Host that is sent must be one of the server, and HTTP/1.1 must send one', async () => {
      const refused = await send(['GET /dev/Omsetning/Finn HTTP/1.0', 'Host: evil.example'])
      expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([421, 'HostNotAllowed'])
      const missing = await send(['GET /dev/Omsetning/Finn HTTP/1.1', 'Connection: close'])
      expect([missing.status, JSON.parse(missing.text).error.code]).toEqual([400, 'MalformedRequest'])
    })
  })

  describe('formats', () => {
    test('a caller that sends XML gets JSON unless it prefers XML, and errors in XML', async () => {
      for (const accept of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
        const reply = await revenueClient.insert(`<r>${rowXml}</r>`, {}, { ...xml, ...accept })
        expect(reply.json).toMatchObject({ Omsetning: 100 })
      }
      const refused = await revenueClient.insert('<r><Omsetning>x</Omsetning></r>', {}, xml)
      expect(members(readXml(refused.text))).toMatchObject({ code: 'InvalidNumber' })
    })

    test('text/json is JSON, in bodies and in Accept', async () => {
      const type = { 'content-type': 'text/json; charset=utf-8', accept: 'text/json' }
      const reply = await revenueClient.insert(row, {}, type)
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
      const accept = { accept: 'text/json, application/xml;q=0.5' }
      expect((await revenueClient.find({}, accept)).json).toHaveLength(1)
      const set = await revenueClient.call('GET', '/odata/Avdeling', { headers: { accept: 'text/json' } })
      expect([set.status, set.json.value]).toEqual([200, []])
      const employee = await revenueClient.call('POST', '/odata/Ansatt', {
        body: '{"Fornavn":"Kari"}',
        headers: { 'content-type': 'text/json' },
      })
      expect([employee.status, employee.json.Fornavn]).toEqual([201, 'Kari'])
    })

    test.each([
      ['json', 'application/xml', 'json'],
      ['JSON', 'text/xml', 'json'],
      ['xml', 'application/json', 'xml'],
      ['application/xml', 'application/json', 'xml'],
      ['application/json;odata=verbose', 'application/xml', 'json'],
    ])('$format=%s on Finn overrides Accept: %s and gives %s', async (named, accept, format) => {
      await revenueClient.insert(row)
      const reply = await revenueClient.find({ $format: named }, { accept })
      expect([reply.status, reply.headers['content-type']]).toEqual([200, `application/${format}; charset=utf-8`])
      expect(reply.text).toContain('2024-05-01')
    })

    test('another $format on Finn is rejected with the available ones', async () => {
      const reply = await revenueClient.find({ format: 'atom' })
      expect([reply.status, reply.json.error]).toEqual([
        400,
        expect.objectContaining({
          code: 'InvalidQueryOption',
          target: '$format',
          message: '$format has an invalid value: must be one of json, xml.',
        }),
      ])
    })
  })

  describe('literals', () => {
    let revenueClient: RevenueClient
    beforeAll(async () => {
      revenueClient = await newRevenueClient(server)
      await revenueClient.saveList([
        { ...row, Omsetning: 12.5 },
        { ...row, Dato: '2024-05-02', Omsetning: -64 },
        { ...row, Dato: '2024-05-03', Omsetning: 1000 },
      ])
    })

    test.each([
      ["Dato eq datetime'2024-05-02'", [2]],
      ["Dato eq datetime('2024-05-02')", [2]],
      ["Dato gt datetime'2024-05-02T00:00:00'", [3]],
      ["DATETIME'2024-05-02' gt Dato", [1]],
      ["Dato in (datetime'2024-05-01',datetime('2024-05-03'))", [1, 3]],
      ["SistEndretDato lt datetime'1999-01-01'", []],
      ["date(SistEndretDato) gt datetime'1999-01-01'", [1, 2, 3]],
    ])('dates of OData 2 are read on every service root, as by Finn: %s', async ($filter, ids) => {
      expect(await revenueClient.idsWhere($filter)).toEqual(ids)
      for (const root of ['omsetning', 'odata', 'ansatt', 'prosjekt']) {
        const query = { $filter, $orderby: 'InntektsPlanId' }
        const reply = await expectStatus(revenueClient.call('GET', addressOf(`/${root}/Omsetning`, query)))
        const found = reply.json.value.map(({ InntektsPlanId }: { InntektsPlanId: number }) => InntektsPlanId)
        expect([root, found]).toEqual([root, ids])
      }
    })

    test('a datetime that is no date is rejected on a service root too, with its column', async () => {
      const address = addressOf('/odata/Omsetning', { $filter: "Dato eq datetime'hei'" })
      const reply = await revenueClient.call('GET', address)
      expect([reply.status, reply.json.error.code, reply.json.error.target]).toEqual([
        400,
        'InvalidFilter',
        '$filter:17',
      ])
    })

    test.each([
      ['Omsetning eq 12.5M', [1]],
      ['Omsetning eq 12.5m', [1]],
      ['Omsetning eq 12.50d', [1]],
      ['Omsetning eq 1.25e1D', [1]],
      ['Omsetning eq 12.5f', [1]],
      ['Omsetning eq 12.5F', [1]],
      ['Omsetning eq -64L', [2]],
      ['Omsetning gt 64l', [3]],
      ['InntektsPlanId eq 3L', [3]],
      ['InntektsPlanId in (1L,2L,7L)', [1, 2]],
      ['Omsetning mul 2m eq 25M', [1]],
      ['12.5M eq Omsetning and 1L eq 1', [1]],
    ])('Finn reads the number suffixes of OData 2: %s', async ($filter, ids) => {
      expect(await revenueClient.idsWhere($filter)).toEqual(ids)
      // A repeated query, whose plan may be cached, finds the same.
      expect(await revenueClient.idsWhere($filter)).toEqual(ids)
    })

    test.each(['12.5x', '12.5MM', 'M', '12.5 M', '0x10', '2024-05-01d'])(
      'Finn rejects other suffixes: %s',
      async (number) => {
        await expectStatus(revenueClient.find({ $filter: `Omsetning eq ${number}` }), 400)
      },
    )
  })

  describe('departments as numbers', () => {
    test('a department that is sent as a number, in JSON or typed XML, is the department of its digits', async () => {
      await revenueClient.setPerDate([{ ...row, AvdelingID: '10' }])
      const body = (department: string) => `[{"Dato":"2024-05-01","AvdelingID":${department},"Omsetning":5}]`
      for (const department of ['10', '10.0', '10.000', '1e1', '1.0E+1'])
        expect((await revenueClient.setPerDate(body(department))).status).toBe(200)
      const type = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xsd:decimal"'
      const typed = `<l><r><Dato>2024-05-01</Dato><AvdelingID ${type}>10.0</AvdelingID><Omsetning>7</Omsetning></r></l>`
      expect((await revenueClient.setPerDate(typed, {}, xml)).status).toBe(200)
      expect(await revenueClient.records()).toMatchObject([{ AvdelingID: '10', Omsetning: 7 }])
    })

    test('a department that is sent as text is compared byte for byte, in JSON and in XML', async () => {
      await revenueClient.setPerDate([
        { ...row, AvdelingID: '10' },
        { ...row, AvdelingID: '10.0' },
      ])
      const body = `<l><r>${rowXml.replace('>20<', '>010<')}</r></l>`
      await revenueClient.setPerDate(body, {}, xml)
      const stored = await revenueClient.records({ $select: 'AvdelingID' })
      expect(stored.map(({ AvdelingID }) => AvdelingID)).toEqual(['10', '10.0', '010'])
    })
  })
})
