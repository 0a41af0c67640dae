// Limits on size and time: oversized and slow requests are rejected and disconnected, and hold no resources.
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { appPaths } from '../../src/app/contract/endpoints.ts'
import { ApiError } from '../../src/errors/api-error.ts'
import { limits, type Limits } from '../../src/http/limits.ts'
import type { Reply, Request } from '../../src/http/request.ts'
import type { HttpServer } from '../../src/http/server.ts'
import { sqlite } from '../support/databases.ts'
import { createPlainHttpServer } from '../support/http-server.ts'
import { useTestServer, type TestServer, type TestServerOptions } from '../support/server.ts'
import {
  parseReplies,
  sendRequest,
  openRawConnection,
  request,
  watchSockets,
  type RawHttpReply,
} from './conversation.ts'

const KiB = 1024
const MiB = 1024 * KiB
const finn = '/dev/Omsetning/Finn'
const lagre = '/dev/Omsetning/Lagre'
const list = '/dev/Omsetning/LagreEllerOppdaterListe'

const server = useTestServer(sqlite, 'limits')
const secondInstances: TestServer[] = []
afterEach(async () => {
  for (const secondInstance of secondInstances.splice(0)) await secondInstance.close()
})

/** The URL of a server with limits that a test can reach. */
async function serverWith(changed: Partial<Limits>, settings: TestServerOptions['settings'] = {}): Promise<string> {
  const options = { limits: { ...limits, ...changed }, settings }
  const secondInstance = await server.secondInstance(options)
  secondInstances.push(secondInstance)
  return secondInstance.http.listen(0, '127.0.0.1')
}

/** The bytes of bodies that it has received and not replied to. */
function came(): number | undefined {
  return secondInstances[0]?.http.load().bodyBytesInFlight
}

/** A server with one endpoint, which accepts bodies of one MiB. */
function serverOf(method: 'GET' | 'POST', handle: (request: Request) => Promise<Reply>): HttpServer {
  const server = createPlainHttpServer({
    endpoints: [{ method, path: '/pieces', bodyBytesMax: MiB, handle }],
    fallback: handle,
    toErrorReply: (error) => ({ status: error instanceof ApiError ? error.status : 500, headers: {}, body: null }),
  })
  onTestFinished(() => server.stop())
  return server
}

