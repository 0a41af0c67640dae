// Request framing: ambiguous requests are rejected, so that proxy and server never disagree on boundaries.
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { errorCatalog } from '../../src/errors/catalog.ts'
import { sqlite } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { observeCalls } from '../support/statement-recorder.ts'
import { parseReplies, sendRequest, openRawConnection, request } from './conversation.ts'

const finn = '/dev/Omsetning/Finn'
const lagre = '/dev/Omsetning/Lagre'
const row = '{"Dato":"2024-05-01","AvdelingID":"20","Omsetning":100}'

const server = useTestServer(sqlite, 'framing')
let address: string
beforeAll(async () => {
  address = await server.http.listen(0, '127.0.0.1')
})

function get(path: string, ...lines: string[]) {
  return request([`GET ${path} HTTP/1.1`, 'Host: localhost', `tb-key: ${server.tenantA.key}`, ...lines])
}

function post(body: string, ...lines: string[]) {
  return request(
    [
      `POST ${lagre} HTTP/1.1`,
      'Host: localhost',
      `tb-key: ${server.tenantA.key}`,
      'Content-Type: application/json',
      ...lines,
    ],
    body,
  )
}

async function stored(): Promise<number> {
  return (await server.call('GET', `${finn}?$select=InntektsPlanId`)).json.length
}

/**
 * Checks the standard error body, the headers of every reply, and that the connection is closed.
 */
