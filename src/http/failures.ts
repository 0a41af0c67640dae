// Errors before an endpoint runs: framework errors, invalid HTTP, CONNECT, idle sockets.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError } from '../errors/api-error.ts'
import { headersTooLargeError, urlTooLongError } from '../errors/request-limits.ts'
import { ServerResponse, STATUS_CODES } from '../lib/node-http.ts'
import type { Limits } from './limits.ts'
import { requestId, urlDecodingError } from './request-line.ts'

/** Maps errors of the framework to `ApiError`; returns any other error unchanged. */
export function toApiError(error: unknown, url: string, limits: Limits): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'FST_ERR_BAD_URL') return urlDecodingError(url, error)
  // A parameter is longer than a whole URL may be.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return urlTooLongError(limits, 'urlBytesMax')
  return error
}

/** Replies to what Node's parser rejected: there is no request, only a socket. */
export function replyToInvalidRequest(headers: Readonly<Record<string, string>>, limits: Limits) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const running = pendingResponse(socket)
    if (running?.req.complete || running?.headersSent) {
      // The reply to an earlier request is being sent; nothing may be written into it.
      running.once('finish', () => socket.end())
      return
    }
    replyOnSocket(socket, toSocketError(error.code, limits), headers)
  }
}

/** Rejects CONNECT: tunnels are not supported. */
export function rejectConnect(headers: Readonly<Record<string, string>>) {
  return (_: IncomingMessage, socket: Duplex): void => replyOnSocket(socket, new ApiError('MalformedRequest'), headers)
}

/** Closes a socket without traffic, unless a reply is still being computed. */
export function destroyIdleSocket(socket: Socket): void {
  if (pendingResponse(socket)?.headersSent !== false) socket.destroy()
}

function replyOnSocket(
  socket: Duplex,
  { status, code, message }: ApiError,
  headers: Readonly<Record<string, string>>,
): void {
  const id = requestId(undefined)
  const body = JSON.stringify({ error: { code, message, requestId: id, outcome: 'not_applied' } })
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

/** The response in progress on a socket, which Node stores in this undocumented property. */
export function pendingResponse(socket: Socket): ServerResponse | undefined {
  const response = '_httpMessage' in socket ? socket._httpMessage : null
  return response instanceof ServerResponse ? response : undefined
}

/** The error for a code of Node's parser. */
function toSocketError(code: string | undefined, limits: Limits): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLargeError(limits, 'headersBytesMax')
  if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('MalformedRequest')
  const params = { seconds: limits.headersTimeoutMs / 1000, limitName: 'headersTimeoutMs' }
  return new ApiError('RequestTimeout', { params })
}