function head(path: string, ...lines: string[]) {
  return request([
    `${path === finn || path === '/livez' ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'Host: localhost',
    `tb-key: ${server.tenantA.key}`,
    'Content-Type: application/json',
    ...lines,
  ])
}

function expectClosing({ status, headers, body }: RawHttpReply): string {
  expect(headers['connection']).toBe('close')
  const { error } = JSON.parse(body)
  expect(error.requestId).toBe(headers['x-request-id'])
  return `${status} ${error.code}`
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

describe('timeouts', () => {
  test('incomplete headers and silent connections are cut off', async () => {
    const address = await serverWith({ headersTimeoutMs: 300 })
    const slow = openRawConnection(address)
    await slow.send(`GET ${finn} HTTP/1.1\r\nHost: local`)
    const silent = openRawConnection(address)
    for (const received of await Promise.all([slow.ended, silent.ended])) {
      const [reply] = parseReplies(received)
      if (reply === undefined) throw new Error('closed without an answer')
      expect(expectClosing(reply)).toBe('408 RequestTimeout')
    }
  })

  test('a body slower than the minimum rate is cut off, and one that keeps it is accepted', async () => {
    const address = await serverWith({ bodyTimeoutMs: 900, bodyBytesPerSecondMin: 20 })
    const row = JSON.stringify({ AvdelingID: '20', Omsetning: 1, Merknad: 'langsomt '.repeat(12) })
    const slow = openRawConnection(address)
    await slow.send(head(lagre, `Content-Length: ${row.length}`) + row.slice(0, 5))
    const steady = openRawConnection(address)
    await steady.send(head(lagre, 'Transfer-Encoding: chunked', 'Connection: close'))
    const chunks = row.match(/[^]{1,8}/g) ?? []
    for (const chunk of chunks) {
      await steady.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      await setTimeout(80)
    }
    await steady.send('0\r\n\r\n')
    const [taken] = parseReplies(await steady.ended)
    expect(taken?.status).toBe(200)
    const [cut] = parseReplies(await slow.ended)
    if (cut === undefined) throw new Error('closed without an answer')
    expect(expectClosing(cut)).toBe('408 RequestTimeout')
  })

  test('slow callers do not delay others', async () => {
    const address = await serverWith({})
    const slow = Array.from({ length: 500 }, () => openRawConnection(address))
    await Promise.all(
      slow.map((one, index) =>
        one.send(index % 2 === 0 ? `GET ${finn} HTTP/1.1\r\nX: ` : `${head(lagre, 'Content-Length: 1000')}{`),
      ),
    )
    for (let time = 0; time < 50; time += 1)
      expect((await sendRequest(address, head(finn, 'Connection: close'))).status).toBe(200)
    for (const one of slow) one.abort()
  })
})

describe('pipelined requests', () => {
  const pipelined = 2000

  test('of one connection are handled one after another, and no more are read until those have their replies', async () => {
    let running = 0
    let runningMost = 0
    const release = Promise.withResolvers<void>()
    const server = serverOf('GET', async () => {
      runningMost = Math.max(runningMost, ++running)
      await release.promise
      running--
      return { status: 200, headers: {}, body: null }
    })
    const watched = watchSockets()
    onTestFinished(() => void watched.stop())
    const address = await server.listen(0, '127.0.0.1')
    const client = openRawConnection(address)
    const one = request(['GET /pieces HTTP/1.1', 'Host: localhost', `X-Filler: ${'x'.repeat(KiB)}`])
    void client.send(one.repeat(pipelined))
    await vi.waitFor(() => expect(running).toBe(1))
    const [socket] = watched.sockets
    await vi.waitFor(() => expect(socket?.isPaused()).toBe(true))
    expect(socket?.bytesRead).toBeLessThan(256 * KiB)
    release.resolve()
    await client.send(request(['GET /pieces HTTP/1.1', 'Host: localhost', 'Connection: close']))
    expect(parseReplies(await client.ended).length).toBe(pipelined + 1)
    expect(runningMost).toBe(1)
  })

  test('of many connections are handled one of each in a turn of the event loop', async () => {
    const connections = 40
    let handledInTurn = 0
    let handledMost = 0
    const server = serverOf('GET', async () => {
      if (handledInTurn === 0) setImmediate(() => (handledInTurn = 0))
      handledMost = Math.max(handledMost, ++handledInTurn)
      return { status: 200, headers: {}, body: null }
    })
    const address = await server.listen(0, '127.0.0.1')
    const clients = Array.from({ length: connections }, () => openRawConnection(address))
    const one = request(['GET /pieces HTTP/1.1', 'Host: localhost'])
    const last = request(['GET /pieces HTTP/1.1', 'Host: localhost', 'Connection: close'])
    await Promise.all(clients.map((client) => client.send(one.repeat(pipelined / 10) + last)))
    for (const client of clients) expect(parseReplies(await client.ended).length).toBe(pipelined / 10 + 1)
    // Two of a connection that is read again in the same turn, after the last one that waited.
    expect(handledMost).toBeLessThanOrEqual(2 * connections)
  })
})

describe('callers that disconnect', () => {
  test('during a stream, before its first byte, or during a body release every slot', async () => {
    const address = await serverWith({ bodyBytesInFlightMax: 2 * MiB })
    for (let round = 0; round < 6; round += 1) {
      const streams = Array.from({ length: 6 }, () => openRawConnection(address))
      const bodies = Array.from({ length: 2 }, () => openRawConnection(address))
      for (const one of streams) void one.send(head(finn))
      for (const one of bodies) void one.send(`${head(list, `Content-Length: ${MiB}`)}[${' '.repeat(MiB - 2)}`)
      if (round % 3 === 1) await streams[0]?.waitFor(/^HTTP\/1\.1 200 OK/)
      if (round % 3 === 2) await setTimeout(20)
      for (const one of [...streams, ...bodies]) one.abort()
      await Promise.all([...streams, ...bodies].map((one) => one.ended))
    }
    const statusesOf = async (times: number, bytes: string) =>
      (await Promise.all(Array.from({ length: times }, () => sendRequest(address, bytes)))).map(({ status }) => status)
    // As many as one company may have.
    const stream = head(finn, 'Connection: close')
    await expect.poll(() => statusesOf(6, stream)).toEqual(Array(6).fill(200))
    const body = head(list, `Content-Length: ${MiB}`, 'Connection: close')
    await expect.poll(() => statusesOf(2, `${body}[${' '.repeat(MiB - 2)}]`)).toEqual([200, 200])
  })

  test('before a chunked reply begins cancel that reply, and no other', async () => {
    const ended = Promise.withResolvers<void>()
    const chunks = async function* () {
      try {
        yield '1'
        yield '2'
      } finally {
        ended.resolve()
      }
    }
    expect(await replyTwice(chunks, () => ended.promise)).toBe('1\r\n1\r\n1\r\n2\r\n0\r\n\r\n')
  })

  test('before a long reply is written get nothing, and the server goes on serving others', async () => {
    const text = '1'.repeat(MiB)
    expect((await replyTwice(() => Buffer.from(text))) === text).toBe(true)
    expect((await replyTwice(() => [Buffer.from(text)])) === text).toBe(true)
  })

  /** Sends the reply to a caller that has gone, and then to the one whose received body is returned. */
  async function replyTwice(createBody: () => Reply['body'], sent?: () => Promise<void>): Promise<string> {
    const arrived = Promise.withResolvers<void>()
    const hungUp = Promise.withResolvers<void>()
    const handle = async ({ search }: Request): Promise<Reply> => {
      if (search === 'late') {
        arrived.resolve()
        await hungUp.promise
      }
      return { status: 200, headers: {}, body: createBody() }
    }
    const server = serverOf('GET', handle)
    const address = await server.listen(0, '127.0.0.1')
    const watched = watchSockets()
    const caller = openRawConnection(address)
    await caller.send(request(['GET /pieces?late HTTP/1.1', 'Host: localhost']))
    await arrived.promise
    watched.stop()
    caller.abort()
    for (const socket of watched.sockets) if (!socket.closed) await once(socket, 'close')
    hungUp.resolve()
    await sent?.()
    const next = await sendRequest(address, request(['GET /pieces HTTP/1.1', 'Host: localhost', 'Connection: close']))
    expect(next.status).toBe(200)
    return next.body
  }
})

describe('size limits', () => {
  test('a body is rejected by its Content-Length before a byte is read', async () => {
    const address = await serverWith({})
    for (const [path, max] of [
      [lagre, limits.bodyBytesMax],
      [list, limits.listBytesMax],
    ] as const) {
      const reply = await sendRequest(address, head(path, `Content-Length: ${max + 1}`))
      expect(expectClosing(reply)).toBe('413 BodyTooLarge')
      expect(reply.body).toContain(String(max))
    }
  })

  test('a chunked body is cut off where it exceeds the limit, and no further', async () => {
    const address = await serverWith({ bodyBytesMax: 256 * KiB })
    const watched = watchSockets()
    const caller = openRawConnection(address)
    await caller.send(head(lagre, 'Transfer-Encoding: chunked'))
    const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`
    void (async () => {
      for (let sent = 0; sent < 8 * MiB; sent += chunk.length) await caller.send(chunk)
    })()
    const [reply] = parseReplies(await caller.ended)
    if (reply === undefined) throw new Error('closed without an answer')
    expect(expectClosing(reply)).toBe('413 BodyTooLarge')
    watched.stop()
    const bytesRead = watched.sockets[0]?.bytesRead
    expect(bytesRead).toBeGreaterThan(256 * KiB)
    // One chunk of the socket exceeds the limit, and one more fills the stream that nobody reads
    // from then on.
    expect(bytesRead).toBeLessThan((256 + 2 * 64) * KiB + 16 * KiB)
  })

  test('a caller that sends its whole body before it reads still receives the error', async () => {
    const address = await serverWith({})
    const body = ' '.repeat(4 * MiB)
    for (let time = 0; time < 20; time += 1) {
      const reply = await sendRequest(address, head(lagre, `Content-Length: ${body.length}`) + body)
      expect(expectClosing(reply)).toBe('413 BodyTooLarge')
    }
  })

  test('the buffered bytes of all bodies share a limit; a request beyond it gets 503 with Retry-After', async () => {
    const address = await serverWith({ bodyBytesInFlightMax: 3 * MiB })
    const unfinished = `[${' '.repeat(MiB - 2)}`
    const slow = Array.from({ length: 2 }, () => openRawConnection(address))
    for (const one of slow) await one.send(head(list, `Content-Length: ${MiB}`, 'Connection: close') + unfinished)
    const chunked = openRawConnection(address)
    await chunked.send(`${head(list, 'Transfer-Encoding: chunked')}80000\r\n${' '.repeat(0x80000)}\r\n`)
    const announced = () =>
      sendRequest(address, `${head(list, `Content-Length: ${MiB}`, 'Connection: close')}${unfinished}]`)
    const unannounced = () =>
      sendRequest(
        address,
        `${head(list, 'Transfer-Encoding: chunked', 'Connection: close')}100000\r\n${unfinished}]\r\n0\r\n\r\n`,
      )
    const small = () => sendRequest(address, `${head(list, 'Content-Length: 2', 'Connection: close')}[]`)
    await expect.poll(came, { timeout: 30_000 }).toBe(2.5 * MiB - 2)
    for (const next of [announced, unannounced]) {
      const refused = await next()
      expect(expectClosing(refused)).toBe('503 Overloaded')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await small()).status).toBe(200)
    chunked.abort()
    await expect.poll(came, { timeout: 30_000 }).toBe(2 * MiB - 2)
    expect((await announced()).status).toBe(200)
    for (const one of slow) {
      await one.send(']')
      expect(parseReplies(await one.ended)[0]?.status).toBe(200)
    }
    expect(came()).toBe(0)
    expect((await unannounced()).status).toBe(200)
  })

  test('an announced body that does not arrive reserves nothing', async () => {
    const address = await serverWith({})
    const expecting = head(list, `Content-Length: ${MiB}`, 'Expect: 100-continue')
    const silent = Array.from({ length: 140 }, () => openRawConnection(address))
    for (const one of silent) await one.send(expecting)
    // A request that was sent 100 Continue has a handler waiting for its body.
    for (const one of silent) await one.waitFor(/^HTTP\/1\.1 100 /)
    expect(secondInstances[0]?.http.load().bodyBytesInFlight).toBe(0)
    const row = '{"AvdelingID":"20","Omsetning":1}'
    const length = `Content-Length: ${row.length}`
    const reply = await sendRequest(address, head(lagre, length, 'Connection: close') + row)
    expect([reply.status, JSON.parse(reply.body).Omsetning]).toEqual([200, 1])
    for (const one of silent) one.abort()
  })

  test('bodies of one credential use a part of the limit for all, so that others are accepted', async () => {
    const address = await serverWith({ bodyBytesInFlightMax: 3 * MiB, bodyBytesPerCredentialMax: 2 * MiB })
    const body = `[${' '.repeat(MiB - 2)}]`
    const slow = Array.from({ length: 2 }, () => openRawConnection(address))
    for (const one of slow) await one.send(head(list, `Content-Length: ${MiB}`) + body.slice(0, -1))
    await expect.poll(came, { timeout: 30_000 }).toBe(2 * MiB - 2)
    const own = head(list, `Content-Length: ${MiB}`, 'Connection: close') + body
    expect(expectClosing(await sendRequest(address, own))).toBe('503 Overloaded')
    const others = own.replace(server.tenantA.key, server.tenantB.key)
    expect((await sendRequest(address, others)).status).toBe(200)
    for (const one of slow) one.abort()
    await expect.poll(came, { timeout: 30_000 }).toBe(0)
    expect((await sendRequest(address, own)).status).toBe(200)
  })

  test('bodies of all credentials of one company use a part of the limit for their network, so that others there are accepted', async () => {
    const address = await serverWith({ bodyBytesPerNetworkMax: 3 * MiB, bodyBytesPerCompanyMax: 2 * MiB })
    const second = await server.addCredential(server.tenantA, { scopes: 'revenue:*' })
    const body = `[${' '.repeat(MiB - 2)}]`
    const listWith = (key: string) =>
      head(list, `Content-Length: ${MiB}`, 'Connection: close').replace(server.tenantA.key, key) + body
    const slow = [server.tenantA.key, second.secret].map((key) => ({ key, one: openRawConnection(address) }))
    for (const { key, one } of slow) await one.send(listWith(key).slice(0, -1))
    await expect.poll(came, { timeout: 30_000 }).toBe(2 * MiB - 2)
    const refused = await sendRequest(address, listWith(second.secret))
    expect([expectClosing(refused), refused.body]).toEqual([
      '503 Overloaded',
      expect.stringContaining('bodyBytesPerCompanyMax'),
    ])
    expect((await sendRequest(address, listWith(server.tenantB.key))).status).toBe(200)
    for (const { one } of slow) one.abort()
  })

  test('bodies from one network use a part of the limit for all, so that others are accepted', async () => {
    const address = await serverWith(
      { bodyBytesInFlightMax: 3 * MiB, bodyBytesPerNetworkMax: 2 * MiB },
      { trustProxy: '127.0.0.1' },
    )
    const body = `[${' '.repeat(MiB - 2)}]`
    const listFrom = (client: string, key: string) =>
      head(
        list,
        `Content-Length: ${MiB}`,
        'Connection: close',
        `X-Forwarded-For: ${client}`,
        'X-Forwarded-Proto: https',
      ).replace(server.tenantA.key, key) + body
    const { tenantA, tenantB } = server
    const slow = [tenantA, tenantB].map(({ key }) => ({ key, one: openRawConnection(address) }))
    for (const { key, one } of slow) await one.send(listFrom('203.0.113.1', key).slice(0, -1))
    await expect.poll(came, { timeout: 30_000 }).toBe(2 * MiB - 2)
    const refused = await sendRequest(address, listFrom('203.0.113.1', tenantB.key))
    expect(expectClosing(refused)).toBe('503 Overloaded')
    expect((await sendRequest(address, listFrom('203.0.113.2', tenantB.key))).status).toBe(200)
    for (const { one } of slow) one.abort()
  })

  test('a body is limited to 16 KiB until the caller is known, whatever the endpoint accepts', async () => {
    const server = serverOf('POST', async (incoming) => {
      if (incoming.search === 'known') incoming.caller = { companyId: 1, credentialId: 'one' }
      return { status: 200, headers: {}, body: String((await incoming.body()).length) }
    })
    const address = await server.listen(0, '127.0.0.1')
    const post = (search: string, bytes: number) =>
      sendRequest(
        address,
        request(
          [`POST /pieces${search} HTTP/1.1`, 'Host: localhost', `Content-Length: ${bytes}`, 'Connection: close'],
          ' '.repeat(bytes),
        ),
      )
    expect((await post('', 16 * KiB)).status).toBe(200)
    expect((await post('', 16 * KiB + 1)).status).toBe(413)
    expect((await post('?known', MiB)).status).toBe(200)
  })

  test('a body sent byte by byte uses no more memory than one sent at once', async () => {
    const address = await serverWith({})
    const heapBytes = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = heapBytes()
    const caller = openRawConnection(address)
    await caller.send(head(lagre, 'Transfer-Encoding: chunked', 'Connection: close'))
    for (let sent = 0; sent < MiB; sent += 64 * KiB) await caller.send('1\r\n \r\n'.repeat(64 * KiB))
    await expect.poll(came, { timeout: 30_000 }).toBe(MiB)
    // Stored chunk by chunk it took 220 MB.
    expect(heapBytes() - before).toBeLessThan(20 * MiB)
    caller.abort()
  })

  test('anonymous requests reserve nothing: they are rejected before a byte of the body is counted', async () => {
    const address = await serverWith({ bodyBytesInFlightMax: MiB })
    const anonymousRequest = head(list, `Content-Length: ${MiB}`).replace(/tb-key: .*\r\n/, '')
    for (let time = 0; time < 3; time += 1)
      expect(expectClosing(await sendRequest(address, anonymousRequest))).toBe('401 MissingCredentials')
    const body = `[${' '.repeat(MiB - 2)}]`
    const reply = await sendRequest(address, head(list, `Content-Length: ${MiB}`, 'Connection: close') + body)
    expect(reply.status).toBe(200)
  })

  test('bodies of unauthenticated endpoints have a small limit, because they are read before authentication', async () => {
    const address = await serverWith({})
    const max = limits.publicBodyBytesMax
    const open = [
      appPaths.session,
      appPaths.passkey,
      appPaths.oidcLogin,
      appPaths.invitation,
      appPaths.invitationAccept,
      appPaths.newPassword,
    ]
    for (const path of open) {
      const anonymousRequest = (bytes: number) =>
        head(path, `Content-Length: ${bytes}`, 'Sec-Fetch-Site: same-origin', 'Connection: close')
      expect(expectClosing(await sendRequest(address, anonymousRequest(max + 1)))).toBe('413 BodyTooLarge')
      const reply = await sendRequest(address, `${anonymousRequest(max)}{}${' '.repeat(max - 2)}`)
      expect([path, reply.status !== 413 && reply.status < 500]).toEqual([path, true])
    }
  })

  test('a URL may have the maximum length, and not a byte more', async () => {
    const address = await serverWith({})
    const long = (bytes: number) => head(finn, 'Connection: close').replace(finn, `${finn}?x=`.padEnd(bytes, 'x'))
    expect((await sendRequest(address, long(limits.urlBytesMax))).status).toBe(200)
    const key = `/omsetning/Omsetning(${'1'.repeat(limits.urlBytesMax + 1)})`
    for (const bytes of [long(limits.urlBytesMax + 1), head(finn).replace(finn, key)])
      expect(expectClosing(await sendRequest(address, bytes))).toBe('414 UrlTooLong')
  })

  test('headers are limited in bytes and in number', async () => {
    const address = await serverWith({})
    const own = head(finn, 'Connection: close').split('\r\n').length - 3
    const many = (count: number) =>
      head(finn, 'Connection: close', ...Array.from({ length: count - own }, (_, at) => `X${at}: x`))
    expect((await sendRequest(address, many(limits.headersMax))).status).toBe(200)
    for (const count of [limits.headersMax + 1, 128, 129, 500, 2001])
      expect(expectClosing(await sendRequest(address, many(count)))).toBe('431 HeadersTooLarge')
    const large = (bytes: number) => head(finn, 'Connection: close', `X: ${'x'.repeat(bytes)}`)
    expect((await sendRequest(address, large(limits.headersBytesMax - 500))).status).toBe(200)
    for (const bytes of [limits.headersBytesMax, limits.nodeHeaderBytesMax, MiB])
      expect(expectClosing(await sendRequest(address, large(bytes)))).toBe('431 HeadersTooLarge')
  })

  test('/limits returns the limits of this server', async () => {
    const address = await serverWith({ bodyBytesMax: 4711 })
    const { nodeHeaderBytesMax: _, ...published } = limits
    const { body } = await sendRequest(address, head('/livez', 'Connection: close').replace('livez', 'limits'))
    expect(JSON.parse(body)).toMatchObject({ ...published, bodyBytesMax: 4711 })
  })
})

