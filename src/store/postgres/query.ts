// Queries on a PostgreSQL connection: those of one turn are sent together, with one deadline.
import { Client, type ClientBase } from 'pg'
import {
  PreparedQuery,
  SimpleQuery,
  type BoundValues,
  type NamedText,
  type ReceivedResult,
  type ReceivingQuery,
} from './prepared-query.ts'
import { ListeningClient } from './primary.ts'

export function runNamed(client: ClientBase, named: NamedText, bound: BoundValues): Promise<ReceivedResult> {
  return run(client, (onEnd) => new PreparedQuery(named, bound, onEnd))
}

/** One or several commands without values; the result is that of the last one. */
export function runText(client: ClientBase, text: string): Promise<ReceivedResult> {
  return run(client, (onEnd) => new SimpleQuery(text, onEnd))
}

function run(client: ClientBase, create: (onEnd: (error: unknown) => void) => ReceivingQuery): Promise<ReceivedResult> {
  gatherQueries(client)
  const deadline = client instanceof ListeningClient ? client.deadline : null
  return new Promise((resolve, reject) => {
    const query = create((error) => {
      deadline?.settle()
      if (error === null) resolve(query)
      else reject(error)
    })
    // Throws where the values cannot be encoded: then no reply is expected.
    client.query(query)
    deadline?.expect()
  })
}

/**
 * What a client queries in one turn of the event loop is sent in one message: to send it, and to wake the process of the
 * database, costs more than a short query itself.
 */
function gatherQueries(client: ClientBase): void {
  if (!(client instanceof Client)) return
  const { stream } = client.connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}
