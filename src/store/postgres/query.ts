// Messages to PostgreSQL: the queries of a client in one turn are sent together.
import { Client, type ClientBase } from 'pg'

/**
 * What a client queries in one turn of the event loop is sent in one message: to send it, and to wake the process of the
 * database, costs more than a short query itself.
 */
export function gatherQueries(client: ClientBase): void {
  if (!(client instanceof Client)) return
  const { stream } = client.connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}
