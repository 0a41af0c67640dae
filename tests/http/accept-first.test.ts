import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { acceptFirst } from '../../src/http/accept-first.ts'

const connections = 200

test('in a burst of connections, requests wait until all connections are accepted', async () => {
  const { acceptedAtRequest } = await burst(1_000)
  expect(acceptedAtRequest).toHaveLength(connections)
  expect(acceptedAtRequest[10]).toBe(connections)
})

test('a request waits for connections only for the time given', async () => {
  const { acceptedAtRequest } = await burst(0)
  expect(acceptedAtRequest).toHaveLength(connections)
  expect(acceptedAtRequest[10]).toBeLessThan(connections / 2)
})

/** How many connections were accepted when each request was handled. */
async function burst(waitMsMax: number): Promise<{ acceptedAtRequest: readonly number[] }> {
  let accepted = 0
  const acceptedAtRequest: number[] = []
  const server = createServer()
  const runAccepted = acceptFirst(server, { monotonicMs: () => performance.now(), waitMsMax })
  server
    .on('connection', () => accepted++)
    .on('request', (_, response) =>
      runAccepted(() => {
        acceptedAtRequest.push(accepted)
        response.end()
      }),
    )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('connect', () => socket.write(request)).resume()
      await once(socket, 'close')
    }),
  )
  server.close()
  return { acceptedAtRequest }
}
