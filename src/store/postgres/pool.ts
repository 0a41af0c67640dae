// Connections to a PostgreSQL server, of which one may break at any moment.
import { Socket } from 'node:net'
import { Pool, type PoolConfig } from 'pg'

/**
 * Whoever asks the pool is told by a rejection that its connection broke; nobody else is. `signal` closes every
 * connection, also those that are still being opened.
 */
export function openPool(url: string, config: PoolConfig, signal?: AbortSignal): Pool {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    application_name: 'dagsverk',
    ...(signal === undefined ? {} : { stream: socketsCutBy(signal) }),
    ...config,
  })
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

function socketsCutBy(signal: AbortSignal): () => Socket {
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
