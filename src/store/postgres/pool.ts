// Connection pool of a PostgreSQL server, or of the primary among several.
import { Socket } from 'node:net'
import { Pool, type ClientBase, type PoolConfig } from 'pg'
import { primaryClient, ListeningClient, type ListeningClientConfig } from './primary.ts'
import { urlsOfServers } from '../../lib/postgres-url.ts'

interface OpenPoolOptions extends PoolConfig, ListeningClientConfig {
  /** Where true and the URL names one server, that may be a standby. */
  readonly canBeStandby?: boolean
  /** Runs on each new connection before its first use. */
  readonly prepare?: (client: ClientBase) => Promise<void>
}

/**
 * A broken connection rejects the query that uses it, and is otherwise ignored. `signal` closes every connection, also
 * those that are still opening.
 */
export function openPool(
  url: string,
  { canBeStandby = false, prepare, ...options }: OpenPoolOptions,
  signal?: AbortSignal,
): Pool {
  const config = {
    connectionTimeoutMillis: 5000,
    application_name: 'dagsverk',
    // Node probes every second then, and gives up after ten: an idle connection to a machine that is gone is closed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    ...(signal === undefined ? {} : { stream: abortableSockets(signal) }),
    ...options,
  }
  const [first = url, second] = urlsOfServers(url)
  const pool = new Pool({
    ...config,
    connectionString: first,
    // The pool awaits what it returns.
    // oxlint-disable-next-line typescript/no-misused-promises
    ...(prepare && { onConnect: prepare }),
    Client: canBeStandby && second === undefined ? ListeningClient : primaryClient(url, config),
  })
  // The pool repeats the errors of its idle connections.
  pool.on('error', () => undefined)
  return pool
}

function abortableSockets(signal: AbortSignal): () => Socket {
  const open = new Set<Socket>()
  signal.addEventListener('abort', () => {
    for (const socket of open) socket.destroy()
  })
  return () => {
    const socket = new Socket()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    return socket
  }
}
