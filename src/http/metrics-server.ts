// HTTP server for metrics: a separate port on the loopback interface.
import { once } from 'node:events'
import { createServer } from '../lib/node-http.ts'

export interface MetricsServer {
  close(): void
}

/** Serves `text` at `http://127.0.0.1:port/metrics`. Rejects if the port is in use. */
export async function startMetricsServer(port: number, text: () => Promise<string>): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isMetricsRequest = request.url === '/metrics' && request.method === 'GET'
    const body = isMetricsRequest ? text() : Promise.resolve('')
    body.then(
      (metrics) => {
        response.writeHead(isMetricsRequest ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4' })
        response.end(metrics)
      },
      () => response.writeHead(500).end(),
    )
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
