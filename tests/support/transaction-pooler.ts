// A connection pooler in transaction mode: outside of transactions each message may go to another connection.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Of one client at a time. The last message of a reply says whether a transaction is open. */
interface Upstream {
  readonly socket: Socket
  client: Socket | null
  /** The beginning of a message. */
  received: Buffer
}

/** Which of the idle connections a client gets: the one that was used last, or each in turn. */
export type LendingOrder = 'last' | 'inTurn'

/** Listens on a port of this machine, in front of the PostgreSQL server of the URL. */
export async function startTransactionPooler(
  target: string,
  order: LendingOrder,
): Promise<{ readonly url: string; close: () => void }> {
  const { hostname, port } = new URL(target)
  const idle: Upstream[] = []
  const sockets: Socket[] = []
  const server = createServer((client) => {
    // The start of the client is that of its own connection, which others use afterwards.
    let lent: Upstream | undefined = { socket: connect(Number(port || 5432), hostname), client, received: Buffer.of() }
    sockets.push(client, lent.socket)
    const { socket } = lent
    const own = lent
    for (const one of [client, socket]) one.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      own.received = Buffer.concat([own.received, bytes])
      for (const message of takeMessages(own)) {
        // The process that a client may cancel is the pooler's.
        if (message[0] === letter('K')) message.writeUInt32BE(1, 5)
        own.client?.write(message)
        if (message[0] !== letter('Z') || message[5] !== letter('I') || own.received.length > 0) continue
        own.client = null
        idle.push(own)
      }
    })
    client.on('data', (bytes: Buffer) => {
      // The end of a client is not that of the connection.
      if (bytes[0] === letter('X')) return
      if (lent?.client !== client) lent = order === 'last' ? idle.pop() : idle.shift()
      if (lent === undefined) {
        client.destroy()
        return
      }
      lent.client = client
      lent.socket.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A type, its length without the type, and its content. */
function* takeMessages(upstream: Upstream): Generator<Buffer> {
  while (upstream.received.length >= 5) {
    const end = 1 + upstream.received.readUInt32BE(1)
    if (upstream.received.length < end) return
    const message = upstream.received.subarray(0, end)
    upstream.received = upstream.received.subarray(end)
    yield message
  }
}

function letter(text: string): number {
  return text.charCodeAt(0)
}
