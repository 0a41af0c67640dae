// Messages to PostgreSQL: the queries of a client in one turn are sent together.
import { Client } from 'pg'
import type pg from 'pg'

export type Queryable = Pick<pg.Pool, 'query'> | Pick<pg.ClientBase, 'query'>

/**
 * What a client queries in one turn of the event loop is sent in one message: to send it, and to wake the process of the
 * database, costs more than a short query itself.
 */
export function gatherQueries(client: Queryable): void {
  if (!(client instanceof Client)) return
  const { stream } = client.connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}
