import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { acceptFirst } from '../../src/http/accept-first.ts'
import { yieldToEventLoop } from '../../src/lib/yield-to-event-loop.ts'

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

test('in a burst of connections, long work gets few slices until all connections are accepted', async () => {
  const { slices } = await burst(1_000)
  expect(slices).toBeLessThan(connections / 10)
})

interface Burst {
  /** How many connections were accepted when each request was handled. */
  readonly acceptedAtRequest: readonly number[]
  /** Of long work, from the first accepted connection to the last. */
  readonly slices: number
}

async function burst(waitMsMax: number): Promise<Burst> {
  let accepted = 0
  let slices = 0
  const over = new AbortController()
  const work = async () => {
    while (!over.signal.aborted) {
      await yieldToEventLoop()
      if (accepted > 0 && accepted < connections) slices++
    }
  }
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
  const working = work()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('connect', () => socket.write(request)).resume()
      await once(socket, 'close')
    }),
  )
  server.close()
  over.abort()
  await working
  return { acceptedAtRequest, slices }
}
