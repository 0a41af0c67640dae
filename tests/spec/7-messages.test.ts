// Interface 7 and 8: what the message of an error says: which key, which limit, what would be right.
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/http/limits.ts'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { useTestServer, type CallOptions, type TestReply } from '../support/server.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }
const nb = { 'accept-language': 'nb' }

/** Status and message of an error, and the messages of its details. */
function messagesOf({ status, json }: TestReply): unknown[] {
  const { message, details = [] } = json.error
  return [status, message, ...details.map((detail: { message: string }) => detail.message)]
}

describe.each(databases)('messages on $name', (database) => {
  const server = useTestServer(database, '7-messages')
  let revenueClient: RevenueClient
  beforeAll(async () => {
    revenueClient = await newRevenueClient(server)
  })
  const get = (path: string, options?: CallOptions) => revenueClient.call('GET', path, options)

  test('7.2 the error of an unknown key names the key', async () => {
    const change = { InntekstplanId: 4711, Omsetning: 1 }
    expect(messagesOf(await revenueClient.update(change))).toEqual([404, 'InntekstplanId 4711 could not be found.'])
    expect(messagesOf(await revenueClient.delete(4711))).toEqual([404, 'Omsetning(4711) could not be found.'])
    for (const [path, name] of [
      ["/odata/Avdeling('77')", "Avdeling('77')"],
      ['/ansatt/Ansatt/77', 'Ansatt(77)'],
      ["/odata/Avdeling('77')/Navn", "Avdeling('77')"],
      ["/odata/Avdeling('77')/Ansatte", "Avdeling('77')"],
      ["/odata/Avdeling('77')/Ansatte/$count", "Avdeling('77')"],
      ["/odata/Ansatt('x')", "Ansatt('x')"],
      ['/odata/$entity?$id=Omsetning(77)', 'Omsetning(77)'],
    ] as const)
      expect(messagesOf(await get(path))).toEqual([404, `${name} could not be found.`])
    for (const [method, path, name] of [
      ['PATCH', "/odata/Avdeling('77')", 'Avdeling(77)'],
      ['PUT', '/odata/Ansatt(77)', 'Ansatt(77)'],
      ['DELETE', '/prosjekt/Anlegg/77', 'Anlegg(77)'],
      ['POST', "/odata/Avdeling('77')/Ansatte", 'Avdeling(77)'],
    ] as const) {
      const json = method === 'DELETE' ? undefined : method === 'POST' ? { Fornavn: 'x' } : { EksternId: 'x' }
      expect(messagesOf(await revenueClient.call(method, path, { json }))).toEqual([404, `${name} could not be found.`])
    }
    for (const method of ['GET', 'DELETE']) {
      const long = await revenueClient.call(method, `/odata/Avdeling('${'x'.repeat(5000)}')`)
      expect([long.status, long.json.error.message.length < 100]).toEqual([404, true])
    }
  })

  test('7.2 the error of a list counts its unknown keys, and one is a record, not records', async () => {
    const change = (InntekstplanId: number) => ({ InntekstplanId, Omsetning: 1 })
    expect(messagesOf(await revenueClient.saveList([change(4711)]))).toEqual([
      404,
      '1 record could not be found.',
      'InntekstplanId 4711 could not be found.',
    ])
    const two = [change(4711), change(4712)]
    expect(messagesOf(await revenueClient.saveList(two))).toEqual([
      404,
      '2 records could not be found.',
      'InntekstplanId 4711 could not be found.',
      'InntekstplanId 4712 could not be found.',
    ])
    expect(messagesOf(await revenueClient.saveList([change(4711)], {}, nb))).toEqual([
      404,
      '1 post ble ikke funnet.',
      'InntekstplanId 4711 ble ikke funnet.',
    ])
  })

  test.each([
    ['1.5', '1.5'],
    ['"abc"', '"abc"'],
    ['"7,0"', '"7,0"'],
    ['true', 'true'],
    ['[]', 'an array'],
  ])('7.2 a value that is no integer is quoted, not called a number: %s', async (sent, shown) => {
    const reply = await revenueClient.update(`{"InntekstplanId":${sent},"Omsetning":1}`)
    expect(messagesOf(reply)).toEqual([400, `InntekstplanId must be an integer, not ${shown}.`])
  })

  test('7.2 an empty record is rejected with the fields that it could have', async () => {
    const fields = 'Dato, ipType, AvdelingID, Omsetning, Merknad'
    expect(messagesOf(await revenueClient.insert({}))).toEqual([400, `At least one of ${fields} is required.`])
    expect(messagesOf(await revenueClient.insert({}, {}, nb))).toEqual([
      400,
      `Minst ett av feltene ${fields} er påkrevd.`,
    ])
    expect(messagesOf(await revenueClient.saveList([row, {}]))).toEqual([
      400,
      'Invalid rows: 1. Nothing was stored. See details.',
      `At least one of ${fields} is required.`,
    ])
    expect(await revenueClient.records()).toEqual([])
  })

  test.each([
    ['GET', '/dev/Omsetning/Fin', '/dev/Omsetning/Finn'],
    ['GET', '/dev/Omsetninger/Finn', '/dev/Omsetning/Finn'],
    ['GET', '/Omsetning/Finn/', '/dev/Omsetning/Finn'],
    ['GET', '/api/v3/dev/omsetning/finn', '/dev/Omsetning/Finn'],
    ['POST', '/dev/Omsetning/Lagree', '/dev/Omsetning/Lagre'],
    ['POST', '/dev/Omsetning/LagreEllerOppdater', '/dev/Omsetning/LagreEllerOppdaterListe'],
    ['POST', '/omsetning/AgsertOmsetning', '/omsetning/AggsertOmsetning'],
    ['GET', '/ansatt/ansat', '/ansatt/ansatt'],
    ['GET', '/odata/Avdelinger', '/odata/Avdeling'],
    ['GET', '/livezz', '/livez'],
    ['POST', '/prosjekt/Transaksjon(17)/Godkjen', '/prosjekt/Transaksjon(17)/Godkjenn'],
    ['GET', '/prosjekt/TransaksjonsEksport(3)/Historik', '/prosjekt/TransaksjonsEksport(3)/Historikk'],
  ])('7.2 an unknown URL gets the nearest known one: %s %s', async (method, path, nearest) => {
    const reply = await revenueClient.call(method, path, method === 'POST' ? { json: row } : {})
    expect(messagesOf(reply)).toEqual([404, `This URL could not be found. Did you mean "${nearest}"?`])
  })

  test.each([
    ['/prosjekt/Transaksjon/Bach', 'GET, HEAD', '/prosjekt/Transaksjon/Batch'],
    ['/prosjekt/TransaksjonsEksport/Eksporter', 'GET, HEAD', '/prosjekt/Transaksjonseksport/Eksportert'],
    ['/prosjekt/Transaksjon/17', 'GET, HEAD, PATCH, DELETE', null],
  ])('7.2 a mistyped action, which could be a key, gets the nearest one: %s', async (path, allow, nearest) => {
    const suggestion = nearest === null ? '' : ` Did you mean "${nearest}"?`
    expect(messagesOf(await revenueClient.call('POST', path, { json: {} }))).toEqual([
      405,
      `POST is not allowed for this URL. Allowed: ${allow}.${suggestion}`,
    ])
  })

  test.each(['/dev/Omsetning/Slett', '/noe/helt/annet', '/x'])(
    '7.2 a URL that is near to none gets no suggestion: %s',
    async (path) => {
      expect(messagesOf(await get(path))).toEqual([404, 'This URL could not be found.'])
    },
  )

  test.each<[name: string, code: string, send: () => Promise<TestReply>]>([
    ['a path in Latin-1', 'InvalidUtf8', () => get("/odata/Avdeling('%e5s')")],
    ['a fixed path in Latin-1', 'InvalidUtf8', () => get('/dev/Omsetning/F%e5nn')],
    ['a broken escape in a path', 'InvalidEncoding', () => get('/dev/Omsetning/F%nn')],
    ['a parameter in Latin-1', 'InvalidUtf8', () => get('/dev/Omsetning/Finn?$filter=%e5')],
    ['a body in Latin-1', 'InvalidUtf8', () => revenueClient.insert(Buffer.from('{"Merknad":"p\xe5"}', 'latin1'))],
    ['a body in UTF-16', 'InvalidUtf8', () => revenueClient.insert(Buffer.from(JSON.stringify(row), 'utf16le'))],
    [
      'a body in UTF-16 with a byte order mark',
      'InvalidUtf8',
      () => revenueClient.insert(Buffer.from(`\ufeff${JSON.stringify(row)}`, 'utf16le')),
    ],
    [
      'an XML body in UTF-16',
      'InvalidUtf8',
      () =>
        revenueClient.insert(
          Buffer.from('<r><Omsetning>1</Omsetning></r>', 'utf16le'),
          {},
          { 'content-type': 'text/xml', accept: 'application/json' },
        ),
    ],
  ])('7.2 %s is rejected with %s', async (_, code, send) => {
    expectError(await send(), 400, code)
    expect(await revenueClient.records()).toEqual([])
  })

  describe('limits', () => {
    const finn = '/dev/Omsetning/Finn'
    const requests = Array.from({ length: 1001 }, (_, at) => ({ id: String(at), method: 'GET', url: 'Avdeling' }))
    const text = (bytes: number) => ({ body: ' '.repeat(bytes), headers: { 'content-type': 'application/json' } })
    const post = (path: string, options: CallOptions) => revenueClient.call('POST', path, options)

    test.each<[name: string, status: number, send: () => Promise<TestReply>]>([
      ['urlBytesMax', 414, () => get(`${finn}?x=${'x'.repeat(limits.urlBytesMax)}`)],
      ['headersBytesMax', 431, () => get(finn, { headers: { x: 'x'.repeat(limits.headersBytesMax) } })],
      [
        'headersMax',
        431,
        () => get(finn, { headers: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x${at}`, ''])) }),
      ],
      ['bodyBytesMax', 413, () => post('/dev/Omsetning/Lagre', text(limits.bodyBytesMax + 1))],
      ['listBytesMax', 413, () => post('/dev/Omsetning/LagreEllerOppdaterListe', text(limits.listBytesMax + 1))],
      ['listRowsMax', 400, () => revenueClient.saveList(`[${'{},'.repeat(100_000)}{}]`)],
      ['elementCharactersMax', 400, () => revenueClient.saveList(`[{},{"Merknad":"${'x'.repeat(2 * 1024 * 1024)}"}]`)],
      ['jsonDepthMax', 400, () => revenueClient.saveList('['.repeat(17))],
      [
        'xmlDepthMax',
        400,
        () => revenueClient.saveList('<a>'.repeat(9), {}, { 'content-type': 'text/xml', accept: 'application/json' }),
      ],
      [
        'xmlAttributesMax',
        400,
        () => {
          const attributes = Array.from({ length: 101 }, (_, at) => `xmlns:n${at}="urn:${at}"`).join(' ')
          return revenueClient.saveList(
            `<a ${attributes}`,
            {},
            { 'content-type': 'text/xml', accept: 'application/json' },
          )
        },
      ],
      ['filterNodesMax', 400, () => get(`${finn}?$filter=${'1+eq+1+or+'.repeat(1001)}true`)],
      ['filterDepthMax', 400, () => get(`${finn}?$filter=${'('.repeat(40)}true${')'.repeat(40)}`)],
      ['filterListValuesMax', 400, () => get(`${finn}?$filter=InntektsPlanId+in+(${'1,'.repeat(1000)}1)`)],
      [
        'expandDepthMax',
        400,
        () => get(`/odata/Avdeling?$expand=${'Hovedavdeling($expand='.repeat(5)}Hovedavdeling${')'.repeat(5)}`),
      ],
      ['batchRequestsMax', 400, () => post('/odata/$batch', { json: { requests } })],
    ])('8 a refusal names its limit as /limits does: %s', async (name, status, send) => {
      const published = (await get('/limits')).json
      const reply = await send()
      expect([reply.status, reply.json.error.message]).toEqual([
        status,
        expect.stringContaining(` The limit is ${name} in /limits.`),
      ])
      expect(reply.json.error.message).toContain(String(published[name]))
    })

    test('8 the rate limit is published, and named by its refusal', async () => {
      const settings = { rateLimit: '3', allowHttp: '192.0.2.0/24' }
      const limited = await server.secondInstance({ settings })
      const call = (path: string) => limited.call('GET', path, { as: revenueClient.company, address: '192.0.2.1' })
      expect((await call('/limits')).json).toMatchObject({ callsPerMinuteMax: 3, callsBurstMax: 1 })
      expect((await call(finn)).status).toBe(200)
      const refused = await call(finn)
      expect(messagesOf(refused)).toEqual([
        429,
        expect.stringMatching(
          /^Too many requests\. Try again in \d+ s\. The limit is callsPerMinuteMax in \/limits\.$/,
        ),
      ])
    })

    test('8 a server without a rate limit publishes none', async () => {
      const unlimited = await server.secondInstance({ settings: { rateLimit: 'off' } })
      const { json } = await unlimited.call('GET', '/limits')
      expect(Object.keys(json)).not.toContain('callsPerMinuteMax')
    })
  })
})
