// A raw HTTP connection: the test controls when bytes are sent and inspects what was received.
import { connect } from 'node:net'

export interface Conversation {
  /** Resolves when the bytes are written. */
  send(bytes: string | Buffer): Promise<void>
  /** Everything received so far. */
  heard(): string
  /** Resolves when the received text matches; rejects when the connection closes first. */
  hears(pattern: RegExp): Promise<string>
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

export function converse(address: string): Conversation {
  const { port, hostname } = new URL(address)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  let said = ''
  const listeners = new Set<() => void>()
  const tell = () => listeners.forEach((listener) => listener())
  socket.setEncoding('latin1').on('data', (part: string) => {
    said += part
    tell()
  })
  // Several tests are about servers that close while the client still writes.
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => {
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      tell()
      resolve(said)
    })
  })
  return {
    send: (bytes) =>
      new Promise((resolve) => {
        socket.write(bytes, () => resolve())
      }),
    heard: () => said,
    hears: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (pattern.test(said)) resolve(said)
          else if (socket.closed) reject(new Error(`closed after: ${said.slice(0, 2000)}`))
          else return
          listeners.delete(look)
        }
        listeners.add(look)
        look()
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

export interface Heard {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The received replies; each must have Content-Length or be chunked. */
export function answersIn(said: string): Heard[] {
  const answers: Heard[] = []
  let rest = said
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
    const taken = isChunked ? after.indexOf('0\r\n\r\n') + 5 : length
    answers.push({ status, headers, body: after.slice(0, taken) })
    rest = after.slice(taken)
  }
  return answers
}

/** One request on a connection of its own, until it closes. */
export async function ask(address: string, bytes: string | Buffer): Promise<Heard> {
  const conversation = converse(address)
  await conversation.send(bytes)
  const [answer] = answersIn(await conversation.ended)
  if (answer === undefined) throw new Error('the server closed without a reply')
  return answer
}
