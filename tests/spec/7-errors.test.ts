// Interface 7: success and error replies; one error body in three formats and two languages.
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { errorCatalog } from '../../src/errors/catalog.ts'
import { limits } from '../../src/http/limits.ts'
import { messages } from '../../src/errors/messages.ts'
import { statement } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { expectStatus } from '../support/replies.ts'
import { useTestServer, startTestServer, type TestReply, type CallOptions } from '../support/server.ts'
import { sendRaw } from '../support/socket.ts'
import { newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { members, readXml } from '../support/xml.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }
const finn = '/dev/Omsetning/Finn'
const lagre = '/dev/Omsetning/Lagre'
const list = '/dev/Omsetning/LagreEllerOppdaterListe'

interface Case {
  readonly status: number
  readonly code: string
  readonly method?: string
  readonly address: string
  readonly options?: CallOptions
  /** Headers that belong to the error. */
  readonly headers?: Record<string, unknown>
}

const json = { 'content-type': 'application/json' }

/** One request per error status; errors that need preparation have tests of their own below. */
const cases: readonly Case[] = [
  { status: 400, code: 'InvalidTop', address: `${finn}?$top=-1` },
  { status: 400, code: 'InvalidFilter', address: `${finn}?$filter=Dato+eq` },
  { status: 400, code: 'UnknownProperty', address: `${finn}?$select=Dat` },
  { status: 400, code: 'DuplicateParameter', address: `${finn}?firma=a&firma=b` },
  { status: 400, code: 'InvalidRows', method: 'POST', address: list, options: { json: [{ Dato: 'x' }] } },
  { status: 400, code: 'EmptyBody', method: 'POST', address: lagre, options: { headers: json } },
  { status: 400, code: 'KeyNotAllowed', method: 'POST', address: lagre, options: { json: { InntekstplanId: 7 } } },
  {
    status: 401,
    code: 'MissingCredentials',
    address: finn,
    options: { as: null },
    headers: { 'www-authenticate': expect.stringContaining('Basic') },
  },
  {
    status: 401,
    code: 'InvalidCredentials',
    address: `${finn}?firma=x&passord=y`,
    options: { as: null },
    headers: { 'www-authenticate': expect.stringContaining('Bearer') },
  },
  { status: 403, code: 'TlsRequired', address: finn, options: { address: '192.0.2.1' } },
  { status: 404, code: 'NotFound', address: '/dev/Omsetning/Finnes/ikke' },
  {
    status: 404,
    code: 'NotFound',
    method: 'POST',
    address: '/dev/Omsetning/Oppdater',
    options: { json: { InntekstplanId: 4711, Omsetning: 1 } },
  },
  { status: 405, code: 'MethodNotAllowed', method: 'POST', address: finn, headers: { allow: 'GET, HEAD' } },
  { status: 405, code: 'MethodNotAllowed', method: 'GET', address: lagre, headers: { allow: 'POST' } },
  {
    status: 405,
    code: 'MethodNotAllowed',
    method: 'PUT',
    address: '/DEV/omsetning//lagre/',
    headers: { allow: 'POST' },
  },
  {
    status: 413,
    code: 'BodyTooLarge',
    method: 'POST',
    address: lagre,
    options: { headers: json, body: ' '.repeat(limits.bodyBytesMax + 1) },
  },
  { status: 414, code: 'UrlTooLong', address: `${finn}?$filter=${'x'.repeat(limits.urlBytesMax)}` },
  {
    status: 415,
    code: 'UnsupportedMediaType',
    method: 'POST',
    address: lagre,
    options: { headers: { 'content-type': 'text/plain' }, body: '{}' },
    headers: { 'accept-post': expect.stringContaining('application/json') },
  },
  {
    status: 415,
    code: 'UnsupportedContentEncoding',
    method: 'POST',
    address: lagre,
    options: { headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' },
  },
  { status: 417, code: 'ExpectationFailed', address: finn, options: { headers: { expect: '200-ok' } } },
  { status: 421, code: 'HostNotAllowed', address: finn, options: { headers: { host: 'evil.example' } } },
  {
    status: 431,
    code: 'HeadersTooLarge',
    address: finn,
    options: { headers: { 'x-long': 'x'.repeat(limits.headersBytesMax) } },
  },
  { status: 501, code: 'NotSupported', address: `${finn}?$filter=matchespattern(Merknad,'x')+eq+'x'` },
]

describe.each(databases)('replies on $name', (database) => {
  const server = useTestServer(database, '7-errors')
  let revenueClient: RevenueClient
  beforeAll(async () => {
    revenueClient = await newRevenueClient(server)
  })

  const ask = ({ method = 'GET', address, options }: Case, headers: Record<string, string> = {}) =>
    server.call(method, address, { ...options, headers: { ...headers, ...options?.headers } })

  describe('success', () => {
    test('7.1 Finn answers 200 as application/json; charset=utf-8, and forbids caching', async () => {
      const reply = await expectStatus(revenueClient.find())
      expect(reply.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store, no-cache',
        pragma: 'no-cache',
      })
    })

    test('7.1 every write under /dev replies 200 as application/json; charset=utf-8 too', async () => {
      for (const write of [
        revenueClient.insert(row),
        revenueClient.setPerDate([row]),
        revenueClient.saveList([]),
        revenueClient.accumulate(row),
      ]) {
        const reply = await expectStatus(write)
        expect(reply.headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store, no-cache',
          pragma: 'no-cache',
        })
      }
    })
  })

  describe('errors', () => {
    test.each(cases)('7.2 $status $code has the standard error body, for $address', async (one) => {
      const reply = await ask(one)
      expect(reply.status, reply.text).toBe(one.status)
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
      expectBody(reply, one.code)
      if (one.headers !== undefined) expect(reply.headers).toMatchObject(one.headers)
    })

    test.each(cases)('7.2 $status $code has the same content as XML and as problem+json, for $address', async (one) => {
      const id = { 'x-request-id': 'samme' }
      const { error } = (await ask(one, id)).json
      const problem = await ask(one, { ...id, accept: 'application/problem+json' })
      expect(problem.status).toBe(one.status)
      expect(problem.headers['content-type']).toBe('application/problem+json')
      const { message, requestId, ...rest } = error
      expect(problem.json).toEqual({
        ...rest,
        type: expect.stringContaining(one.code),
        title: expect.any(String),
        status: one.status,
        detail: message,
        instance: `urn:request:${requestId}`,
      })
      const xml = await ask(one, { ...id, accept: 'application/xml' })
      expect(xml.status).toBe(one.status)
      expect(xml.headers['content-type']).toBe('application/xml; charset=utf-8')
      expect(errorInXml(xml.text)).toEqual(error)
    })

    test.each(cases)('7.2 $status $code is in Norwegian when requested, for $address', async (one) => {
      const english = await ask(one)
      expect(english.headers['content-language']).toBe('en')
      for (const language of ['nb', 'nn-NO,en;q=0.5', 'no', 'NB-no']) {
        const reply = await ask(one, { 'accept-language': language })
        expect(reply.headers['content-language'], language).toBe('nb')
        expect(reply.json.error.message).not.toBe(english.json.error.message)
        expect({ ...reply.json.error, message: '', requestId: '', details: [] }).toEqual({
          ...english.json.error,
          message: '',
          requestId: '',
          details: [],
        })
      }
      for (const language of ['sv', 'en-GB,nb;q=0.9', '*', 'nb;q=0']) {
        const reply = await ask(one, { 'accept-language': language })
        expect(reply.headers['content-language'], language).toBe('en')
      }
    })

    test.each(cases)(
      '7.2 $status $code cannot be cached or framed, and reveals nothing of the server, for $address',
      async (one) => {
        const { headers } = await ask(one)
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'content-security-policy': expect.stringContaining("default-src 'none'"),
          'cross-origin-resource-policy': 'same-origin',
          'cross-origin-opener-policy': 'same-origin',
        })
        expect(headers['server']).toBeUndefined()
        expect(headers['x-powered-by']).toBeUndefined()
      },
    )

    test('7.2 a Norwegian message contains no English words', async () => {
      const english = /\b(the|is|are|must|expected|of|an|takes|there|records?|stands)\b/
      const filters = [
        "Dato eq '2024'",
        "Dato eq datetime('2013-02-30')",
        "Omsetning gt '5'",
        'Omsetning gt 5,5',
        'AvdelingID eq 20',
        "AvdelingID eq '20",
        'AvdelingID eq "20"',
        "AvdelingID = '20'",
        "(AvdelingID eq '20'",
        "AvdelingID eq '20')",
        'AvdelingID eq',
        'AvdelingID',
        "'20'",
        '',
        "contains(Omsetning,'1')",
        'contains(Merknad)',
        "not AvdelingID eq '20'",
        "matchespattern(AvdelingID,'x')",
        "AvdelingID has 'x'",
        `${'not '.repeat(40)}true`,
        'AvdelingID in 5',
        'Dato eq Omsetning',
        'ukjent(AvdelingID)',
        "1 eq 'a'",
        'Omsetning eq 1.',
        '(1,2) eq 1',
        'true eq (true eq 5)',
      ]
      const bodies = [
        '',
        '[',
        '{"a"',
        '{"a":}',
        '[1]',
        '{"Merknad":"\\x"}',
        '{} {}',
        '{,}',
        '{"Omsetning":01}',
        '{"Omsetning":[]}',
        '{"Dato":5}',
        '{"AvdelingID":""}',
      ]
      const lists = ['{}', '[5,null]', '[{"InntekstplanId":5,"Omsetning":1}]', '[{"Dato":"x"}]']
      const elements = [
        '<',
        '<r></x>',
        '<r>&x;</r>',
        '<!DOCTYPE r><r/>',
        '<?x y?><r/>',
        '<r><r>x</r></r>',
        '<r/>hei',
        'hei',
      ]
      const nb = { 'accept-language': 'nb' }
      const xml = { ...nb, 'content-type': 'text/xml', accept: 'application/json' }
      const replies = [
        ...filters.map(($filter) => revenueClient.find({ $filter }, nb)),
        ...['Dato,', '', 'Dato Omsetning'].flatMap((text) => [
          revenueClient.find({ $select: text }, nb),
          revenueClient.find({ $orderby: text }, nb),
        ]),
        ...bodies.map((body) => revenueClient.insert(body, {}, nb)),
        ...lists.map((body) => revenueClient.saveList(body, {}, nb)),
        ...elements.map((body) => revenueClient.insert(body, {}, xml)),
        ...[{ dryRun: 'x' }, { foo: '1' }].map((query) => revenueClient.insert('{}', query, nb)),
        ...cases.map((one) => ask(one, nb)),
        revenueClient.delete(4711),
      ]
      const leaks = (await Promise.all(replies)).flatMap((reply) => {
        if (reply.headers['content-language'] !== 'nb' || reply.text === '') return []
        const { message, details = [] } = reply.json.error
        return [message, ...details.map((detail: { message: string }) => detail.message)]
      })
      expect(leaks.length).toBeGreaterThan(60)
      expect(leaks.filter((sentence) => english.test(sentence))).toEqual([])
      const catalogue = Object.values(messages).map(([, en]) => en)
      const whole = catalogue.filter((text) => text.includes(' ') && !text.includes('{'))
      expect(whole.filter((text) => leaks.some((sentence) => sentence.includes(text)))).toEqual([])
    })

    test('7.2 a caller that sends XML without Accept gets errors in XML', async () => {
      const reply = await expectStatus(revenueClient.insert('<r/', {}, { 'content-type': 'text/xml' }), 400)
      expect(reply.headers['content-type']).toBe('application/xml; charset=utf-8')
      expect(errorInXml(reply.text)).toMatchObject({ code: 'MalformedXml', outcome: 'not_applied' })
    })

    test('7.2 a list error has each finding with code and position, up to a hundred, and counts all', async () => {
      const rows = Array.from({ length: 150 }, (_, index) => ({
        ...row,
        Dato: index % 3 === 0 ? 'x' : row.Dato,
        Omsetning: index % 3 === 2 ? 1 : true,
      }))
      const reply = await expectStatus(revenueClient.saveList(rows), 400)
      const { error } = reply.json
      expect(error).toMatchObject({ code: 'InvalidRows', problems: 150 })
      expect(error.details).toHaveLength(100)
      expect(error.details.slice(0, 3)).toEqual([
        { code: 'InvalidDate', target: '[0].Dato', message: expect.any(String) },
        { code: 'InvalidType', target: '[0].Omsetning', message: expect.any(String) },
        { code: 'InvalidType', target: '[1].Omsetning', message: expect.any(String) },
      ])
    })

    test('7.2 X-Request-Id is echoed if it is well-formed, and generated otherwise', async () => {
      for (const id of ['a', 'till-7_2024.05', 'x'.repeat(64)]) {
        const reply = await server.call('GET', `${finn}?$top=x`, { headers: { 'x-request-id': id } })
        expect(reply.headers['x-request-id']).toBe(id)
        expect(reply.json.error.requestId).toBe(id)
      }
      for (const id of ['', 'x'.repeat(65), 'a b', 'a/b', 'æ', '<x>']) {
        const reply = await server.call('GET', `${finn}?$top=x`, { headers: { 'x-request-id': id } })
        expect(reply.json.error.requestId).toMatch(/^[A-Za-z0-9._-]{8,64}$/)
        expect(reply.json.error.requestId).toBe(reply.headers['x-request-id'])
      }
      expect((await revenueClient.find()).headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{8,64}$/)
    })

    test('7.2 HEAD returns the same error status without a body', async () => {
      const reply = await expectStatus(server.call('HEAD', `${finn}?$top=x`), 400)
      expect(reply.text).toBe('')
    })

    test('7.2 no error repeats a secret', async () => {
      const secret = 'hemmelig-passord-4711'
      const query = `firma=${secret}&passord=${secret}`
      const addresses = [
        `${finn}?${query}`,
        `/ikke/her?${query}`,
        `${finn}?${query}&$top=x`,
        `${lagre}?${query}`,
        `${finn}?${query}&passord=${secret}`,
        `${finn}?${query}%ff`,
        `/%zz?${query}`,
      ]
      for (const address of addresses) {
        const reply = await server.call('GET', address, { as: null })
        expect(reply.status).toBeGreaterThanOrEqual(400)
        expect(reply.text + JSON.stringify(reply.headers)).not.toContain(secret)
      }
    })
  })

  describe('errors that need preparation', () => {
    test('7.2 403 ScopeMissing', async () => {
      const { secret } = await server.addCredential(server.tenantA, { scopes: 'material:read' })
      const reply = await expectStatus(server.call('GET', finn, { as: null, headers: { 'tb-key': secret } }), 403)
      expectBody(reply, 'ScopeMissing')
    })

    test('7.2 409 ReferenceReused, 422 IdempotencyKeyReused', async () => {
      await revenueClient.accumulate({ ...row, Referanse: 'a' })
      const conflict = await expectStatus(revenueClient.accumulate({ ...row, Omsetning: 1, Referanse: 'a' }), 409)
      expectBody(conflict, 'ReferenceReused')
      await revenueClient.insert(row, {}, { 'idempotency-key': 'b' })
      const reused = await revenueClient.insert({ ...row, Omsetning: 1 }, {}, { 'idempotency-key': 'b' })
      expect(reused.status).toBe(422)
      expectBody(reused, 'IdempotencyKeyReused')
    })

    test('7.2 429 TooManyFailedLogins, with Retry-After', async () => {
      const guess = (passord: string) => server.call('GET', `${finn}?firma=GJETTET&passord=${passord}`, { as: null })
      for (let time = 0; time < 7; time += 1) expect((await guess(`feil${time}`)).status).toBe(401)
      const reply = await expectStatus(guess('feil7'), 429)
      expectBody(reply, 'TooManyFailedLogins')
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    })

    test('7.2 500 InternalError has a request id and nothing of the cause; 503 NotInitialised', async () => {
      const broken = await startTestServer(database, '7-errors-broken')
      const run = (text: string) =>
        broken.store.inSystemTransaction((writer) =>
          writer.run(
            statement(() => sql.raw(text)),
            {},
          ),
        )
      await run('delete from credential')
      const unset = await expectStatus(broken.call('GET', finn), 503)
      expectBody(unset, 'NotInitialised')
      expect((await broken.call('GET', '/livez')).status).toBe(200)
      const { secret } = await broken.addCredential(broken.tenantA)
      await run('drop table revenue')
      const reply = await expectStatus(broken.call('GET', finn, { as: null, headers: { 'tb-key': secret } }), 500)
      expectBody(reply, 'InternalError', 'unknown')
      expect(reply.text).not.toMatch(/table|revenue|relation|select/i)
      await broken.close()
    })
  })

  describe('over a socket', () => {
    let address: string
    beforeAll(async () => {
      address = await server.http.listen(0, '127.0.0.1')
    })

    const http = (lines: readonly string[], body = '') => `${lines.join('\r\n')}\r\n\r\n${body}`
    const credentials = () => `tb-key: ${server.tenantA.key}`

    test.each<[name: string, status: number, code: string, lines: string[]]>([
      ['an invalid request line', 400, 'MalformedRequest', ['HALLO']],
      ['an unknown method', 400, 'MalformedRequest', [`HENT ${finn} HTTP/1.1`, 'Host: localhost']],
      ['a method in lower case', 400, 'MalformedRequest', [`get ${finn} HTTP/1.1`, 'Host: localhost']],
      ['two Hosts', 400, 'MalformedRequest', [`GET ${finn} HTTP/1.1`, 'Host: localhost', 'Host: localhost']],
      [
        'two Content-Lengths',
        400,
        'MalformedRequest',
        [`POST ${lagre} HTTP/1.1`, 'Host: localhost', 'Content-Length: 2', 'Content-Length: 3'],
      ],
      [
        'Content-Length and chunked',
        400,
        'MalformedRequest',
        [`POST ${lagre} HTTP/1.1`, 'Host: localhost', 'Content-Length: 2', 'Transfer-Encoding: chunked'],
      ],
      [
        'a transfer encoding before chunked',
        400,
        'MalformedRequest',
        [`POST ${lagre} HTTP/1.1`, 'Host: localhost', 'Transfer-Encoding: identity, chunked'],
      ],
      [
        'a header with a bare carriage return',
        400,
        'MalformedRequest',
        [`GET ${finn} HTTP/1.1`, 'Host: localhost', 'X: a\rb'],
      ],
      [
        'headers over the size limit',
        431,
        'HeadersTooLarge',
        [`GET ${finn} HTTP/1.1`, 'Host: localhost', `X: ${'x'.repeat(limits.nodeHeaderBytesMax)}`],
      ],
      [
        'a hundred and one headers',
        431,
        'HeadersTooLarge',
        [`GET ${finn} HTTP/1.1`, 'Host: localhost', ...Array.from({ length: 101 }, (_, index) => `X${index}: x`)],
      ],
      [
        'a URL that is too long',
        414,
        'UrlTooLong',
        [`GET ${finn}?${'x'.repeat(limits.urlBytesMax)} HTTP/1.1`, 'Host: localhost'],
      ],
      ['an invalid escape in the path', 400, 'InvalidEncoding', ['GET /dev/%zz HTTP/1.1', 'Host: localhost']],
      [
        'an escape in the path that is not UTF-8',
        400,
        'InvalidUtf8',
        ['GET /dev/Omsetning/F%e5nn HTTP/1.1', 'Host: localhost'],
      ],
      ['dot segments in the path', 404, 'NotFound', ['GET /dev/x/../Omsetning/Finn HTTP/1.1', 'Host: localhost']],
      [
        'another host in the request line',
        421,
        'HostNotAllowed',
        [`GET http://evil.example${finn} HTTP/1.1`, 'Host: evil.example'],
      ],
      ['a method that no route supports', 405, 'MethodNotAllowed', [`TRACE ${finn} HTTP/1.1`, 'Host: localhost']],
    ])('7.2 %s is %d %s with the standard error body', async (_, status, code, lines) => {
      const reply = await expectStatus(sendRaw(address, http([...lines, 'Connection: close'])), status)
      expect(reply.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-language': 'en',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      expectBody({ ...reply, json: JSON.parse(reply.text) }, code)
    })

    test('7.2 a body over the limit is rejected before it is read, and the connection closes', async () => {
      const head = [`POST ${lagre} HTTP/1.1`, 'Host: localhost', credentials(), 'Content-Type: application/json']
      const declared = await sendRaw(address, http([...head, 'Content-Length: 1073741824'], '{'))
      const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`
      const endless = await sendRaw(address, http([...head, 'Transfer-Encoding: chunked'], chunk + chunk))
      for (const reply of [declared, endless]) {
        expect(reply.status).toBe(413)
        expect(reply.headers['connection']).toBe('close')
        expect(JSON.parse(reply.text).error.code).toBe('BodyTooLarge')
      }
    })

    test('7.2 Expect: 100-continue is supported, and so are chunked bodies', async () => {
      const body = JSON.stringify({ ...row, Merknad: 'i biter' })
      const head = [
        `POST ${lagre} HTTP/1.1`,
        'Host: localhost',
        credentials(),
        'Content-Type: application/json',
        'Expect: 100-continue',
        'Connection: close',
        'Transfer-Encoding: chunked',
      ]
      const reply = await sendRaw(
        address,
        http(head, `5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`),
      )
      expect(reply.status).toBe(100)
      expect(reply.text).toContain('HTTP/1.1 200 OK')
      expect(reply.text).toContain('i biter')
    })
  })
})

/** The body of every error: these members and no others. */
function expectBody({ json, headers }: Pick<TestReply, 'json' | 'headers'>, code: string, outcome = 'not_applied') {
  expect(Object.keys(json)).toEqual(['error'])
  const { error } = json
  const known = ['code', 'message', 'target', 'existing', 'details', 'problems', 'requestId', 'outcome']
  expect(Object.keys(error).filter((name) => !known.includes(name))).toEqual([])
  expect(error).toMatchObject({ code, outcome, message: expect.stringMatching(/^\S.*[.?]$/) })
  expect(Object.keys(errorCatalog)).toContain(error.code)
  expect(error.message).not.toMatch(/[{}]/)
  expect(error.requestId).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
  expect(error.requestId).toBe(headers['x-request-id'])
  for (const detail of error.details ?? []) {
    expect(Object.keys(errorCatalog)).toContain(detail.code)
    expect(detail.message).not.toMatch(/[{}]/)
  }
}

/** The XML body, converted to the shape of the JSON body. */
function errorInXml(text: string) {
  const root = readXml(text)
  expect(root.name).toBe('error')
  const numbers = (values: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        ['existing', 'problems'].includes(name) ? Number(value) : value,
      ]),
    )
  const details = root.children.find(({ name }) => name === 'details')
  const { details: _, ...rest } = members(root)
  return details === undefined
    ? numbers(rest)
    : { ...numbers(rest), details: details.children.map((detail) => numbers(members(detail))) }
}
