// Connection pooling between server and PostgreSQL: whether there is a pooler, and whether connections are shared.
import type { PoolClient } from 'pg'
import { configurationError } from '../../lib/operator-error.ts'
import { openPool } from './pool.ts'

/** `session`: behind a pooler, a connection is the same one of PostgreSQL until it ends; `transaction`: it may change. */
type Pooling = 'none' | 'session' | 'transaction'

/**
 * Each of two connections keeps its process of PostgreSQL, unless a pooler shares them: one that lends the connection used last
 * gives both the same, one that lends them in turn gives one client two in succession. Where other clients use the
 * pooler meanwhile, a round may miss that, which has to happen in every round.
 */
export async function findPooling(url: string, signal?: AbortSignal): Promise<Pooling> {
  const pool = openPool(url, { max: 2 }, signal)
  const clients: PoolClient[] = []
  try {
    const first = await pool.connect()
    clients.push(first)
    const second = await pool.connect()
    clients.push(second)
    const ids = new Set<unknown>()
    for (let round = 0; round < rounds; round++) {
      const id = await findProcessId(first)
      ids.add(id).add(await findProcessId(first))
      if (ids.size > 1 || (await findProcessId(second)) === id) return 'transaction'
    }
    // The driver has the process id that a pooler sends; its types do not have it.
    return 'processID' in first && ids.has(first.processID) ? 'none' : 'session'
  } finally {
    for (const client of clients) client.release(true)
    await pool.end()
  }
}

const rounds = 5

/** Throws an `OperatorError` where connections are shared: role, company and time limit are settings of a connection. */
export async function assertOwnConnections(url: string, signal?: AbortSignal): Promise<void> {
  const pooling = await findPooling(url, signal)
  if (pooling === 'transaction') throw configurationError(sharedConnections)
}

export const sharedConnections =
  'A connection pooler gives connections to PostgreSQL for one transaction: set its mode to session (pool_mode=session), or connect to PostgreSQL itself.'

async function findProcessId(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id')
  return rows[0]?.id
}
