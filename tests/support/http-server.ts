// HTTP server without an API: it authenticates nobody, and adds no headers.
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/http/server.ts'

/** By default it replies 404 without an endpoint, and 500 to an error. */
export function createPlainHttpServer(options: Partial<HttpServerOptions>): HttpServer {
  return createHttpServer({
    endpoints: [],
    fallback: async () => ({ status: 404, headers: {}, body: null }),
    toErrorReply: () => ({ status: 500, headers: {}, body: null }),
    admit: () => {},
    isOverTls: () => false,
    clientNetwork: () => '',
    isProxy: () => false,
    monotonicMs: () => performance.now(),
    headers: {},
    log: false,
    ...options,
  })
}
