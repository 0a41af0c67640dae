// Interface 4: XML in requests and replies of every revenue endpoint.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectStatus } from '../support/replies.ts'
import { useTestServer, type TestReply } from '../support/server.ts'
import { useRevenueClient, newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { revenueRecord } from '../support/revenue-record.ts'
import { members, readXml } from '../support/xml.ts'

const json = { accept: 'application/json' }
const xml = { 'content-type': 'application/xml', accept: 'application/xml' }
const row = '<Dato>2024-05-01T00:00:00</Dato><AvdelingID>007</AvdelingID><Omsetning>12.50</Omsetning>'
const one = `<Omsetning>${row}</Omsetning>`
const many = `<ArrayOfOmsetning>${one}</ArrayOfOmsetning>`

/** The records of an XML reply. */
function rowsOf(reply: TestReply) {
  expect(reply.status, reply.text).toBe(200)
  expect(reply.headers['content-type']).toBe('application/xml; charset=utf-8')
  const root = readXml(reply.text)
  expect(root.name).toBe('ArrayOfOmsetning')
  for (const { name } of root.children) expect(name).toBe('Omsetning')
  return root.children.map(members)
}

/** A record with its values as text. */
function inText(record: Record<string, string | number | null>) {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, value === null ? null : String(value)]),
  )
}

