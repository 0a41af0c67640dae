// Dispatch: a path that is spelled as declared bypasses the router, and gets the reply that the router would lead to.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/http/limits.ts'
import type { Reply, Request } from '../../src/http/request.ts'
import type { HttpServer } from '../../src/http/server.ts'
import { sqlite } from '../support/databases.ts'
import { createPlainHttpServer } from '../support/http-server.ts'
import { useTestServer } from '../support/server.ts'
import { openRawConnection, request } from './conversation.ts'

const finn = '/dev/Omsetning/Finn'
const lagre = '/dev/Omsetning/Lagre'
const row = '{"Dato":"2024-05-01","AvdelingID":"20","Omsetning":100}'

const server = useTestServer(sqlite, 'dispatch')
let address: string
beforeAll(async () => {
  address = await server.http.listen(0, '127.0.0.1')
})

/** The number of requests that reached an endpoint through the framework. */
let routed = 0
function count(): void {
  routed += 1
}
beforeEach(() => {
  routed = 0
  subscribe(handlerChannel, count)
})
afterEach(() => unsubscribe(handlerChannel, count))

const handlerChannel = 'tracing:fastify.request.handler:start'

function call(line: string, lines: readonly string[] = [], body = ''): string {
  return request([`${line} HTTP/1.1`, 'Host: localhost', 'X-Request-Id: samme', ...lines], body)
}

function known(line: string, lines: readonly string[] = [], body = ''): string {
  return call(line, [`tb-key: ${server.tenantA.key}`, ...lines], body)
}

/** All that the server sends until it closes the connection, without what differs by time. */
async function conversationOf(bytes: string, to = address): Promise<string> {
  const conversation = openRawConnection(to)
  await conversation.send(bytes)
  const received = await conversation.ended
  return received.replace(/^(Date|RateLimit\S*): .*\r\n/gim, '')
}

describe('a request gets the same bytes whether or not its path needs the router', () => {
  const close = 'Connection: close'
  const json = 'Content-Type: application/json'
  const length = `Content-Length: ${row.length}`
  const dryRun = `${lagre}?dryRun=true`
  const inChunks = `${row.length.toString(16)}\r\n${row}\r\n0\r\n\r\n`

  test.each<[title: string, status: number, bytes: () => string]>([
    ['a read', 200, () => known(`GET ${finn}?$top=1`, [close])],
    ['two reads in a pipeline', 200, () => known(`GET ${finn}`) + known(`GET ${finn}`, [close])],
    ['a read as XML', 200, () => known(`GET ${finn}`, [close, 'Accept: application/xml'])],
    ['a fragment in the query', 400, () => known(`GET ${finn}?$top=1#x?y`, [close])],
    ['a read of HTTP/1.0', 200, () => known(`GET ${finn}`).replace('HTTP/1.1', 'HTTP/1.0')],
    ['a read of a set', 200, () => known('GET /ansatt/ansatt', [close])],
    ['an OData version', 400, () => known('GET /ansatt/ansatt', [close, 'OData-MaxVersion: 3.0'])],
    ['an invalid option', 400, () => known(`GET ${finn}?$top=x`, [close])],
    ['no credentials', 401, () => call(`GET ${finn}`, [close])],
    ['no session', 401, () => call('GET /app/data/sett', [close])],
    ['a public endpoint', 200, () => call('GET /livez', [close])],
    ['another host', 421, () => known(`GET ${finn}`).replace('localhost', 'evil.example')],
    ['two hosts', 400, () => known(`GET ${finn}`, ['Host: localhost'])],
    ['an expectation', 417, () => known(`GET ${finn}`, ['Expect: tea'])],
    ['long headers', 431, () => known(`GET ${finn}`, [`X: ${'x'.repeat(limits.headersBytesMax)}`])],
    ['a long URL', 414, () => known(`GET ${finn}?${'x'.repeat(limits.urlBytesMax)}`)],
    ['a body that nobody reads', 200, () => known(`GET ${finn}`, [length], row)],
    ['a write', 200, () => known(`POST ${dryRun}`, [close, json, length], row)],
    ['a write in chunks', 200, () => known(`POST ${dryRun}`, [close, json, 'Transfer-Encoding: chunked'], inChunks)],
    ['a write that asks first', 200, () => known(`POST ${dryRun}`, [close, json, length, 'Expect: 100-continue'], row)],
    ['a write that is not JSON', 400, () => known(`POST ${dryRun}`, [close, json, length], `${row.slice(1)} `)],
    ['a compressed write', 415, () => known(`POST ${lagre}`, [json, length, 'Content-Encoding: br'], row)],
    ['a large write', 413, () => known(`POST ${lagre}`, [json, 'Content-Length: 9000000'])],
  ])('%s', async (_, status, bytes) => {
    const direct = await conversationOf(bytes())
    expect(direct).toMatch(new RegExp(`^(HTTP/1.1 100 Continue\r\n\r\n)?HTTP/1.1 ${status} `))
    expect(routed).toBe(0)
    const encoded = await conversationOf(bytes().replace(/\/(Finn|Lagre|ansatt(?!\/)|sett|livez)/g, encodeLetter))
    expect(encoded).toBe(direct)
    expect(routed).toBeGreaterThan(0)
  })

  function encodeLetter(segment: string): string {
    return `/%${segment.charCodeAt(1).toString(16)}${segment.slice(2)}`
  }
})

