// A raw HTTP connection: the test controls when bytes are sent and inspects what was received.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'

export interface RawConnection {
  /** Resolves when the bytes are written. */
  send(bytes: string | Buffer): Promise<void>
  /** Everything received so far. */
  received(): string
  /** Resolves when the received text matches; rejects when the connection closes first. */
  waitFor(pattern: RegExp): Promise<string>
  /** Resolves with everything received when the connection has ended. */
  readonly ended: Promise<string>
  /** Stops reading. */
  pause(): void
  resume(): void
  /** Half-closes: sends no more, and keeps reading. */
  finish(): void
  /** Resets the connection. */
  abort(): void
}

/** `from` is the client's address, another one of this machine. */
export function openRawConnection(address: string, from?: string): RawConnection {
  const { port, hostname: host } = new URL(address)
  const local = from === undefined ? {} : { localAddress: from }
  const socket = connect({ port: Number(port), host, allowHalfOpen: true, ...local })
  let received = ''
  const listeners = new Set<() => void>()
  const notifyListeners = () => listeners.forEach((listener) => listener())
  socket.setEncoding('latin1').on('data', (part: string) => {
    received += part
    notifyListeners()
  })
  // Several tests are about servers that close while the client still writes.
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => {
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      notifyListeners()
      resolve(received)
    })
  })
  return {
    send: (bytes) =>
      new Promise((resolve) => {
        socket.write(bytes, () => resolve())
      }),
    received: () => received,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (pattern.test(received)) resolve(received)
          else if (socket.closed) reject(new Error(`closed after: ${received.slice(0, 2000)}`))
          else return
          listeners.delete(check)
        }
        listeners.add(check)
        check()
      }),
    ended,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    finish: () => socket.end(),
    abort: () => socket.destroy(),
  }
}

/** A request head, and what follows it. */
export function request(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

export interface RawHttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The received replies; each must have Content-Length or be chunked. */
export function parseReplies(received: string): RawHttpReply[] {
  const replies: RawHttpReply[] = []
  let rest = received
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`not a reply: ${rest.slice(0, 200)}`)
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((header) => {
        const [name = '', value = ''] = header.split(/: (.*)/s)
        return [name.toLowerCase(), value]
      }),
    )
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    const after = rest.slice(end + 4)
    const length = Number(headers['content-length'] ?? 0)
    const isChunked = headers['transfer-encoding'] === 'chunked'
    const bodyLength = isChunked ? after.indexOf('0\r\n\r\n') + 5 : length
    replies.push({ status, headers, body: after.slice(0, bodyLength) })
    rest = after.slice(bodyLength)
  }
  return replies
}

/** One request on a connection of its own, until it closes. */
export async function sendRequest(address: string, bytes: string | Buffer): Promise<RawHttpReply> {
  const connection = openRawConnection(address)
  await connection.send(bytes)
  const [reply] = parseReplies(await connection.ended)
  if (reply === undefined) throw new Error('the server closed without a reply')
  return reply
}

/** The server's sockets of the connections that are made from now on. */
export function watchSockets() {
  const sockets: Socket[] = []
  const seen = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    sockets.push(socket)
  }
  subscribe('net.server.socket', seen)
  return { sockets, stop: () => unsubscribe('net.server.socket', seen) }
}
