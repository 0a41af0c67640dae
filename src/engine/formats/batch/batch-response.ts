// Serialization of batch replies as they are produced: multipart/mixed, or one JSON object.
import { STATUS_CODES } from '../../../lib/node-http.ts'
import type { BatchRequest } from './batch-request.ts'

export interface BatchReply {
  readonly request: Pick<BatchRequest, 'id' | 'group'>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | readonly (string | Buffer)[] | AsyncIterable<string | Buffer> | null
}

/** Replies that are sent together: of one request, or of a whole group. */
export interface BatchReplyGroup {
  readonly replies: readonly BatchReply[]
  /** A change set that succeeded: its replies are nested in a part of their own. */
  readonly isChangeSet: boolean
}

export type BatchChunks = AsyncGenerator<string | Buffer>

export interface BatchFormat {
  readonly contentType: string
  readonly serialize: (steps: AsyncIterable<BatchReplyGroup>) => BatchChunks
}

/** `unique` must not occur in any reply; no boundary is a prefix of another. */
export function multipartFormat(unique: string): BatchFormat {
  return {
    contentType: `multipart/mixed; boundary=batch_${unique}`,
    serialize: async function* (groups) {
      const boundary = `batch_${unique}`
      const inner = `changeset_${unique}`
      for await (const { replies, isChangeSet } of groups) {
        if (isChangeSet) yield `--${boundary}\r\nContent-Type: multipart/mixed; boundary=${inner}\r\n\r\n`
        for (const reply of replies) yield* serializePart(isChangeSet ? inner : boundary, reply)
        if (isChangeSet) yield `--${inner}--\r\n`
      }
      yield `--${boundary}--\r\n`
    },
  }
}

async function* serializePart(boundary: string, { request, status, headers, body }: BatchReply): BatchChunks {
  // The id comes from the client and may contain a line break.
  const id = request.id === null ? '' : `Content-ID: ${request.id.replace(/[^\x21-\x7e]+/g, encodeURIComponent)}\r\n`
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = typeof body === 'string' ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''
  const head =
    `--${boundary}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n${id}\r\n` +
    `HTTP/1.1 ${status} ${reasonPhrases[status] ?? 'Status'}\r\n${lines.join('')}${length}\r\n`
  yield* serializeBody(head, body, '\r\n')
}

/** Node still has the names of RFC 7231 and RFC 4918 for two of them. */
const reasonPhrases: typeof STATUS_CODES = { ...STATUS_CODES, 413: 'Content Too Large', 422: 'Unprocessable Content' }

/** Header names are lower-case in JSON batches (OData JSON 4.01, 19.2). */
export function jsonBatchFormat(contentType: string): BatchFormat {
  return {
    contentType,
    serialize: async function* (groups) {
      let separator = ''
      yield '{"responses":['
      for await (const { replies } of groups)
        for (const reply of replies) {
          yield* serializeReply(separator, reply)
          separator = ','
        }
      yield ']}'
    },
  }
}

async function* serializeReply(separator: string, { request, status, headers, body }: BatchReply): BatchChunks {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const members = {
    ...(request.id === null ? {} : { id: request.id }),
    ...(request.group === null ? {} : { atomicityGroup: request.group }),
    status,
    headers: Object.fromEntries(lower),
  }
  const start = separator + JSON.stringify(members).slice(0, -1)
  const type = headers['Content-Type'] ?? ''
  if (body === null || body === '') yield `${start}}`
  else if (/\bjson\b/i.test(type)) yield* serializeBody(`${start},"body":`, body, '}')
  else yield `${start},"body":${JSON.stringify(await readWholeBody(body))}}`
}

/** In one chunk if the body is a string. */
async function* serializeBody(start: string, body: BatchReply['body'], end: string): BatchChunks {
  if (body === null || typeof body === 'string') yield start + (body ?? '') + end
  else if (Buffer.isBuffer(body)) yield* [start, body, end]
  else {
    // Nothing is yielded outside of the loop, which so releases what the body holds wherever the client disconnects.
    let before = start
    for await (const chunk of body) {
      if (before !== '') yield before
      before = ''
      yield chunk
    }
    yield before + end
  }
}

async function readWholeBody(body: NonNullable<BatchReply['body']>): Promise<string> {
  if (typeof body === 'string') return body
  let text = ''
  for await (const chunk of serializeBody('', body, '')) text += chunk.toString()
  return text
}
