// Writes a reply to Node's response: head, and body at once or streamed.
import type { ServerResponse } from 'node:http'
import { Readable, pipeline } from 'node:stream'
import type { Limits } from './limits.ts'
import type { Reply } from './request.ts'

/** `common` are the headers of every reply; those of the reply override them. */
export function writeReply(
  response: ServerResponse,
  { status, headers, cookies, body, isDropped }: Reply,
  common: Readonly<Record<string, string>>,
  limits: Limits,
): void {
  const isStreamed = body !== null && typeof body !== 'string' && !Buffer.isBuffer(body)
  if (isDropped) {
    response.destroy()
    return
  }
  if (isStreamed && response.destroyed) {
    void closeUnreadBody(body)
    return
  }
  const set = cookies === undefined ? undefined : { 'Set-Cookie': [...cookies] }
  const head = { ...common, ...headers, ...set }
  if (isStreamed) {
    response.writeHead(status, head)
    streamBody(Readable.from(body, { objectMode: false }), response, limits)
    return
  }
  // The length in a reply to HEAD must equal that of GET (RFC 9110, 8.6).
  const isHead = body === null && response.req.method === 'HEAD'
  const hasLength = status !== 204 && status !== 304 && !isHead
  const length = body === null ? 0 : Buffer.byteLength(body)
  response.writeHead(status, hasLength ? { ...head, 'Content-Length': length } : head)
  response.end(body ?? undefined)
}

/**
 * The client has disconnected. The body is started and ended: a generator that never started would not run its `finally`,
 * and so would not release what it holds.
 */
async function closeUnreadBody(body: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of body) break
  } catch {
    // No client is left to report it to.
  }
}

/** An error closes the connection, so that the client detects the missing last chunk. */
function streamBody(body: Readable, response: ServerResponse, limits: Limits): void {
  const end = setTimeout(() => response.destroy(), limits.streamTimeoutMs)
  pipeline(body, response, () => clearTimeout(end))
}
