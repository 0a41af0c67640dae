// Listening sockets that one process binds and sends to its workers, without accepting connections itself.
import type { Worker } from 'node:cluster'
import { lookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import net, { type Server, type Socket } from 'node:net'
import { getSystemErrorMap } from 'node:util'

/**
 * A socket handle that Node can send to another process. Connections wait in its backlog as long as one process has it
 * open, whether or not any accepts them.
 */
export interface ListeningSocket {
  getsockname(name: { port?: number }): number
  close(): void
}

/** Binds the addresses that Fastify would listen on: all of `localhost`, the first of any other name. */
export async function bindSockets(port: number, host: string): Promise<ListeningSocket[]> {
  const [first, ...more] = await lookup(host, { all: true })
  if (first === undefined) throw new Error(`${host} has no address`)
  const socket = bindSocket(first, port)
  if (host !== 'localhost') return [socket]
  const name: { port?: number } = {}
  socket.getsockname(name)
  const others = more.filter(({ address }) => address !== first.address)
  return [socket, ...others.flatMap((one) => bindIfPossible(one, name.port ?? port))]
}

/** Ignores that the worker has just died. */
export function sendSocket(to: Worker, message: object, socket: ListeningSocket): void {
  // Node can send such a handle, but its types do not say so.
  to.send(message, socket as unknown as Socket, () => undefined)
}

/** Makes the server accept connections of another socket too. */
export async function listenOnSocket(server: Server, socket: ListeningSocket): Promise<Server> {
  const additional = net.createServer({ allowHalfOpen: true, noDelay: true }, (connection) => {
    server.emit('connection', connection)
  })
  await once(additional.listen(socket), 'listening')
  return additional
}

function bindIfPossible(one: LookupAddress, port: number): ListeningSocket[] {
  try {
    return [bindSocket(one, port)]
  } catch {
    // Without IPv6, `localhost` may still resolve to `::1`.
    return []
  }
}

function bindSocket({ address, family }: LookupAddress, port: number): ListeningSocket {
  const socket = bind(address, port, family, -1, 0)
  // `bind` does not report a port in use; the first call on the socket does.
  const problem = typeof socket === 'number' ? socket : socket.getsockname({})
  if (typeof socket !== 'number' && problem === 0) return socket
  if (typeof socket !== 'number') socket.close()
  const [code, words] = getSystemErrorMap().get(problem) ?? ['UNKNOWN', 'unknown error']
  throw Object.assign(new Error(`listen ${code}: ${words} ${address}:${port}`), { code })
}

/** The undocumented function by which `node:cluster` binds. Node 22 has no documented one (ADR 0018). */
const { _createServerHandle: bind } = net as unknown as {
  readonly _createServerHandle: (
    address: string,
    port: number,
    family: number,
    fileDescriptor: number,
    flags: number,
  ) => ListeningSocket | number
}
