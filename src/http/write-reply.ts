// Writes a reply to Node's response: head, and body at once or streamed.
import type { ServerResponse } from 'node:http'
import { Readable, pipeline } from 'node:stream'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import type { Limits } from './limits.ts'
import type { Reply } from './request.ts'

/** The headers of every reply, and how a reply overrides them. */
export class CommonHeaders {
  readonly #fields: readonly string[]
  readonly #valuePositions: ReadonlyMap<string, number>

  constructor(headers: Reply['headers']) {
    this.#fields = Object.entries(headers).flat()
    this.#valuePositions = new Map(Object.keys(headers).map((name, index) => [name, 2 * index + 1]))
  }

  /**
   * The common headers and those of a reply, which overrides those that it spells in the same letter case: names and values in
   * turn, which Node writes faster than the properties of an object.
   */
  with(headers: Reply['headers']): string[] {
    const fields = [...this.#fields]
    for (const name in headers) {
      const value = headers[name] ?? ''
      const position = this.#valuePositions.get(name)
      if (position === undefined) fields.push(name, value)
      else fields[position] = value
    }
    return fields
  }
}

export interface WriteReplyOptions {
  readonly limits: Limits
  /** Called where the body of a streamed reply fails, whose head was sent; not where its client disconnects, or is disconnected. */
  readonly onStreamError: (error: Error) => void
}

/** `fields` are the headers of the reply: names and values in turn, to which those of its length and cookies are added. */
export function writeReply(
  response: ServerResponse,
  { status, cookies = [], body, isDropped }: Reply,
  fields: string[],
  options: WriteReplyOptions,
): void {
  const { limits } = options
  if (isDropped) {
    response.destroy()
    return
  }
  // A client that has gone gets nothing.
  if (response.destroyed) {
    void closeUnreadBody(body)
    return
  }
  for (const cookie of cookies) fields.push('Set-Cookie', cookie)
  if (body !== null && isStream(body)) {
    response.writeHead(status, fields)
    if (response.req.method === 'HEAD') {
      void closeUnreadBody(body)
      response.end()
      return
    }
    streamBody(Readable.from(body, { objectMode: false }), response, options)
    return
  }
  // The length in a reply to HEAD must equal that of GET (RFC 9110, 8.6).
  const isHead = body === null && response.req.method === 'HEAD'
  const bytes = bytesOf(body)
  if (status !== 204 && status !== 304 && !isHead) fields.push('Content-Length', String(bytes))
  response.writeHead(status, fields)
  if (Buffer.isBuffer(body) && body.length > sliceBytes) {
    pipeline(Readable.from(slicesOf(body), { objectMode: false }), response, disconnectSlowReader(response, limits))
    return
  }
  if (bytes > sliceBytes) response.once('close', disconnectSlowReader(response, limits))
  const sent = joinShortPage(body, bytes)
  if (sent === null) response.end()
  // As many characters as bytes are ASCII, which Node writes as Latin-1 without measuring it again.
  else if (typeof sent === 'string') response.end(sent, sent.length === bytes ? 'latin1' : 'utf8')
  else if (isPieces(sent)) {
    // One write for head and pieces.
    response.cork()
    for (const piece of sent) response.write(piece)
    response.end(() => sent.forEach(release))
  } else response.end(sent)
}

type WholeBody = Exclude<Reply['body'], AsyncIterable<unknown>>

/** A page in pieces that are cheaper to join than to write one by one is one text; its buffers are freed. */
export function joinShortPage<Body extends Reply['body']>(body: Body, bytes?: number): Body | string {
  if (body === null || !isPieces(body) || (bytes ?? bytesOf(body)) >= joinedBytesMax) return body
  const text = body.join('')
  body.forEach(release)
  return text
}

const joinedBytesMax = 16_384

/**
 * Frees the memory of a buffer that was sent. V8 counts the bytes of buffers until it collects them, and so marked its whole
 * heap again for every few dozen long pages.
 */
function release(piece: string | Buffer): void {
  if (typeof piece === 'string') return
  const { buffer } = piece
  // A small buffer is a part of the pool of Node.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === piece.byteLength) buffer.transfer(0)
}

/** The reply to a long list: the system copies megabytes for each write, which others would wait for. */
async function* slicesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += sliceBytes) {
    yield body.subarray(at, at + sliceBytes)
    await yieldToEventLoop()
  }
}

const sliceBytes = 256 * 1024

/** 0 for a short or streamed one. */
export function bytesOfLongReply(body: Reply['body']): number {
  if (body === null || isStream(body)) return 0
  const bytes = bytesOf(body)
  return bytes > sliceBytes ? bytes : 0
}

function bytesOf(body: WholeBody): number {
  if (body === null) return 0
  return isPieces(body) ? body.reduce((bytes, piece) => bytes + Buffer.byteLength(piece), 0) : Buffer.byteLength(body)
}

function isStream(body: NonNullable<Reply['body']>): body is AsyncIterable<string | Buffer> {
  return typeof body !== 'string' && !Buffer.isBuffer(body) && !isPieces(body)
}

function isPieces(body: NonNullable<Reply['body']>): body is readonly (string | Buffer)[] {
  return Array.isArray(body)
}

/**
 * Starts and ends a stream that nobody reads: a generator that never started would not run its `finally`, and so would not release
 * what it holds.
 */
export async function closeUnreadBody(body: Reply['body']): Promise<void> {
  if (body === null || !isStream(body)) return
  try {
    for await (const _ of body) break
  } catch {
    // No client is left to report it to.
  }
}

/** An error closes the connection, so that the client detects the missing last chunk. */
function streamBody(body: Readable, response: ServerResponse, { limits, onStreamError }: WriteReplyOptions): void {
  const end = setTimeout(() => response.destroy(), limits.streamTimeoutMs)
  const stopClock = disconnectSlowReader(response, limits)
  pipeline(body, response, (error) => {
    clearTimeout(end)
    stopClock()
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onStreamError(error)
  })
}

/**
 * Closes the connection of a reader that takes less than the minimum rate. Only the time during which data waits for it
 * counts, because the database may be slow too. Returns the function to call when the connection is closed or all is sent.
 */
function disconnectSlowReader(response: ServerResponse, limits: Limits): () => void {
  const { slowReaderTimeoutMs, streamBytesPerSecondMin } = limits
  const sentBefore = bytesSent(response)
  let waitedMs = 0
  const clock = setInterval(() => {
    if (response.writableLength === 0) return
    waitedMs += tickMs
    const sent = bytesSent(response) - sentBefore
    if (waitedMs > slowReaderTimeoutMs + (sent / streamBytesPerSecondMin) * 1000) response.destroy()
  }, tickMs)
  return () => clearInterval(clock)
}

/** What the operating system has taken of the bytes of the connection. */
function bytesSent({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength
}

const tickMs = 1000
