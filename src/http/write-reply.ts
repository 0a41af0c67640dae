// A reply becomes bytes on Node's own response: its head, and its body in one piece or in pieces.
import type { ServerResponse } from 'node:http'
import { Readable, pipeline } from 'node:stream'
import type { Limits } from '#http/limits.ts'
import type { Reply } from '#http/request.ts'

/** `common` are the headers that every answer carries; those of the reply come before them. */
export const writeReply = (
  response: ServerResponse,
  { status, headers, cookies, body, isDropped }: Reply,
  common: Readonly<Record<string, string>>,
  limits: Limits,
): void => {
  if (isDropped) {
    response.destroy()
    return
  }
  const set = cookies === undefined ? undefined : { 'Set-Cookie': [...cookies] }
  const head = { ...common, ...headers, ...set }
  if (body !== null && typeof body !== 'string' && !Buffer.isBuffer(body)) {
    response.writeHead(status, head)
    stream(Readable.from(body, { objectMode: false }), response, limits)
    return
  }
  const hasLength = status !== 204 && status !== 304
  const length = body === null ? 0 : Buffer.byteLength(body)
  response.writeHead(status, hasLength ? { ...head, 'Content-Length': length } : head)
  response.end(body ?? undefined)
}

/** What fails on the way cuts the connection: a caller that misses the last chunk knows. */
const stream = (body: Readable, response: ServerResponse, limits: Limits): void => {
  const end = setTimeout(() => response.destroy(), limits.streamTimeoutMs)
  pipeline(body, response, () => clearTimeout(end))
}
