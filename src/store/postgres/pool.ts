// Connections to a PostgreSQL server, of which one may break at any moment.
import { Pool, type PoolConfig } from 'pg'

/** Whoever asks the pool is told by a rejection that its connection broke; nobody else is. */
export const openPool = (url: string, config: PoolConfig): Pool => {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    application_name: 'dagsverk',
    ...config,
  })
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
