// A stop that loses nothing: what was accepted is answered, idle connections go, and nobody waits forever.
import type { FastifyInstance } from 'fastify'

const stopping = new WeakSet<FastifyInstance['server']>()

export const isStopping = ({ server }: FastifyInstance): boolean => stopping.has(server)

export const stopServer = async (app: FastifyInstance, timeoutMs: number): Promise<void> => {
  stopping.add(app.server)
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  const deadline = setTimeout(() => app.server.closeAllConnections(), timeoutMs)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(deadline)
  }
}
