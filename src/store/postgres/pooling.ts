// Connection pooling between server and PostgreSQL: whether there is a pooler, and whether connections are shared.
import type { PoolClient } from 'pg'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { processIdOf } from './connection.ts'
import { openPool } from './pool.ts'

/** `session`: behind a pooler, a connection is the same one of PostgreSQL until it ends; `transaction`: it may change. */
type Pooling = 'none' | 'session' | 'transaction'

/** While a second connection has a transaction, a pooler that shares connections gives the first another one. */
export async function findPooling(url: string, signal?: AbortSignal): Promise<Pooling> {
  const pool = openPool(url, { max: 2 }, signal)
  const clients: PoolClient[] = []
  const connect = async () => {
    const client = await pool.connect()
    clients.push(client)
    return client
  }
  try {
    const first = await connect()
    const before = await findProcessId(first)
    if (before === processIdOf(first)) return 'none'
    const second = await connect()
    await second.query('begin')
    await findProcessId(second)
    const after = await findProcessId(first)
    return before === after ? 'session' : 'transaction'
  } finally {
    for (const client of clients) client.release(true)
    await pool.end()
  }
}

/** Throws an `OperatorError` where connections are shared: role, company and time limit are settings of a connection. */
export async function assertOwnConnections(url: string, signal?: AbortSignal): Promise<void> {
  const pooling = await findPooling(url, signal)
  if (pooling === 'transaction') throw new OperatorError(sharedConnections, exitCodes.configuration)
}

export const sharedConnections =
  'A connection pooler gives connections to PostgreSQL for one transaction: set its mode to session (pool_mode=session), or connect to PostgreSQL itself.'

async function findProcessId(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id')
  return rows[0]?.id
}
