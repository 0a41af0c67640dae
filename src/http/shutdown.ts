// Graceful shutdown: accepted requests get replies, idle connections are closed, with a time limit.
import type { Server } from 'node:http'
import type { Server as SocketServer, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pendingResponse } from './failures.ts'

/** The open connections of a server. */
export type Connections = ReadonlySet<Socket>

export function watchConnections(server: Server): Connections {
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return connections
}

export async function stopServer(
  app: FastifyInstance,
  /** Servers that accept connections for it on additional sockets. */
  additionalServers: readonly SocketServer[],
  connections: Connections,
  timeoutMs: number,
): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  // Node counts a connection with an incomplete request as busy, and stops its timeouts on close.
  const incomplete = setInterval(() => {
    for (const socket of connections)
      if (pendingResponse(socket) === undefined && socket.writableLength === 0) socket.destroy()
  }, firstRequestTimeoutMs)
  const deadline = setTimeout(() => app.server.closeAllConnections(), timeoutMs)
  try {
    const closed = additionalServers.map((one) => new Promise((resolve) => one.close(resolve)))
    await Promise.all([app.close(), ...closed])
  } finally {
    clearInterval(sweep)
    clearInterval(incomplete)
    clearTimeout(deadline)
  }
}

/** How long an incomplete request may take to become complete during shutdown. */
const firstRequestTimeoutMs = 1000