describe('connections', () => {
  test('of a network without a known caller are limited, and the oldest are closed; others are not', async () => {
    const address = await serverWith({ headersTimeoutMs: 60_000 }, { unauthenticatedConnections: '5' })
    const poll = head(finn).replace(finn, `${finn}?$top=1`)
    const known = Array.from({ length: 10 }, () => openRawConnection(address))
    for (const one of known) {
      await one.send(poll)
      await one.waitFor(/^HTTP\/1\.1 200 /)
    }
    const silent = Array.from({ length: 20 }, () => openRawConnection(address))
    for (const one of silent) await one.send('GET /livez HTTP/1.1\r\n')
    await Promise.all(silent.slice(0, 15).map((one) => one.ended))
    const connections = () => secondInstances[0]?.http.load().connections
    await expect.poll(connections, { timeout: 30_000 }).toBe(15)
    for (const one of silent.slice(15)) {
      await one.send('Host: localhost\r\n\r\n')
      await one.waitFor(/^HTTP\/1\.1 200 /)
    }
    for (const one of known) {
      await one.send(poll)
      await one.waitFor(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 200 /)
    }
    for (const one of [...known, ...silent]) one.abort()
  })

  test('of a trusted proxy are not limited, because they carry the requests of many clients', async () => {
    const address = await serverWith(
      { headersTimeoutMs: 60_000 },
      { unauthenticatedConnections: '5', trustProxy: '127.0.0.2' },
    )
    const openSilent = (from: string) => Array.from({ length: 20 }, () => openRawConnection(address, from))
    const ofProxy = openSilent('127.0.0.2')
    for (const one of ofProxy) await one.send('GET /livez HTTP/1.1\r\n')
    const others = openSilent('127.0.0.3')
    for (const one of others) await one.send('GET /livez HTTP/1.1\r\n')
    // When the limit has closed connections that were opened later, it has been applied to all.
    await Promise.all(others.slice(0, 15).map((one) => one.ended))
    const connections = () => secondInstances[0]?.http.load().connections
    await expect.poll(connections, { timeout: 30_000 }).toBe(25)
    for (const one of ofProxy) {
      await one.send('Host: localhost\r\n\r\n')
      await one.waitFor(/^HTTP\/1\.1 200 /)
    }
    for (const one of [...ofProxy, ...others]) one.abort()
  })
})
