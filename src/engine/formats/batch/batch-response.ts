// Serialization of batch replies as they are produced: multipart/mixed, or one JSON object.
import type { BatchRequest } from './batch-request.ts'

export interface BatchAnswer {
  readonly request: Pick<BatchRequest, 'id' | 'group'>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | AsyncIterable<string | Buffer> | null
}

/** Replies that are sent together: of one request, or of a whole group. */
export interface BatchStep {
  readonly answers: readonly BatchAnswer[]
  /** A change set that succeeded: its replies are nested in a part of their own. */
  readonly isChangeSet: boolean
}

export type BatchPieces = AsyncGenerator<string | Buffer>

export interface BatchForm {
  readonly contentType: string
  readonly pieces: (steps: AsyncIterable<BatchStep>) => BatchPieces
}

/** `unique` must not occur in any reply; no boundary is a prefix of another. */
export function multipartForm(unique: string): BatchForm {
  return {
    contentType: `multipart/mixed; boundary=batch_${unique}`,
    pieces: async function* (steps) {
      const boundary = `batch_${unique}`
      const inner = `changeset_${unique}`
      for await (const { answers, isChangeSet } of steps) {
        if (isChangeSet)
          yield `--${boundary}\r\nContent-Type: multipart/mixed; boundary=${inner}\r\n\r\n`
        for (const answer of answers) yield* part(isChangeSet ? inner : boundary, answer)
        if (isChangeSet) yield `--${inner}--\r\n`
      }
      yield `--${boundary}--\r\n`
    },
  }
}

async function* part(
  boundary: string,
  { request, status, headers, body }: BatchAnswer,
): BatchPieces {
  const id = request.id === null ? '' : `Content-ID: ${inHeader(request.id)}\r\n`
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = typeof body === 'string' ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''
  const head =
    `--${boundary}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n${id}\r\n` +
    `HTTP/1.1 ${status} ${reasons.get(status) ?? 'Status'}\r\n${lines.join('')}${length}\r\n`
  yield* inPieces(head, body, '\r\n')
}

/** The id comes from the client and may contain a line break. */
function inHeader(name: string): string {
  return name.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}

const reasons: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [204, 'No Content'],
  [304, 'Not Modified'],
  [400, 'Bad Request'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [409, 'Conflict'],
  [412, 'Precondition Failed'],
  [424, 'Failed Dependency'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [503, 'Service Unavailable'],
])

/** Header names are lower-case in JSON batches (OData JSON 4.01, 19.2). */
export function jsonForm(contentType: string): BatchForm {
  return {
    contentType,
    pieces: async function* (steps) {
      let separator = ''
      yield '{"responses":['
      for await (const { answers } of steps)
        for (const answer of answers) {
          yield* object(separator, answer)
          separator = ','
        }
      yield ']}'
    },
  }
}

async function* object(
  separator: string,
  { request, status, headers, body }: BatchAnswer,
): BatchPieces {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const told = {
    ...(request.id === null ? {} : { id: request.id }),
    ...(request.group === null ? {} : { atomicityGroup: request.group }),
    status,
    headers: Object.fromEntries(lower),
  }
  const start = separator + JSON.stringify(told).slice(0, -1)
  const type = headers['Content-Type'] ?? ''
  if (body === null || body === '') yield `${start}}`
  else if (/\bjson\b/i.test(type)) yield* inPieces(`${start},"body":`, body, '}')
  else yield `${start},"body":${JSON.stringify(await whole(body))}}`
}

/** In one chunk if the body is a string. */
async function* inPieces(start: string, body: BatchAnswer['body'], end: string): BatchPieces {
  if (body === null || typeof body === 'string') yield start + (body ?? '') + end
  else {
    yield start
    if (Buffer.isBuffer(body)) yield body
    else yield* body
    yield end
  }
}

async function whole(body: NonNullable<BatchAnswer['body']>): Promise<string> {
  if (typeof body === 'string') return body
  let text = ''
  for await (const piece of inPieces('', body, '')) text += piece.toString()
  return text
}