function expectError({ status, headers, body }: Awaited<ReturnType<typeof sendRequest>>) {
  const { error } = JSON.parse(body)
  expect(errorCatalog).toHaveProperty(error.code)
  expect(error.requestId).toBe(headers['x-request-id'])
  expect(error.outcome).toBe('not_applied')
  expect(headers).toMatchObject({
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-language': 'en',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  return `${status} ${error.code}`
}

describe('ambiguous requests are rejected', () => {
  const length = `Content-Length: ${row.length}`
  const chunked = 'Transfer-Encoding: chunked'
  const inChunks = `${row.length.toString(16)}\r\n${row}\r\n0\r\n\r\n`

  test.each<[name: string, bytes: () => string]>([
    ['Content-Length before chunked', () => post(inChunks, length, chunked)],
    ['chunked before Content-Length', () => post(inChunks, chunked, length)],
    ['two different Content-Lengths', () => post(row, length, 'Content-Length: 1')],
    ['two equal Content-Lengths', () => post(row, length, length)],
    ['a list of Content-Lengths', () => post(row, `Content-Length: ${row.length}, ${row.length}`)],
    ['a Content-Length with a sign', () => post(row, `Content-Length: +${row.length}`)],
    ['a negative Content-Length', () => post(row, 'Content-Length: -1')],
    ['a hexadecimal Content-Length', () => post(row, 'Content-Length: 0x10')],
    ['an empty Content-Length', () => post(row, 'Content-Length:')],
    ['a Content-Length out of range', () => post(row, 'Content-Length: 99999999999999999999')],
    ['a space before the colon', () => post(row, `Content-Length : ${row.length}`)],
    ['a transfer encoding before chunked', () => post(inChunks, 'Transfer-Encoding: identity, chunked')],
    ['a transfer encoding after chunked', () => post(inChunks, 'Transfer-Encoding: chunked, identity')],
    ['a transfer encoding like chunked', () => post(inChunks, 'Transfer-Encoding: xchunked')],
    ['an unknown transfer encoding', () => post(row, 'Transfer-Encoding: gzip')],
    ['chunked twice', () => post(inChunks, chunked, chunked)],
    ['chunked with a tab', () => post(inChunks, 'Transfer-Encoding:\tchunked', length)],
    ['an invalid chunk size', () => post('zz\r\n{}\r\n0\r\n\r\n', chunked)],
    ['a chunk size with a sign', () => post('+2\r\n{}\r\n0\r\n\r\n', chunked)],
    ['a chunk longer than its size', () => post('1\r\n{}\r\n0\r\n\r\n', chunked)],
    ['a chunk size out of range', () => post('fffffffffffffffff\r\n{}', chunked)],
    ['a line that ends in a bare line feed', () => get(finn).replace('\r\n', '\n')],
    ['headers that end in bare line feeds', () => get(finn).replaceAll('\r\n', '\n')],
    ['a header with a bare carriage return', () => get(finn, 'X: a\rb')],
    ['a header continued on the next line', () => get(finn, 'X: a', ' b')],
    ['a NUL in a header', () => get(finn, 'X: a\0b')],
    ['a NUL in the URL', () => get(`${finn}?a=\0`)],
    ['a control character in a name', () => get(finn, 'X\x01: a')],
    ['a header without a name', () => get(finn, ': a')],
    ['a header without a colon', () => get(finn, 'X')],
    ['two equal Hosts', () => get(finn, 'Host: localhost')],
    ['two different Hosts', () => get(finn, 'Host: evil.example')],
    ['no Host', () => request([`GET ${finn} HTTP/1.1`])],
    ['one host in the URL, another in Host', () => get(`http://evil.example${finn}`)],
    ['a space in the URL', () => get(`${finn} ?a=b`)],
    ['an invalid HTTP version', () => get(finn).replace('HTTP/1.1', 'HTTP/1.9')],
    ['HTTP/3.0', () => get(finn).replace('HTTP/1.1', 'HTTP/3.0')],
    ['HTTP/0.9', () => request([`GET ${finn}`])],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS ClientHello', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a method in lower case', () => get(finn).replace('GET', 'get')],
    ['CONNECT', () => request(['CONNECT localhost:80 HTTP/1.1', 'Host: localhost'])],
  ])('%s', async (_, bytes) => {
    const before = await stored()
    expect(expectError(await sendRequest(address, bytes()))).toBe('400 MalformedRequest')
    expect(await stored()).toBe(before)
  })

  test('an unknown Expect header is 417', async () => {
    const reply = await sendRequest(address, post('', 'Expect: 200-ok', length))
    expect(expectError(reply)).toBe('417 ExpectationFailed')
  })

  test.each(['gzip', 'br', 'deflate', 'zstd', 'identity', 'x'])(
    'a body with Content-Encoding %s is rejected',
    async (encoding) => {
      const reply = await sendRequest(address, post(row, length, `Content-Encoding: ${encoding}`, 'Connection: close'))
      expect(expectError(reply)).toBe('415 UnsupportedContentEncoding')
    },
  )

  test('a body that ends before its Content-Length is never accepted', async () => {
    const before = await stored()
    const conversation = openRawConnection(address)
    await conversation.send(post(row, `Content-Length: ${row.length + 1}`))
    conversation.finish()
    const received = await conversation.ended
    if (received !== '') expect(parseReplies(received)[0]?.status).toBe(400)
    expect(await stored()).toBe(before)
  })

  test('a body longer than its Content-Length ends at that length', async () => {
    const before = await stored()
    const conversation = openRawConnection(address)
    await conversation.send(post(`${row}GARBAGE / HTTP/1.1\r\n\r\n`, length))
    const [first, second, ...more] = parseReplies(await conversation.ended)
    expect([first?.status, second?.status ?? 400]).toEqual([200, 400])
    expect(more).toEqual([])
    expect(await stored()).toBe(before + 1)
  })
})

describe('persistent connections', () => {
  test('a body that arrives with its head needs no clock, one that arrives later does', async () => {
    let clocks = 0
    const restore = observeCalls(globalThis, 'setInterval', () => (clocks += 1))
    const conversation = openRawConnection(address)
    try {
      const sent = post(row, `Content-Length: ${row.length}`)
      await conversation.send(sent)
      await conversation.waitFor(/"Omsetning":100[^]*\}$/)
      expect(clocks).toBe(0)
      await conversation.send(sent.slice(0, -1))
      await vi.waitFor(() => expect(clocks).toBe(1))
      await conversation.send(sent.slice(-1))
      await conversation.waitFor(/("Omsetning":100[^]*){2}\}$/)
    } finally {
      restore()
    }
    await conversation.send(get('/livez', 'Connection: close'))
    expect(parseReplies(await conversation.ended).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('the connection stays open after a reply, and after an error whose body was read', async () => {
    const conversation = openRawConnection(address)
    await conversation.send(get(finn))
    await conversation.waitFor(/\r\n\r\n\[[^]*\]$/)
    await conversation.send(get(`${finn}?$top=x`))
    await conversation.waitFor(/InvalidTop[^]*\}\}$/)
    await conversation.send(post('{', 'Content-Length: 1'))
    await conversation.waitFor(/MalformedJson[^]*\}\}$/)
    await conversation.send(get('/livez', 'Connection: close'))
    const replies = parseReplies(await conversation.ended)
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 400, 200])
    expect(replies.map(({ headers }) => headers['connection'])).toEqual([
      'keep-alive',
      'keep-alive',
      'keep-alive',
      'close',
    ])
  })

  test('pipelined requests are answered in order', async () => {
    const reply = await sendRequest(address, post(row, `Content-Length: ${row.length}`, 'Connection: close'))
    const id = JSON.parse(reply.body).InntektsPlanId
    const conversation = openRawConnection(address)
    await conversation.send(
      [
        get('/livez'),
        get(`${finn}?$filter=InntektsPlanId+eq+${id}`),
        post(row, `Content-Length: ${row.length}`),
        get('/dev/ikke'),
        get('/version', 'Connection: close'),
      ].join(''),
    )
    const replies = parseReplies(await conversation.ended)
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 404, 200])
    expect(JSON.parse(replies[1]?.body ?? '')).toHaveLength(1)
    expect(JSON.parse(replies[2]?.body ?? '').InntektsPlanId).toBe(id + 1)
  })

  test('garbage after a request does not overtake its reply', async () => {
    const conversation = openRawConnection(address)
    await conversation.send(`${post(row, `Content-Length: ${row.length}`)}\0\0\r\n\r\n`)
    const replies = parseReplies(await conversation.ended)
    expect(replies[0]?.status).toBe(200)
    expect(replies.slice(1).every(({ status }) => status === 400)).toBe(true)
  })

  test('a body on a request without one closes the connection, and is not parsed as a request', async () => {
    const smuggled = get('/version')
    for (const first of [
      get('/livez', `Content-Length: ${smuggled.length}`),
      get(finn, `Content-Length: ${smuggled.length}`),
      get('/dev/ikke', `Content-Length: ${smuggled.length}`),
      get('/livez', 'Transfer-Encoding: chunked').concat(`${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`),
      get(finn, `Content-Length: ${smuggled.length}`).replace('GET', 'HEAD'),
      get('/omsetning/Omsetning(4711)', `Content-Length: ${smuggled.length}`).replace('GET', 'DELETE'),
    ]) {
      const conversation = openRawConnection(address)
      await conversation.send(first + smuggled)
      const received = await conversation.ended
      expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1)
      expect(received).toContain('\r\nConnection: close\r\n')
      expect(received).not.toContain('"dagsverk"')
    }
  })

  test('HEAD returns the headers of GET without a body', async () => {
    const path = `${finn}?$top=1`
    const full = await sendRequest(address, get(path, 'Connection: close', 'X-Request-Id: likt'))
    const conversation = openRawConnection(address)
    await conversation.send(get(path, 'Connection: close', 'X-Request-Id: likt').replace('GET', 'HEAD'))
    const [head = '', body] = (await conversation.ended).split('\r\n\r\n')
    expect(body).toBe('')
    expect(head).toMatch(/^HTTP\/1\.1 200 /)
    expect(head).toContain(`Content-Length: ${full.body.length}`)
    expect(head).toContain('Content-Type: application/json; charset=utf-8')
    const refused = openRawConnection(address)
    await refused.send(get('/nope', 'Connection: close').replace('GET', 'HEAD'))
    expect(await refused.ended).not.toContain('Content-Length: 0')
  })

  test('Expect: 100-continue is answered before the body is sent', async () => {
    const conversation = openRawConnection(address)
    await conversation.send(post('', 'Expect: 100-continue', `Content-Length: ${row.length}`, 'Connection: close'))
    await conversation.waitFor(/^HTTP\/1\.1 100 Continue\r\n\r\n/)
    await conversation.send(row)
    expect(await conversation.ended).toMatch(/\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  })

  const expecting = (path: string, key: string, ...lines: string[]) =>
    request([
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `tb-key: ${key}`,
      'Content-Type: application/json',
      'Expect: 100-continue',
      ...lines,
    ])
  const length = `Content-Length: ${row.length}`

  test.each([
    ['an unknown URL', () => expecting('/dev/Omsetning/Ukjent', server.tenantA.key, length), 404],
    ['no credentials', () => expecting(lagre, '', length), 401],
    ['a wrong key', () => expecting(lagre, 'feil', length), 401],
    ['another method', () => expecting(finn, server.tenantA.key, length), 405],
    ['a body over the limit', () => expecting(lagre, server.tenantA.key, 'Content-Length: 9000000'), 413],
    ['a compressed body', () => expecting(lagre, server.tenantA.key, length, 'Content-Encoding: br'), 415],
    ['a mistyped option', () => expecting(`${lagre}?dryRum=true`, server.tenantA.key, length), 400],
  ])('%s is rejected before the body is requested', async (_, made, status) => {
    const before = await stored()
    const reply = await sendRequest(address, made())
    expect(reply.status).toBe(status)
    expectError(reply)
    expect(await stored()).toBe(before)
  })

  test('HTTP/1.0 gets no 100 Continue', async () => {
    const conversation = openRawConnection(address)
    await conversation.send(post('', 'Expect: 100-continue', length).replace('/1.1', '/1.0'))
    await conversation.send(row)
    expect(await conversation.ended).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })
})

