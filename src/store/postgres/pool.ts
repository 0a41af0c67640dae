// Connection pool of a PostgreSQL server.
import { Socket } from 'node:net'
import { Pool, type PoolConfig } from 'pg'

/**
 * A broken connection rejects the query that uses it, and is otherwise ignored. `signal` closes every connection, also
 * those that are still opening.
 */
export function openPool(url: string, config: PoolConfig, signal?: AbortSignal): Pool {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    application_name: 'dagsverk',
    ...(signal === undefined ? {} : { stream: abortableSockets(signal) }),
    ...config,
  })
  // Without a listener, an error of an idle connection would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
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
