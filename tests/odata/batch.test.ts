// Batches, multipart and JSON: each request is answered as if sent alone (OData 4.01 part 1, 11.7).
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useTestServer, type TestReply, type CallOptions } from '../support/server.ts'
import { newRevenueClient } from '../support/revenue-client.ts'

interface Part {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

function multipart(...parts: readonly string[]): string {
  return [...parts.map((part) => `--b\r\n${part}\r\n`), '--b--'].join('')
}

function http(request: string, body = ''): string {
  return `Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${request} HTTP/1.1\r\n\r\n${body}`
}

function write(id: string, request: string, body: unknown): string {
  return `Content-Type: application/http\r\nContent-ID: ${id}\r\n\r\n${request} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(body)}`
}

function changeSet(...parts: readonly string[]): string {
  return `Content-Type: multipart/mixed; boundary=c\r\n\r\n${parts.map((part) => `--c\r\n${part}\r\n`).join('')}--c--`
}

/** The parts of a multipart reply, split at their boundaries. */
function partsOf(text: string, contentType: string): Part[] {
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1] ?? ''
  const chunks = text.split(`--${boundary}`).slice(1, -1)
  expect(text.endsWith(`--${boundary}--\r\n`)).toBe(true)
  return chunks.flatMap((chunk) => {
    const [head = '', ...rest] = chunk.trimStart().split('\r\n\r\n')
    const inner = /Content-Type: (multipart\/mixed.*)/.exec(head)?.[1]
    if (inner !== undefined) return partsOf(rest.join('\r\n\r\n').replace(/\r\n$/, '\r\n'), inner)
    const [lines = '', ...body] = rest
    const [status = '', ...headers] = lines.split('\r\n')
    return {
      status: Number(status.split(' ')[1]),
      headers: Object.fromEntries(
        headers.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ').slice(1).join(': ')]),
      ),
      text: body.join('\r\n\r\n').replace(/\r\n$/, ''),
    }
  })
}