describe.each(databases)('XML on $name', (database) => {
  const server = useTestServer(database, 'xml')
  const revenueClient = useRevenueClient(server)

  /** Sends XML, returns the first stored record as JSON. */
  const sent = async (revenueClient: RevenueClient, body: string | Buffer, contentType = 'application/xml') =>
    (await expectStatus(revenueClient.insert(body, {}, { ...json, 'content-type': contentType }))).json

  const refused = async (revenueClient: RevenueClient, body: string | Buffer, contentType = 'application/xml') => {
    const reply = await expectStatus(revenueClient.insert(body, {}, { ...json, 'content-type': contentType }), 400)
    expect(await revenueClient.records()).toEqual([])
    return reply.json.error.code
  }

  describe('replies', () => {
    test('4 Finn returns ArrayOfOmsetning, null as xsi:nil, fields in the order of section 2.1', async () => {
      const element = (values: Parameters<typeof revenueRecord>[0]) => {
        const members = Object.entries(revenueRecord(values)).map(([name, value]) =>
          value === null ? `<${name} xsi:nil="true"/>` : `<${name}>${value}</${name}>`,
        )
        return `<Omsetning>${members.join('')}</Omsetning>`
      }
      const revenueClient = await newRevenueClient(server)
      await revenueClient.saveList([
        { Dato: '2024-05-01', AvdelingID: '007', Omsetning: -0.5, Merknad: 'a < b & "c" > d' },
        { ipType: 'I' },
      ])
      const reply = await revenueClient.find({}, { accept: 'application/xml' })
      expect(reply.text).toBe(
        '<?xml version="1.0" encoding="utf-8"?>' +
          '<ArrayOfOmsetning xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
          element({
            InntektsPlanId: 1,
            Dato: '2024-05-01T00:00:00',
            ipType: 'I',
            AvdelingID: '007',
            Omsetning: -0.5,
            Merknad: 'a &lt; b &amp; "c" &gt; d',
          }) +
          element({ InntektsPlanId: 2, ipType: 'I' }) +
          '</ArrayOfOmsetning>',
      )
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store, no-cache', pragma: 'no-cache' })
    })

    test('4 every write replies in XML: the record, or the array of them', async () => {
      const single = [
        await revenueClient.insert(one, {}, xml),
        await revenueClient.update('<x><InntekstplanId>1</InntekstplanId><Omsetning>3</Omsetning></x>', {}, xml),
        await revenueClient.accumulate(`<AggsertOmsetning>${row}</AggsertOmsetning>`, {}, xml),
      ]
      expect(single.map(({ text }) => readXml(text)).map((root) => [root.name, members(root)['Omsetning']])).toEqual([
        ['Omsetning', '12.5'],
        ['Omsetning', '3'],
        ['Omsetning', '15.5'],
      ])
      const lists = [
        await revenueClient.setPerDate(many, {}, xml),
        await revenueClient.saveList(many, {}, xml),
        await revenueClient.accumulate(many, {}, xml),
      ]
      expect(lists.map((reply) => rowsOf(reply).map(({ Omsetning }) => Omsetning))).toEqual([
        ['12.5'],
        ['12.5'],
        ['25'],
      ])
    })

    test('4 results of a partial list, and a dry run', async () => {
      const bad = `<r><o>${row}</o><o><Dato>x</Dato></o></r>`
      const reply = await revenueClient.saveList(bad, { atomic: 'false' }, xml)
      const [results, counts] = readXml(reply.text).children
      expect(results?.children.map(members).map(({ index, code }) => [index, code])).toEqual([
        ['0', 'inserted'],
        ['1', 'InvalidDate'],
      ])
      expect(counts && members(counts)).toEqual({ inserted: '1', InvalidDate: '1' })
      const dry = await revenueClient.insert(one, { dryRun: 'true' }, xml)
      expect(members(readXml(dry.text))['InntektsPlanId']).toBe(null)
    })

    test('4 has the same content as JSON', async () => {
      await revenueClient.saveList(
        Array.from({ length: 300 }, (_, index) => ({
          Dato: `2024-01-${String(1 + (index % 31)).padStart(2, '0')}`,
          AvdelingID: index % 7 === 0 ? null : `å${index}`,
          Omsetning: index % 5 === 0 ? null : index / 8,
          Merknad: index % 3 === 0 ? null : `linje ${index}\nto\t\r]]> \u00a0 😀`,
        })),
      )
      const query = { $orderby: 'Omsetning desc', $select: '*,SistEndretDato', $skip: '3' }
      const asXml = rowsOf(await revenueClient.find(query, { accept: 'text/xml' }))
      const asJson = await revenueClient.records(query)
      expect(asXml).toEqual(asJson.map(inText))
    })

    test.each([
      ['application/xml', true],
      ['text/xml', true],
      ['APPLICATION/XML; charset=utf-8', true],
      ['application/xml, application/json;q=0.9', true],
      ['application/json;q=0.5, text/xml', true],
      ['application/xml, application/json', false],
      ['application/json', false],
      ['*/*', false],
      ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
      ['text/csv', false],
      ['application/xml;q=0', false],
      ['image/png, application/xml;q=0.1', true],
      ['', false],
      ['; ; ,', false],
    ])('4 Accept: %s gets XML: %s', async (accept, isXml) => {
      const reply = await expectStatus(server.call('GET', '/dev/Omsetning/Finn', { headers: { accept } }))
      expect(reply.headers['content-type']).toBe(`application/${isXml ? 'xml' : 'json'}; charset=utf-8`)
    })
  })

  describe('requests', () => {
    test('4 elements are read by local name, in any order and letter case, under any root', async () => {
      const expected = { Dato: '2024-05-01T00:00:00', AvdelingID: '007', Omsetning: 12.5 }
      for (const body of [
        one,
        `<?xml version="1.0" encoding="utf-8"?>\r\n${one}\n`,
        `<anything xmlns="http://schemas.example/x">${row}</anything>`,
        `<a:Omsetning xmlns:a="urn:x"><a:Omsetning>12.5</a:Omsetning><a:AVDELINGID>007</a:AVDELINGID><a:dato> 2024-05-01 </a:dato></a:Omsetning>`,
        `<r><!-- kasse 1 --><Omsetning><![CDATA[12.5]]></Omsetning><AvdelingID>&#48;07</AvdelingID><Dato>2024-05-01</Dato></r>`,
        `\ufeff${one}`,
      ])
        expect(await sent(revenueClient, body)).toMatchObject(expected)
      expect(await sent(revenueClient, one, 'text/xml; charset="utf-8"')).toMatchObject(expected)
    })

    test('4 a list is read under any root, from elements of any name', async () => {
      for (const body of [many, `<liste><rad>${row}</rad></liste>`, `<a:x xmlns:a="urn:x"><a:y>${row}</a:y></a:x>`]) {
        const reply = await revenueClient.setPerDate(body, {}, { ...xml, ...json })
        expect(reply.json).toEqual([expect.objectContaining({ AvdelingID: '007', Omsetning: 12.5 })])
      }
      for (const empty of ['<ArrayOfOmsetning/>', '<r></r>', '<r>\n</r>'])
        expect((await revenueClient.saveList(empty, {}, { ...xml, ...json })).text).toBe('[]')
    })

    test('4 AggsertOmsetning accepts an object or a list', async () => {
      const referenced = `<o>${row}<Referanse>bong 1</Referanse></o>`
      expect((await revenueClient.accumulate(referenced, {}, { ...xml, ...json })).json.Omsetning).toBe(12.5)
      const list = await revenueClient.accumulate(`<r>${referenced}${one}</r>`, {}, { ...xml, ...json })
      expect(list.headers['x-added']).toBe('1 of 2')
      expect(list.json.map(({ Omsetning }: { Omsetning: number }) => Omsetning)).toEqual([25, 25])
    })

    test('4 text is stored unchanged; numbers and dates may have spaces around them', async () => {
      const stored = await sent(
        revenueClient,
        '<r><AvdelingID> 7 </AvdelingID><Merknad>  a &lt; b\r\nc </Merknad><Omsetning>\n 1.5\n</Omsetning></r>',
      )
      expect(stored).toMatchObject({ AvdelingID: ' 7 ', Merknad: '  a < b\nc ', Omsetning: 1.5 })
    })

    test('4 xsi:nil is null, and an empty element clears Merknad', async () => {
      await sent(revenueClient, `<o>${row}<Merknad>x</Merknad></o>`)
      const change = async (inside: string) =>
        (await revenueClient.update(`<o><InntekstplanId>1</InntekstplanId>${inside}</o>`, {}, { ...xml, ...json })).json
      const nil = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"'
      expect(await change(`<Omsetning>1</Omsetning><Merknad ${nil}/>`)).toMatchObject({ Omsetning: 1, Merknad: 'x' })
      expect(await change('<Merknad/>')).toMatchObject({ Merknad: null })
    })

    test('4 a reply can be sent back as a request', async () => {
      await revenueClient.saveList([
        { Dato: '2024-05-01', AvdelingID: '007', Omsetning: 1, Merknad: '<&>' },
        { Merknad: 'x' },
      ])
      const before = await revenueClient.find({}, { accept: 'application/xml' })
      const again = await revenueClient.saveList(before.text, {}, xml)
      expect(again.text).toBe(before.text)
    })

    test('4 unknown elements are ignored and reported', async () => {
      const reply = await revenueClient.insert(
        `<o>${row}<Firma>x</Firma><ns:Ekstra xmlns:ns="urn:x"><dyp/></ns:Ekstra></o>`,
        {},
        { ...xml, ...json },
      )
      expect(reply.status).toBe(200)
      expect(reply.headers['x-ignored-fields']).toBe('Firma, Ekstra')
    })

    test.each([
      ['<!DOCTYPE r SYSTEM "http://192.0.2.1/x.dtd"><r/>', 'XmlNotAllowed'],
      ['<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><r><Merknad>&b;</Merknad></r>', 'XmlNotAllowed'],
      ['<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r><Merknad>&x;</Merknad></r>', 'XmlNotAllowed'],
      ['<?xml-stylesheet href="x.xsl"?><r/>', 'XmlNotAllowed'],
      ['<r><?php echo 1 ?></r>', 'XmlNotAllowed'],
      [`${'<a>'.repeat(9)}x${'</a>'.repeat(9)}`, 'XmlNotAllowed'],
      ['<a>'.repeat(100_000), 'XmlNotAllowed'],
      ['<r><Merknad>&ukjent;</Merknad></r>', 'MalformedXml'],
      ['<r><Merknad>&#0;</Merknad></r>', 'MalformedXml'],
      ['<r><Merknad>\u0001</Merknad></r>', 'MalformedXml'],
      ['<r><Merknad></r>', 'MalformedXml'],
      ['<r></R>', 'MalformedXml'],
      ['<r/><r/>', 'MalformedXml'],
      ['<r a=1/>', 'MalformedXml'],
      ['{"Omsetning":1}', 'MalformedXml'],
      ['<', 'MalformedXml'],
      ['', 'EmptyBody'],
      ['  \n ', 'EmptyBody'],
      ['<?xml version="1.0" encoding="iso-8859-1"?><r/>', 'MalformedXml'],
      [many, 'InvalidBodyType'],
    ])('4 %s is rejected with %s', async (body, code) => {
      expect(await refused(await newRevenueClient(server), body)).toBe(code)
    })

    test('4 bytes that are not UTF-8 are rejected, whatever the declaration says', async () => {
      expect(await refused(revenueClient, Buffer.from('<r><Merknad>\xe5</Merknad></r>', 'latin1'))).toBe('InvalidUtf8')
      expect(
        await refused(revenueClient, Buffer.from('<?xml version="1.0" encoding="utf-16"?><r/>', 'utf16le')),
      ).not.toBe(undefined)
    })

    test('4 one object where a list is expected is rejected', async () => {
      const reply = await revenueClient.saveList(one, {}, { ...xml, ...json })
      expect(reply.json.error.code).toBe('InvalidBodyType')
      expect(await revenueClient.records()).toEqual([])
    })

    test('4 invalid rows are reported with their position', async () => {
      const body = `<r><o>${row}</o><o><Dato>2024-02-30</Dato></o><o><Omsetning>12,5</Omsetning></o><o><Dato><dyp/></Dato></o></r>`
      const reply = await revenueClient.saveList(body, {}, { ...xml, ...json })
      expect(reply.json.error).toMatchObject({
        code: 'InvalidRows',
        details: [
          { code: 'InvalidDate', target: '[1].Dato' },
          { code: 'InvalidNumber', target: '[2].Omsetning' },
          { code: 'InvalidType', target: '[3].Dato' },
        ],
      })
      expect(await revenueClient.records()).toEqual([])
    })

    test('4 a list of a thousand elements is accepted', async () => {
      const body = `<r>${Array.from({ length: 1000 }, (_, index) => `<o><Omsetning>${index}</Omsetning></o>`).join('')}</r>`
      const rows = rowsOf(await revenueClient.saveList(body, {}, xml))
      expect(rows.map(({ Omsetning }) => Omsetning)).toEqual(Array.from({ length: 1000 }, (_, index) => String(index)))
    })
  })
})
