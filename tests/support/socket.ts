// A raw HTTP request over a socket, for requests that HTTP libraries do not send.
import { connect } from 'node:net'

/** Everything received until the connection closes. */
export function sendRaw(address: string, bytes: string | Buffer): Promise<RawReply> {
  const { port, hostname } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      received += part
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(parseRawReply(received)))
    socket.write(bytes)
  })
}

export interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

function parseRawReply(received: string): RawReply {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const [line = '', ...headers] = head.split('\r\n')
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(
      headers.map((header) => {
        const [name = '', value = ''] = header.split(/: (.*)/s)
        return [name.toLowerCase(), value]
      }),
    ),
    text: rest.join('\r\n\r\n'),
  }
}
