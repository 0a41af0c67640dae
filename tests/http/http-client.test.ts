// The outbound HTTP client: allowed hosts only, limited size, no redirects, no decompression.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpClient } from '../../src/http/http-client.ts'

const get = { method: 'GET', headers: {}, body: null }

async function serve(reply: RequestListener) {
  const received: IncomingMessage[] = []
  const server = createServer((request, response) => {
    received.push(request)
    reply(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, port, received }
}

test('a host that is not allowed is not called, whatever similar host is allowed', async () => {
  const { address, port, received } = await serve((_, response) => response.end('{}'))
  for (const hosts of [[], ['localhost'], ['127.0.0.1.example']])
    await expect(createHttpClient(hosts)(address, get)).rejects.toMatchObject({ code: 'OUTBOUND_REFUSED' })
  await expect(createHttpClient(['127.0.0.1'])(`http://localhost:${port}`, get)).rejects.toMatchObject({
    code: 'OUTBOUND_REFUSED',
  })
  expect(received).toEqual([])
  expect(await (await createHttpClient(['127.0.0.1'])(address, get)).text()).toBe('{}')
})

test('plain HTTP is allowed for this machine alone, even for an allowed host', async () => {
  await expect(createHttpClient(['login.example'])('http://login.example/', get)).rejects.toMatchObject({
    code: 'OUTBOUND_REFUSED',
  })
})

test('the body is sent, and status and content type are returned', async () => {
  let body = ''
  const { address, received } = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"x"}')
    })
  })
  const headers = { 'content-type': 'text/plain', accept: 'application/json' }
  const reply = await createHttpClient(['127.0.0.1'])(address, { method: 'POST', headers, body: 'å=1' })
  expect([reply.status, reply.headers.get('content-type'), body]).toEqual([400, 'application/json', 'å=1'])
  expect(await reply.json()).toEqual({ error: 'x' })
  expect(received[0]?.headers).toMatchObject({ ...headers, 'accept-encoding': 'identity' })
})

test.each([204, 205, 304])('%i is a response without a body', async (status) => {
  const { address } = await serve((_, response) => response.writeHead(status).end())
  expect((await createHttpClient(['127.0.0.1'])(address, get)).status).toBe(status)
})

test('an invalid HTTP status fails the call, and nothing else', async () => {
  const { address } = await serve((_, response) => response.writeHead(999).end('x'))
  await expect(createHttpClient(['127.0.0.1'])(address, get)).rejects.toThrow(RangeError)
})

test('a reply that switches protocols fails the call', async () => {
  const { address } = await serve((_, { socket }) => {
    socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  })
  await expect(createHttpClient(['127.0.0.1'])(address, get)).rejects.toThrow('switches protocols')
})

test('a redirect is returned and not followed', async () => {
  const { address, received } = await serve((_, response) => response.writeHead(302, { location: '/there' }).end())
  expect((await createHttpClient(['127.0.0.1'])(address, get)).status).toBe(302)
  expect(received).toHaveLength(1)
})

test('compressed responses are not decompressed', async () => {
  const { address } = await serve((_, response) =>
    response.writeHead(200, { 'content-encoding': 'br' }).end(Buffer.from([0x8b, 0x02])),
  )
  const reply = await createHttpClient(['127.0.0.1'])(address, get)
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(Buffer.from([0x8b, 0x02]))
})

test('a response over one mebibyte is cut off, and a truncated one fails the call', async () => {
  const { address } = await serve(({ url }, response) => {
    if (url === '/long') response.end(Buffer.alloc((1 << 20) + 1))
    else response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy())
  })
  const call = createHttpClient(['127.0.0.1'])
  await expect(call(`${address}/long`, get)).rejects.toThrow('too large')
  await expect(call(`${address}/short`, get)).rejects.toThrow()
})
