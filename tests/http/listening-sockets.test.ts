// A server that listens on sockets which another process has bound, as workers do.
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { bindSockets, type ListeningSocket } from '../../src/http/listening-sockets.ts'
import { createPlainHttpServer } from '../support/http-server.ts'

function answering() {
  return createPlainHttpServer({ fallback: async () => ({ status: 200, headers: {}, body: 'here' }) })
}

function portOf(socket: ListeningSocket | undefined): number {
  const name: { port?: number } = {}
  socket?.getsockname(name)
  return name.port ?? 0
}

function ask(port: number): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', resolve)
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? '')).end()
  })
}

test('a server replies on each of several sockets, and on none after it has stopped', async () => {
  const sockets = [
    ...(await bindSockets(0, '127.0.0.1')),
    ...(await bindSockets(0, '127.0.0.1')),
    ...(await bindSockets(0, '127.0.0.1')),
  ]
  const ports = sockets.map(portOf)
  expect(new Set(ports).size).toBe(3)
  const server = answering()
  expect(await server.listenOn(sockets)).toBe(`http://127.0.0.1:${ports[0]}`)
  expect(await Promise.all(ports.map(ask))).toEqual(['here', 'here', 'here'])
  await server.stop()
  expect(await Promise.all(ports.map(ask))).toEqual(Array(3).fill('ECONNREFUSED'))
})

test('all addresses of localhost have the same port', async () => {
  const sockets = await bindSockets(0, 'localhost')
  expect(new Set(sockets.map(portOf)).size).toBe(1)
  for (const socket of sockets) socket.close()
})

test('a port in use is rejected, and so is an address of another machine', async () => {
  const server = answering()
  const [socket] = await bindSockets(0, '127.0.0.1')
  const port = portOf(socket)
  await server.listenOn(socket === undefined ? [] : [socket])
  await expect(bindSockets(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await expect(bindSockets(0, '192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
  await server.stop()
})