test.each([
  [`GET ${finn}`, 0],
  [`GET ${finn}?$top=1`, 0],
  ['GET /ansatt/ansatt?$top=1', 0],
  [`HEAD ${finn}`, 1],
  [`GET ${finn.toLowerCase()}`, 1],
  [`GET ${finn}/`, 1],
  [`GET /${finn}`, 1],
  [`GET ${finn}#x`, 1],
  [`GET http://localhost${finn}`, 1],
  ['GET /app/ukjent', 1],
])('%s reaches its endpoint through the router %d times', async (line, times) => {
  await conversationOf(known(line, ['Connection: close']))
  expect(routed).toBe(times)
})

describe.each([
  ['without the router', '/fixed'],
  ['through the router', '/fixe%64'],
])('%s', (_, path) => {
  let lines = ''
  let http: HttpServer
  let handle: (request: Request) => Promise<Reply>
  let toErrorReply: () => Reply
  beforeEach(() => {
    lines = ''
    handle = async () => ({ status: 200, headers: {}, body: 'served' })
    toErrorReply = () => ({ status: 500, headers: {}, body: 'failed' })
    http = createPlainHttpServer({
      endpoints: [{ method: 'GET', path: '/fixed', bodyBytesMax: 0, handle: (request) => handle(request) }],
      toErrorReply: () => toErrorReply(),
      log: { level: 'info', clock: () => 0, stream: { write: (line) => void (lines += line) } },
    })
  })
  afterEach(() => http.stop())

  test('an error that has no error reply closes the connection, and is logged', async () => {
    const at = await http.listen(0, '127.0.0.1')
    handle = () => Promise.reject(new Error('first'))
    toErrorReply = () => {
      throw new Error('second')
    }
    expect(await conversationOf(call(`GET ${path}`, ['Connection: close']), at)).toBe('')
    expect(lines).toContain('"msg":"a request got no reply"')
    expect(lines).toContain('second')
    handle = async () => ({ status: 200, headers: {}, body: 'served' })
    expect(await conversationOf(call(`GET ${path}`, ['Connection: close']), at)).toMatch(/served$/)
  })

  test('an invalid header in a reply becomes an error', async () => {
    const at = await http.listen(0, '127.0.0.1')
    handle = async () => ({ status: 200, headers: { 'X-Text': 'a\r\nb' }, body: 'served' })
    expect(await conversationOf(call(`GET ${path}`, ['Connection: close']), at)).toMatch(/^HTTP\/1.1 500 [^]*failed$/)
  })

  test('an error event of a response does not end the process', async () => {
    await http.ready()
    const thrown: unknown[] = []
    const node = createServer((message, response) => {
      http.dispatch(message, response)
      try {
        response.emit('error', new Error('of the socket'))
      } catch (error) {
        thrown.push(error)
      }
    })
    await once(node.listen(0, '127.0.0.1'), 'listening')
    const { port } = node.address() as AddressInfo
    expect(await conversationOf(call(`GET ${path}`, ['Connection: close']), `http://127.0.0.1:${port}`)).toMatch(
      /served$/,
    )
    expect(thrown).toEqual([])
    node.close()
  })

  test('a stopping server closes the connection after the reply, and ends an endless one', async () => {
    const at = await http.listen(0, '127.0.0.1')
    const arrived = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    handle = async ({ search }) => {
      if (search === 'endless')
        return { status: 200, headers: {}, body: endless(stopped.promise), onStop: stopped.resolve }
      arrived.resolve()
      await released.promise
      return { status: 200, headers: {}, body: 'served' }
    }
    const open = openRawConnection(at)
    await open.send(call(`GET ${path}?endless`))
    await open.waitFor(/first/)
    const pending = openRawConnection(at)
    await pending.send(call(`GET ${path}`))
    await arrived.promise
    const ended = http.stop()
    released.resolve()
    expect(await pending.ended).toMatch(/\r\nConnection: close\r\n[^]*served$/)
    expect(await open.ended).toMatch(/last\r\n0\r\n\r\n$/)
    await ended
  })
})

async function* endless(end: Promise<void>) {
  yield 'first'
  await end
  yield 'last'
}
