// HTTP server for metrics: a separate port on the loopback interface.
import { createServer } from 'node:http'

export interface MetricsDoor {
  close(): void
}

/** Serves `text` at `http://127.0.0.1:port/metrics`. Rejects if the port is in use. */
export async function openMetricsDoor(
  port: number,
  text: () => Promise<string>,
): Promise<MetricsDoor> {
  const server = createServer((request, response) => {
    const isAsked = request.url === '/metrics' && request.method === 'GET'
    const said = isAsked ? text() : Promise.resolve('')
    said.then(
      (metrics) => {
        response.writeHead(isAsked ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4' })
        response.end(metrics)
      },
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
