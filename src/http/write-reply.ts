// Writes a reply to Node's response: head, and body at once or streamed.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable, pipeline } from 'node:stream'
import type { Limits } from './limits.ts'
import type { Reply } from './request.ts'

/** `head` has the headers of every reply, and becomes the head of this one, whose own headers override them. */
export function writeReply(
  response: ServerResponse,
  { status, headers, cookies, body, isDropped }: Reply,
  head: OutgoingHttpHeaders,
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
  Object.assign(head, headers)
  if (cookies !== undefined) head['Set-Cookie'] = [...cookies]
  if (isStreamed) {
    response.writeHead(status, head)
    streamBody(Readable.from(body, { objectMode: false }), response, limits)
    return
  }
  // The length in a reply to HEAD must equal that of GET (RFC 9110, 8.6).
  const isHead = body === null && response.req.method === 'HEAD'
  if (status !== 204 && status !== 304 && !isHead)
    head['Content-Length'] = body === null ? 0 : Buffer.byteLength(body)
  response.writeHead(status, head)
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