describe.each(databases)('a batch on $name', (database) => {
  const server = useTestServer(database, 'batch')
  beforeAll(async () => {
    await fillDirectory(server, server.tenantA, {
      departments: [
        { id: '10', name: 'Byggevarer' },
        { id: 'Å', name: 'linje\r\n--b\r\n' },
      ],
      employees: Array.from({ length: 2500 }, (_, index) => ({
        id: index + 1,
        firstName: 'Kari',
        departmentId: '10',
        positionPercent: 999_999_999_999_999,
      })),
    })
    await fillDirectory(server, server.tenantB, { departments: [{ id: '10', name: 'Naboens' }] })
  })

  const send = (body: string, options: CallOptions = {}, root = 'odata') =>
    server.call('POST', `/${root}/$batch`, {
      ...options,
      body,
      headers: { 'content-type': 'multipart/mixed; boundary=b', ...options.headers },
    })

  const sendParts = async (...parts: readonly string[]) => {
    const reply = await expectStatus(send(multipart(...parts)))
    return partsOf(reply.text, reply.headers['content-type'] ?? '')
  }

  const sendJson = (requests: readonly object[], options: CallOptions = {}, root = 'odata') =>
    server.call('POST', `/${root}/$batch`, { json: { requests }, ...options })

  const statuses = (reply: TestReply): number[] => {
    expect(reply.status, reply.text).toBe(200)
    return reply.json.responses.map(({ status }: Part) => status)
  }

  describe('reads', () => {
    const addresses = [
      "Avdeling('10')?$select=Navn",
      'Ansatt/$count',
      'Avdeling(%27%C3%85%27)/Navn/$value',
      'Ansatt?$top=1&$expand=Avdeling($select=Navn)',
      'Ansatt(99999)',
      '$metadata',
      '',
      'Ansatt?$select=Id,Stillingsprosent',
    ]

    test('a short page in a multipart batch has its length in bytes, a long one has none', async () => {
      const [short, long] = await sendParts(http('GET Avdeling?$select=Navn,Id'), http('GET Ansatt'))
      expect(short?.headers['content-length']).toBe(String(Buffer.byteLength(short?.text ?? '')))
      expect(long?.headers['content-length']).toBeUndefined()
      expect(JSON.parse(long?.text ?? '').value).toHaveLength(2500)
    })

    test('each reply equals that of its request sent alone, in either format, also long ones', async () => {
      const alone = await Promise.all(addresses.map((one) => server.call('GET', `/odata/${one}`)))
      const expected = alone.map(({ status, text }) => ({ status, text: text.replace(/"requestId":"[^"]*"/, '') }))
      const reply = await send(multipart(...addresses.map((one) => http(`GET ${one === '' ? '/odata' : one}`))), {
        headers: { prefer: 'odata.continue-on-error' },
      })
      expect(
        partsOf(reply.text, reply.headers['content-type'] ?? '').map(({ status, text }) => ({
          status,
          text: text.replace(/"requestId":"[^"]*"/, ''),
        })),
      ).toEqual(expected)
      const json = await sendJson(
        addresses.map((url, id) => ({ id: String(id), method: 'get', url: url === '' ? '/odata/' : url })),
      )
      expect(
        json.json.responses.map((one: { status: number; headers: Record<string, string>; body: unknown }) => [
          one.status,
          one.headers['content-type'],
        ]),
      ).toEqual(alone.map(({ status, headers }) => [status, headers['content-type']]))
      for (const { text } of expected.filter(({ status }) => status === 200))
        expect(json.text).toContain(text.startsWith('{') ? text : JSON.stringify(text))
    })

    test.each([
      "Avdeling('10')?$select=Navn",
      "/Avdeling('10')?$select=Navn",
      "/odata/Avdeling('10')?$select=Navn",
      "/ODATA/avdeling('10')?$select=Navn",
      "http://localhost/odata/Avdeling('10')?$select=Navn",
      "Avdeling('10')?$select=Navn&$filter=",
      'Avdeling/10?%24select=Navn',
    ])('the URL of a part may be written as %s', async (address) => {
      const [part] = await sendParts(http(`GET ${address.replace('&$filter=', '')}`))
      expect(part?.text).toContain('"Navn":"Byggevarer"')
      const { json } = await sendJson([{ id: '1', method: 'GET', url: address.replace('&$filter=', '') }])
      expect(json.responses[0].body.Navn).toBe('Byggevarer')
    })

    test('the URL of a part may contain unescaped spaces and non-ASCII letters', async () => {
      const { json } = await sendJson([{ id: 1, method: 'GET', url: "Avdeling?$select=Id&$filter=Id eq 'Å'" }])
      expect(json.responses).toMatchObject([{ id: '1', body: { value: [{ Id: 'Å' }] } }])
      const [part] = await sendParts(http("GET Avdeling?$select=Id&$filter=Id eq 'Å'"))
      expect(part?.text).toContain('"Id":"Å"}]')
    })

    test('a URL of another service is rejected, for that part alone', async () => {
      const urls = [
        'http://elsewhere/odata/Ansatt',
        'http://localhost/dev/Omsetning/Finn',
        '../dev/Omsetning/Finn',
        '/odata/../dev',
      ]
      const reply = await sendJson(urls.map((url, id) => ({ id: String(id), method: 'GET', url })))
      expect(statuses(reply)).toEqual([400, 400, 400, 400])
      expect(reply.json.responses[0].body.error.code).toBe('InvalidBatch')
    })

    test('parts have headers, formats and versions of their own', async () => {
      const { json, headers } = await sendJson(
        [
          {
            id: '1',
            method: 'GET',
            url: 'Ansatt?$top=1&$select=Stillingsprosent',
            headers: { Accept: 'application/json;IEEE754Compatible=true' },
          },
          { id: '2', method: 'GET', url: 'Ansatt?$top=1&$select=Id', headers: { 'OData-MaxVersion': '4.0' } },
          { id: '3', method: 'GET', url: 'Ansatt', headers: { accept: 'text/html' } },
          { id: '4', method: 'GET', url: 'Ansatt', headers: { 'odata-maxversion': '3.0', 'accept-language': 'nb' } },
        ],
        { headers: { 'odata-maxversion': '4.01' } },
      )
      expect(headers['odata-version']).toBe('4.01')
      expect(headers['content-type']).toBe('application/json;metadata=minimal')
      const [first, second, third, fourth] = json.responses
      expect(first.body.value).toMatchObject([{ Stillingsprosent: '99999999999.9999' }])
      expect(first.headers['odata-version']).toBe('4.01')
      expect(Object.keys(second.body)).toEqual(['@odata.context', 'value'])
      expect([third.status, fourth.status]).toEqual([406, 400])
      expect(fourth.body.error.message).toContain('støttes ikke')
    })

    test('plain clients get the names of the specification, as outside a batch', async () => {
      const { json } = await sendJson([{ id: '1', method: 'GET', url: 'ansatt(1)?$select=fornavn' }], {}, 'ansatt')
      expect(json.responses[0].body).toMatchObject({ fornavn: 'Kari' })
    })
  })

  describe('order of execution', () => {
    const bad = { id: 'bad', method: 'GET', url: 'Ukjent' }
    const good = { id: 'good', method: 'GET', url: 'Ansatt/$count' }

    test('multipart stops at the first error, JSON continues, unless continue-on-error says otherwise', async () => {
      expect((await sendParts(http('GET Ukjent'), http('GET Ansatt/$count'))).map(({ status }) => status)).toEqual([
        404,
      ])
      expect(statuses(await sendJson([bad, good]))).toEqual([404, 200])
      const stop = await sendJson([bad, good], { headers: { prefer: 'continue-on-error=false' } })
      expect(statuses(stop)).toEqual([404])
      expect(stop.headers['preference-applied']).toBe('odata.continue-on-error=false')
    })

    test('a request that depends on a failed one is not executed: 424', async () => {
      const reply = await sendJson([
        bad,
        good,
        { ...good, id: '3', dependsOn: ['good'] },
        { ...good, id: '4', dependsOn: ['good', 'bad'] },
        { ...good, id: '5', dependsOn: ['4'] },
      ])
      expect(statuses(reply)).toEqual([404, 200, 200, 424, 424])
      expect(reply.json.responses[3].body.error.code).toBe('DependencyFailed')
    })

    test('$id refers to the result of an earlier request', async () => {
      const { json } = await sendJson([
        { id: 'a', method: 'GET', url: "Avdeling('10')?$select=Id" },
        { id: 'b', method: 'GET', url: '$a/Ansatte?$top=1&$select=Id' },
        { id: 'c', method: 'GET', url: '/$a/Navn' },
        { id: 'd', method: 'GET', url: '$nobody/Navn' },
      ])
      expect(json.responses.map(({ body }: { body: unknown }) => body)).toMatchObject([
        { Id: '10' },
        { value: [{ Id: 1 }] },
        { value: 'Byggevarer' },
        { error: { code: 'InvalidPath' } },
      ])
    })
  })

  describe('change sets', () => {
    const add = (AvdelingID: string, Omsetning: number) => [{ Dato: '2024-05-01', AvdelingID, Omsetning }]
    const batchRequest = (id: string, body: unknown, more: object = {}) => ({
      id,
      method: 'POST',
      url: 'AggsertOmsetning',
      atomicityGroup: 'g',
      body,
      ...more,
    })
    const bearerKey = async () => {
      const found = await newRevenueClient(server)
      const amounts = async () =>
        (await found.records()).map(({ AvdelingID, Omsetning }) => `${AvdelingID} ${Omsetning}`)
      return { as: found.company, amounts }
    }

    test('a change set is applied as a whole, in one transaction', async () => {
      const { as, amounts } = await bearerKey()
      const json = await sendJson(
        [batchRequest('1', add('1', 10)), batchRequest('2', add('1', 5)), batchRequest('3', add('2', 0.1))],
        { as },
        'omsetning',
      )
      expect(statuses(json)).toEqual([200, 200, 200])
      expect(json.json.responses[1]).toMatchObject({ id: '2', atomicityGroup: 'g', body: [{ Omsetning: 15 }] })
      const reply = await send(
        multipart(
          changeSet(
            write('1', 'POST AggsertOmsetning', add('1', 1)),
            write('2', 'POST /omsetning/AggsertOmsetning', add('3', 7)),
          ),
        ),
        { as },
        'omsetning',
      )
      const parts = partsOf(reply.text, reply.headers['content-type'] ?? '')
      expect(parts.map(({ status }) => status)).toEqual([200, 200])
      expect(await amounts()).toEqual(['1 16', '2 0.1', '3 7'])
    })

    test('a request may depend on others of its group, which precede it, and on a group as a whole', async () => {
      const { as, amounts } = await bearerKey()
      const requests = [
        batchRequest('1', add('10', 1)),
        batchRequest('2', add('20', 2), { dependsOn: ['1'] }),
        batchRequest('3', add('30', 3), { atomicityGroup: 'h', dependsOn: ['g'] }),
        batchRequest('4', [{}], { atomicityGroup: 'h', dependsOn: ['3'] }),
        batchRequest('5', add('50', 5), { atomicityGroup: undefined, dependsOn: ['h'] }),
        // It succeeded, but was rolled back.
        batchRequest('6', add('60', 6), { atomicityGroup: undefined, dependsOn: ['3'] }),
      ]
      const reply = await sendJson(requests, { as }, 'omsetning')
      expect(statuses(reply)).toEqual([200, 200, 424, 400, 424, 424])
      expect(await amounts()).toEqual(['10 1', '20 2'])
    })

    test('a failed change set stores nothing; the failed part has its error, the others refer to it', async () => {
      const { as, amounts } = await bearerKey()
      const wrong = [{ Dato: 'x', AvdelingID: '1', Omsetning: 1 }]
      const json = await sendJson(
        [
          batchRequest('0', add('9', 3), { atomicityGroup: 'first' }),
          batchRequest('1', add('1', 10), { atomicityGroup: 'part 1' }),
          batchRequest('2', wrong, { atomicityGroup: 'part 1' }),
          batchRequest('3', add('2', 1), { atomicityGroup: 'part 1' }),
          batchRequest('4', add('4', 4), { atomicityGroup: 'last', dependsOn: ['part 1'] }),
          batchRequest('5', add('5', 5), { atomicityGroup: undefined }),
        ],
        { as },
        'omsetning',
      )
      expect(statuses(json)).toEqual([200, 424, 400, 424, 424, 200])
      expect(json.json.responses[2].body.error.code).toBe('InvalidRows')
      const reply = await send(
        multipart(
          changeSet(write('1', 'POST AggsertOmsetning', add('1', 1)), write('2', 'POST AggsertOmsetning', wrong)),
          http('GET Omsetning/$count'),
        ),
        { as },
        'omsetning',
      )
      // One reply for the change set, and multipart stops there.
      expect(partsOf(reply.text, reply.headers['content-type'] ?? '').map(({ status }) => status)).toEqual([400])
      expect(await amounts()).toEqual(['9 3', '5 5'])
    })

    test('a change set with a part that cannot be transactional is rejected, and nothing is stored', async () => {
      const { as, amounts } = await bearerKey()
      for (const [rejectedPart, status] of [
        [{ method: 'GET', url: 'Omsetning' }, 400],
        [{ url: 'AggsertOmsetning?dryRun=true' }, 501],
        [{ method: 'PUT', url: 'AggsertOmsetning' }, 405],
        [{ url: '$batch' }, 501],
        [{ body: [{ ...add('1', 1)[0], Merknad: 'x'.repeat(1024 * 1024) }] }, 413],
      ] as const) {
        const json = await sendJson(
          [batchRequest('1', add('1', 10)), batchRequest('2', add('1', 1), rejectedPart)],
          { as },
          'omsetning',
        )
        expect(new Set(statuses(json)), JSON.stringify(rejectedPart).slice(0, 80)).toEqual(new Set([status, 424]))
      }
      expect(await amounts()).toEqual([])
    })

    test('a delete in a failed change set is rolled back', async () => {
      const { as, amounts } = await bearerKey()
      await server.call('POST', '/dev/Omsetning/Lagre', { as, json: add('1', 1)[0] })
      const [{ InntektsPlanId }] = (await server.call('GET', '/dev/Omsetning/Finn', { as })).json
      const remove = { id: '1', method: 'DELETE', url: `Omsetning(${InntektsPlanId})`, atomicityGroup: 'g' }
      expect(statuses(await sendJson([remove, { ...remove, id: '2' }], { as }, 'omsetning'))).toEqual([424, 404])
      expect(await amounts()).toEqual(['1 1'])
      expect(statuses(await sendJson([remove], { as }, 'omsetning'))).toEqual([204])
      expect(await amounts()).toEqual([])
    })

    test('a part may have an Idempotency-Key, also in a change set; the batch itself may not', async () => {
      const { as, amounts } = await bearerKey()
      const keyed = batchRequest('1', add('1', 1), { headers: { 'Idempotency-Key': 'once' } })
      await sendJson([keyed], { as }, 'omsetning')
      const again = await sendJson([keyed], { as }, 'omsetning')
      expect(again.json.responses[0].headers['idempotency-replayed']).toBe('true')
      expect(await amounts()).toEqual(['1 1'])
      const whole = await sendJson([keyed], { as, headers: { 'idempotency-key': 'b' } }, 'omsetning')
      expect([whole.status, whole.json.error.code]).toEqual([501, 'NotSupported'])
    })
  })

  describe('authentication of batches', () => {
    test('the batch is authenticated once; a part may repeat the credential, and contain no other', async () => {
      expect((await sendJson([], { as: null })).status).toBe(401)
      const other = `Bearer ${server.tenantB.key}`
      const reply = await sendJson([
        { id: '1', method: 'GET', url: 'Avdeling/$count' },
        { id: '2', method: 'GET', url: 'Avdeling/$count', headers: { 'tb-key': server.tenantA.key } },
        { id: '3', method: 'GET', url: 'Avdeling/$count', headers: { Authorization: other } },
        { id: '4', method: 'GET', url: `Avdeling/$count?key=${server.tenantB.key}` },
        { id: '5', method: 'GET', url: `Avdeling/$count?key=${server.tenantA.key}` },
        {
          id: '6',
          method: 'GET',
          url: `Avdeling/$count?firma=${server.tenantB.name}&passord=${server.tenantB.password}`,
        },
      ])
      expect(statuses(reply)).toEqual([200, 200, 400, 400, 200, 400])
      expect(reply.json.responses[2].body.error.code).toBe('AmbiguousCredentials')
      expect(reply.text).not.toContain(server.tenantB.key)
    })

    test('each part requires the scopes that it requires alone', async () => {
      const { secret } = await server.addCredential(server.tenantA, { scopes: 'directory:read' })
      const reply = await sendJson(
        [
          { id: '1', method: 'GET', url: 'Avdeling/$count' },
          { id: '2', method: 'GET', url: 'Omsetning/$count' },
          { id: '3', method: 'GET', url: 'Ansatt(1)/Fodt' },
        ],
        { as: null, headers: { 'tb-key': secret } },
      )
      expect(statuses(reply)).toEqual([200, 403, 403])
    })

    test('each part counts as a call against the rate limit', async () => {
      const { secret } = await server.addCredential(server.tenantA)
      const ask = { as: null, headers: { 'tb-key': secret } }
      const left = ({ headers }: TestReply) => Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1])
      // The rate limit refills with time, which stands still here.
      const { now } = server.clock
      const still = now()
      server.clock.now = () => still
      const before = left(await server.call('GET', '/odata', ask))
      const requests = Array.from({ length: 50 }, (_, id) => ({ id: `${id}`, method: 'GET', url: '' }))
      await sendJson(requests, ask)
      expect(before - left(await server.call('GET', '/odata', ask))).toBe(52)
      server.clock.now = now
    })
  })

  describe('invalid batches', () => {
    const request = { id: '1', method: 'GET', url: 'Ansatt' }
    test.each([
      [{}, 'requests'],
      [[], 'body'],
      [{ requests: {} }, 'requests'],
      [{ requests: [1] }, 'requests[0]'],
      [{ requests: [{ ...request, id: undefined }] }, 'requests[0].id'],
      [{ requests: [{ ...request, url: undefined }] }, 'requests[0].url'],
      [{ requests: [{ ...request, url: {} }] }, 'requests[0].url'],
      [{ requests: [{ ...request, method: undefined }] }, 'requests[0].method'],
      [{ requests: [{ ...request, headers: [] }] }, 'requests[0].headers'],
      [{ requests: [{ ...request, headers: { a: {} } }] }, 'requests[0].headers.a'],
      [{ requests: [request, request] }, 'requests[1].id'],
      [
        {
          requests: [
            { ...request, dependsOn: ['2'] },
            { ...request, id: '2' },
          ],
        },
        'requests[0].dependsOn',
      ],
      [{ requests: [{ ...request, dependsOn: '2' }] }, 'requests[0].dependsOn'],
      [
        {
          requests: [
            { ...request, atomicityGroup: 'g' },
            { ...request, id: '2' },
            { ...request, id: '3', atomicityGroup: 'g' },
          ],
        },
        'requests[2].atomicityGroup',
      ],
    ])('%j', async (json, target) => {
      expectError(await server.call('POST', '/odata/$batch', { json }), 400, 'InvalidBatch', { target })
    })

    test.each([
      ['{"requests":[],"requests":[]}', 'requests'],
      ['{"requests":[{"id":"1","method":"DELETE","url":"Ansatt","method":"GET"}]}', 'requests[0].method'],
      [
        '{"requests":[{"id":"1","method":"GET","url":"Ansatt","headers":{"If-Match":"a","if-match":"b"}}]}',
        'requests[0].headers.if-match',
      ],
    ])('a member that is given twice: %s', async (body, target) => {
      const reply = await send(body, { headers: { 'content-type': 'application/json' } })
      expect([reply.status, reply.json.error.code, reply.json.error.target]).toEqual([400, 'DuplicateField', target])
    })

    test('the error says what was expected', async () => {
      const json = { requests: [{ method: 'GET', url: 'Ansatt' }] }
      const { error } = (await server.call('POST', '/odata/$batch', { json })).json
      expect(error.message).toBe('The batch request is invalid: expected a string.')
      const parts = ['g', undefined, 'g'].map((atomicityGroup, id) => ({
        id,
        method: 'GET',
        url: 'Ansatt',
        atomicityGroup,
      }))
      expect((await sendJson(parts)).json.error.message).toContain('the requests of a group must be adjacent')
    })

    test.each([
      ['', 'body'],
      ['no boundary', 'body'],
      [`--b\r\n${http('GET Ansatt')}\r\n`, 'body'],
      [multipart('Content-Type: text/plain\r\n\r\nx'), 'part 1'],
      [multipart('no colon\r\n\r\nx'), 'part 1'],
      [multipart(http('GET Ansatt'), http('GET')), 'part 2'],
      [multipart('Content-Type: application/http\r\n\r\nGET Ansatt'), 'part 1'],
      [multipart(changeSet(changeSet(http('GET Ansatt')))), 'part 1.1'],
      [multipart(`Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n${http('GET A')}`), 'part 1'],
    ])('multipart %j', async (body, target) => {
      expectError(await send(body), 400, 'InvalidBatch', { target })
    })

    test('other content types, broken JSON, and more than 1000 requests are rejected', async () => {
      const typed = (type: string) => send('{"requests":[]}', { headers: { 'content-type': type } })
      for (const type of ['text/plain', 'multipart/mixed', 'application/jsonx', 'multipart/form-data; boundary=b'])
        expect((await typed(type)).status, type).toBe(415)
      expect((await send('{"requests":[{]', { headers: { 'content-type': 'application/json' } })).json.error.code).toBe(
        'MalformedJson',
      )
      const many = Array.from({ length: 1001 }, (_, id) => ({ ...request, id: String(id) }))
      expect((await sendJson(many)).json.error.code).toBe('BatchTooLarge')
      expect((await send(multipart(...many.map(() => http('GET Ansatt'))))).json.error.code).toBe('BatchTooLarge')
    })

    test('a long run of blanks takes no longer than other text', async () => {
      const blanks = ' '.repeat(200_000)
      const line = await send(multipart(http(`GET${blanks}Ansatt${blanks}`).replace('HTTP/1.1', `HTTP/1${blanks}`)))
      expect([line.status, line.json.error.code]).toEqual([400, 'InvalidBatch'])
      const spaced = await send(multipart(http(`GET  Ansatt/$count${blanks}`).replace('1.1', '1.1  ')))
      expect(partsOf(spaced.text, spaced.headers['content-type'] ?? '').map(({ text }) => text)).toEqual(['2500'])
    })

    test('the headers of a request have the limits of one alone; its URL may be as long as a body, and its path as a URL', async () => {
      const outcome = ({ status, json }: TestReply) => [status, json.error.code, json.error.target]
      const requestWith = (lines: readonly string[]) =>
        http('GET Ansatt').replace('\r\n\r\n', `\r\n${lines.join('\r\n')}\r\n\r\n`)
      const many = Array.from({ length: 101 }, (_, index) => `x${index}: 1`)
      const [tooMany, tooLong] = [
        ['too many', many],
        ['too long', [`Accept: ${'a/b,'.repeat(5000)}`]],
      ] as const
      for (const [, lines] of [tooMany, tooLong]) {
        expect(outcome(await send(multipart(requestWith(lines))))).toEqual([431, 'HeadersTooLarge', 'part 1'])
        const inside = http('GET Ansatt').replace(' HTTP/1.1\r\n', ` HTTP/1.1\r\n${lines.join('\r\n')}\r\n`)
        expect(outcome(await send(multipart(changeSet(inside))))).toEqual([431, 'HeadersTooLarge', 'part 1.1'])
        const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
        const json = await sendJson([{ ...request, headers }])
        expect(outcome(json)).toEqual([431, 'HeadersTooLarge', 'requests[0].headers'])
      }
      const path = `Ansatt/${'a/'.repeat(10_000)}`
      const query = `Ansatt?$filter=Fornavn eq '${'x'.repeat(1024 * 1024)}'`
      for (const url of [path, query]) {
        expect(outcome(await send(multipart(http(`GET ${url}`))))).toEqual([414, 'UrlTooLong', 'part 1'])
        expect(outcome(await sendJson([{ ...request, url }]))).toEqual([414, 'UrlTooLong', 'requests[0].url'])
      }
      expect(statuses(await sendJson([{ ...request, url: query.slice(0, 100_000) + "'" }]))).toEqual([200])
    })

    test('the body of a request may have a list of many megabytes, of rows that are shorter', async () => {
      const rows = (length: number, count: number) =>
        Array.from({ length: count }, () => ({ Merknad: 'x'.repeat(length) }))
      const save = (body: unknown) =>
        sendJson([{ ...request, method: 'POST', url: 'AggsertOmsetning', body }], {}, 'omsetning')
      const long = await save(rows(100_000, 40))
      expect(long.json.responses[0].body.error.details[0].target).toBe('[0].Merknad')
      const outcomes = [rows(2 * 1024 * 1024, 1), { rows: rows(2 * 1024 * 1024, 1) }, 'x'.repeat(2 * 1024 * 1024)]
      const targets = []
      for (const body of outcomes) {
        const { status, json } = await save(body)
        targets.push([status, json.error.code, json.error.target])
      }
      expect(targets).toEqual([
        [400, 'ValueTooLong', 'requests[0].body[0]'],
        [400, 'ValueTooLong', 'requests[0].body.rows[0]'],
        [400, 'ValueTooLong', 'requests[0].body'],
      ])
    })

    test('conditional headers and nested batches are rejected as such', async () => {
      const reply = await sendJson([
        { ...request, if: '$1/x eq 1' },
        { ...request, id: '2', method: 'POST', url: '$batch', body: { requests: [] } },
        { ...request, id: '3', method: 'GET', url: '$batch' },
      ])
      expect(statuses(reply)).toEqual([501, 501, 405])
    })
  })

  describe('tolerated deviations of clients', () => {
    test('a null member counts as omitted, and a body that is not expected is ignored', async () => {
      const nothing = { headers: null, dependsOn: null, atomicityGroup: null, body: null, if: null }
      const get = { id: '1', method: 'GET', url: 'Ansatt/$count' }
      const json = [
        { ...get, ...nothing },
        { ...get, id: '2', headers: { 'If-Match': null }, body: {} },
        { ...nothing, id: '3', method: 'POST', url: 'Avdeling' },
      ]
      const reply = await sendJson(json)
      expect(reply.json.responses.map((one: { status: number; body: unknown }) => [one.status, one.body])).toEqual([
        [200, expect.any(String)],
        [200, expect.any(String)],
        [400, { error: expect.objectContaining({ code: 'EmptyBody' }) }],
      ])
      const [part] = await sendParts(http('GET Ansatt/$count', '{}'))
      expect(part?.status).toBe(200)
    })

    test('no space after a colon, preamble, text after the end, bare line feeds, a quoted boundary', async () => {
      const text =
        'preamble\r\n--b \r\nContent-Type:application/http\r\nContent-Transfer-Encoding:binary\r\n\r\nGET Ansatt/$count HTTP/1.1\r\nAccept:text/plain\r\n\r\n\r\n' +
        '--b\nContent-Type: application/http\n\n\nGET Ansatt/$count HTTP/1.1\n\n--b--\r\nand so on\r\n--b'
      const reply = await send(text, { headers: { 'content-type': 'Multipart/Mixed; charset=utf-8; boundary="b"' } })
      expect(partsOf(reply.text, reply.headers['content-type'] ?? '').map((part) => part.text)).toEqual([
        '2500',
        '2500',
      ])
    })

    test('HEAD of $batch says that batches are supported; GET is 405', async () => {
      const head = await server.call('HEAD', '/odata/$batch')
      expect([head.status, head.text, head.headers['odata-version']]).toEqual([200, '', '4.0'])
      const get = await server.call('GET', '/odata/$batch')
      expect([get.status, get.headers['allow']]).toEqual([405, 'HEAD, POST'])
      expect((await server.call('HEAD', '/odata/$batch', { as: null })).status).toBe(401)
    })

    test('4.01 replies in the other format if Accept names it alone', async () => {
      const body = multipart(http('GET Ansatt/$count'))
      const typed = async (headers: Readonly<Record<string, string>>) =>
        (await send(body, { headers })).headers['content-type']?.split(';')[0]
      expect(await typed({ accept: 'application/json' })).toBe('multipart/mixed')
      expect(await typed({ accept: 'application/json', 'odata-maxversion': '4.01' })).toBe('application/json')
    })
  })
})