describe('every spelling of a URL leads to one route', () => {
  const reached = async (path: string) => {
    const anonymousRequest = request([`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close'])
    const known = await sendRequest(address, get(path, 'Connection: close'))
    return [(await sendRequest(address, anonymousRequest)).status, known.status]
  }

  test.each([
    finn,
    finn.toLowerCase(),
    finn.toUpperCase(),
    '/dEv/oMSETNING/fINN',
    '/dev/Omsetning/%46inn',
    '/dev/Omsetning/%66inn',
    '/dev/%4fmsetning/Finn',
    '//dev///Omsetning//Finn',
    `${finn}/`,
    `${finn}//`,
    `http://localhost${finn}`,
    `HTTP://LOCALHOST${finn}`,
    `${finn}#x`,
  ])('%s is Finn, for the same callers', async (path) => {
    expect(await reached(path)).toEqual([401, 200])
  })

  test.each([
    '/dev/./Omsetning/Finn',
    '/dev/x/../Omsetning/Finn',
    '/dev/%2e/Omsetning/Finn',
    '/dev/x/%2e%2e/Omsetning/Finn',
    '/dev/Omsetning%2fFinn',
    '/dev/Omsetning%2FFinn',
    '/dev/Omsetning%5cFinn',
    '/dev\\Omsetning\\Finn',
    `${finn};x=1`,
    '/dev;x=1/Omsetning/Finn',
    `${finn}%00`,
    `${finn}%20`,
    `${finn}%0d%0aX:%20y`,
    `${finn}%3f`,
    `${finn}.json`,
    '/dev/Omsetning/%2546inn',
    '/dev/Omsetning',
    '/dev',
    '*',
  ])('%s is 404, for anybody', async (path) => {
    expect(await reached(path)).toEqual([404, 404])
  })

  test.each([
    '/dev/Omsetning/F%c1%a9nn',
    '/dev/Omsetning/%c0%af',
    '/dev/%zz',
    '/dev/%',
    '/dev/%e0%80%af',
    `${finn}%ff`,
  ])('%s has an invalid escape', async (path) => {
    expect(await reached(path)).toEqual([400, 400])
  })

  test.each(['evil.example', 'localhost.evil.example', 'localhost:80@evil.example', '', '[::2]'])(
    'the Host "%s" is rejected',
    async (host) => {
      const reply = await sendRequest(address, request([`GET ${finn} HTTP/1.1`, `Host: ${host}`, 'Connection: close']))
      expect(expectError(reply)).toBe('421 HostNotAllowed')
    },
  )

  test.each(['localhost', 'LOCALHOST', 'localhost:1', '127.0.0.1:8080', '[::1]:80'])(
    'the Host "%s" is accepted',
    async (host) => {
      const reply = await sendRequest(address, request([`GET /livez HTTP/1.1`, `Host: ${host}`, 'Connection: close']))
      expect(reply.status).toBe(200)
    },
  )
})

describe('an unsupported method is 405 with the allowed methods', () => {
  const methods = ['TRACE', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'M-SEARCH']

  test.each(methods)('%s', async (method) => {
    for (const [path, allow] of [
      [finn, 'GET, HEAD'],
      [lagre, 'POST'],
      ['/livez', 'GET, HEAD'],
    ] as const) {
      const reply = await sendRequest(address, get(path, 'Connection: close').replace('GET', method))
      expect(expectError(reply)).toBe('405 MethodNotAllowed')
      expect(reply.headers['allow']).toBe(allow)
    }
  })

  test('no header overrides the method', async () => {
    for (const header of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const reply = await sendRequest(address, get('/omsetning/Omsetning(1)', `${header}: DELETE`, 'Connection: close'))
      // The record is read, and still exists afterwards.
      expect(reply.status).toBe(200)
      const { body } = await sendRequest(address, get(`${lagre}?_method=POST`, `${header}: POST`, 'Connection: close'))
      expect(JSON.parse(body).error.code).toBe('MethodNotAllowed')
    }
  })
})

describe('X-Request-Id', () => {
  test.each(['a', 'till-7_2024.05', 'x'.repeat(64)])('%s is echoed', async (id) => {
    const reply = await sendRequest(address, get(finn, `X-Request-Id: ${id}`, 'Connection: close'))
    expect(reply.headers['x-request-id']).toBe(id)
  })

  test.each(['', 'x'.repeat(65), 'a b', 'a/b', 'a\tb', '\x80', '<script>', 'a, b', '"'])(
    '"%s" is replaced by a generated id',
    async (id) => {
      const reply = await sendRequest(address, get(finn, `X-Request-Id: ${id}`, 'Connection: close'))
      expect(reply.status).toBe(200)
      expect(reply.headers['x-request-id']).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
      expect(reply.headers['x-request-id']).not.toBe(id)
    },
  )

  test('request data cannot inject response headers', async () => {
    const name = encodeURIComponent('a\r\nX-Planted: yes')
    const body = JSON.stringify({ ...JSON.parse(row), 'ukjent\r\nX-Planted: yes': 1, 'æ\0': 2 })
    for (const bytes of [
      get(`${finn}?$select=${name}`, 'Connection: close'),
      get(`/dev/${name}`, 'Connection: close'),
      post(body, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'),
      get(finn, `X-Request-Id: a${name}`, 'Connection: close'),
    ]) {
      const { headers } = await sendRequest(address, Buffer.from(bytes))
      expect(Object.keys(headers)).not.toContain('x-planted')
    }
  })
})
