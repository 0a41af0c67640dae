// What goes wrong before or around an endpoint, said in the house's own words.
import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Fault, faults, sentence, type FaultCode } from '../errors/catalog.ts'
import { requestId } from './request-line.ts'

/** Errors of the framework become refusals; anything else passes as it is. */
export function faultOf(error: unknown): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'FST_ERR_BAD_URL') return new Fault('InvalidEncoding', { cause: error })
  return error
}

/** Answers what Node's parser refused; there is no request to speak of, only a socket. */
export function answerBrokenRequest(headers: Readonly<Record<string, string>>) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const running = answerOn(socket)
    if (running?.req.complete || running?.headersSent) {
      // The answer to an earlier request is on its way, and nothing may be taken for it.
      running.once('finish', () => socket.end())
      return
    }
    answerOnSocket(socket, codes[error.code ?? ''] ?? 'MalformedRequest', headers)
  }
}

/** CONNECT asks for a tunnel, and there are none: what comes next would be no HTTP. */
export function refuseTunnel(headers: Readonly<Record<string, string>>) {
  return (_: IncomingMessage, socket: Duplex): void =>
    answerOnSocket(socket, 'MalformedRequest', headers)
}

/** Nothing has moved on a socket for long; an answer that is still being worked out is not the caller's fault. */
export function endIdle(socket: Socket): void {
  if (answerOn(socket)?.headersSent !== false) socket.destroy()
}

function answerOnSocket(
  socket: Duplex,
  code: FaultCode,
  headers: Readonly<Record<string, string>>,
): void {
  const { status } = faults[code]
  const id = requestId(undefined)
  const message = sentence(code, {}, 'en')
  const body = JSON.stringify({
    error: { code, message, requestId: id, outcome: 'not_applied' },
  })
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Language': 'en',
    'Cache-Control': 'no-store',
    'X-Request-Id': id,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** The answer that is being given on a socket; Node tells it there, and looks for it there itself. */
function answerOn(socket: Socket): ServerResponse | undefined {
  const answer = '_httpMessage' in socket ? socket._httpMessage : null
  return answer instanceof ServerResponse ? answer : undefined
}

const codes: Readonly<Record<string, FaultCode>> = {
  HPE_HEADER_OVERFLOW: 'HeadersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'RequestTimeout',
}
