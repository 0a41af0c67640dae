// Graceful shutdown: accepted requests get replies, idle connections are closed, with a time limit.
import type { Server } from 'node:http'
import type { Server as SocketServer, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const stopping = new WeakSet<FastifyInstance['server']>()

export function isStopping({ server }: FastifyInstance): boolean {
  return stopping.has(server)
}

/** The open connections of a server, with the number of their requests in progress. */
export type Connections = ReadonlyMap<Socket, number>

export function watchConnections(server: Server): Connections {
  const connections = new Map<Socket, number>()
  const count = (socket: Socket, change: number) => {
    const running = connections.get(socket)
    if (running !== undefined) connections.set(socket, running + change)
  }
  server.on('connection', (socket) => {
    connections.set(socket, 0)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
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
  stopping.add(app.server)
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  // Node counts a connection with an incomplete request as busy, and stops its timeouts on close.
  const incomplete = setInterval(() => closeWithoutRequest(connections), firstRequestTimeoutMs)
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

function closeWithoutRequest(connections: Connections): void {
  for (const [socket, running] of connections)
    if (running === 0 && socket.writableLength === 0) socket.destroy()
}

/** How long an incomplete request may take to become complete during shutdown. */
const firstRequestTimeoutMs = 1000
