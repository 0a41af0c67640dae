// Unavailable responder: the program of a process that replies 503 while no worker can open the database.
import { currentWorker } from './worker.ts'
import { toErrorReply } from '../../api/error-reply.ts'
import { protectiveHeaders } from '../../api/protective-headers.ts'
import { ApiError } from '../../errors/api-error.ts'
import { limits } from '../../http/limits.ts'
import { createHttpServer, type HttpServer } from '../../http/server.ts'

/** `/livez` replies 200, because a restart would not help; everything else, `/readyz` too, is 503. */
function createResponder(): HttpServer {
  return createHttpServer({
    endpoints: [
      {
        method: 'GET',
        path: '/livez',
        bodyBytesMax: limits.publicBodyBytesMax,
        handle: async () => ({
          status: 200,
          headers: { 'Content-Type': 'application/json; charset=utf-8' },
          body: JSON.stringify({ status: 'alive' }),
        }),
      },
    ],
    fallback: async () => {
      throw new ApiError('DatabaseUnavailable', { headers: { 'Retry-After': '1' } })
    },
    toErrorReply,
    admit: () => undefined,
    isOverTls: () => false,
    // No body is read.
    clientNetwork: () => '',
    // Nobody is authenticated, and every connection gets its reply at once.
    isProxy: () => true,
    // Measures only what would be logged.
    monotonicMs: () => 0,
    headers: protectiveHeaders,
    log: false,
  })
}

const worker = currentWorker()
if (worker !== null) {
  const server = createResponder()
  process.once('SIGTERM', () => void server.stop().finally(() => worker.disconnect()))
  await server.listenOn(await worker.sockets())
}
