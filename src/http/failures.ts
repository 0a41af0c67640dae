// What goes wrong before or around an endpoint, said in the house's own words.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Fault, type FaultCode, sentence } from '#faults.ts'
import { phrase } from '#phrases.ts'
import { requestId } from '#http/request-line.ts'

/** Errors of the framework become refusals; anything else passes as it is. */
export const faultOf = (error: unknown): unknown => {
  if (error instanceof Fault || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'FST_ERR_BAD_URL') return new Fault('InvalidEncoding', { cause: error })
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Fault('BodyTooLarge', { headers: { Connection: 'close' }, cause: error })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Fault('UnsupportedMediaType', {
      target: 'header:Content-Type',
      says: { type: phrase('given'), allowed: 'application/json' },
      headers: { 'Accept-Post': 'application/json' },
      cause: error,
    })
  if (code.startsWith('FST_ERR_CTP')) return new Fault('MalformedRequest', { cause: error })
  return error
}

/** Answers what Node's parser refused; there is no request to speak of, only a socket. */
export const answerBrokenRequest =
  (headers: Readonly<Record<string, string>>) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const code = codes[error.code ?? ''] ?? 'MalformedRequest'
    const fault = new Fault(code)
    const id = requestId(undefined)
    const body = JSON.stringify({
      error: {
        code,
        message: sentence(code, {}, 'en'),
        requestId: id,
        outcome: 'not_applied',
      },
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
    socket.end(
      `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n${lines.join('')}\r\n${body}`,
    )
  }

const codes: Readonly<Record<string, FaultCode>> = {
  HPE_HEADER_OVERFLOW: 'HeadersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'RequestTimeout',
}
