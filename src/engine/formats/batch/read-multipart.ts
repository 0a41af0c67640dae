// Multipart batch parser: parts that hold a request or a change set (OData 4.01 part 1, 11.7.7).
import { requireShortHeaders } from '../../../errors/request-limits.ts'
import {
  batchRequestsMax,
  invalidBatchError,
  batchTooLargeError,
  requireShortUrl,
  type BatchLimits,
  type BatchRequest,
} from './batch-request.ts'

/**
 * The requests in order; those of a change set form a group. Text before the first boundary and after the last is
 * ignored. Throws `InvalidBatch`, `BatchTooLarge`, `HeadersTooLarge` and `UrlTooLong`.
 */
export function parseMultipart(body: Buffer, boundary: string, limits: BatchLimits): BatchRequest[] {
  const requests: BatchRequest[] = []
  // In Latin-1 each byte is one character, so binary parts survive.
  const parts = splitParts(body.toString('latin1'), boundary, 'body')
  for (const [index, text] of parts.entries()) {
    const location = `part ${index + 1}`
    const part = parsePart(text, location, limits)
    const inner = multipartBoundary(part.headers.get('content-type'))
    if (inner === null) requests.push(parseRequest(part, null, location, limits))
    else
      for (const [at, one] of splitParts(part.body, inner, location).entries()) {
        const within = `${location}.${at + 1}`
        requests.push(parseRequest(parsePart(one, within, limits), location, within, limits))
      }
    if (requests.length > batchRequestsMax) throw batchTooLargeError()
  }
  return requests
}

/** The boundary of a multipart/mixed type, or null for another type. */
export function multipartBoundary(contentType: string | undefined): string | null {
  const [, quoted, plain] =
    /^\s*multipart\/mixed\s*;(?:.*;)?\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ??
    []
  return quoted ?? plain ?? null
}

function splitParts(text: string, boundary: string, location: string): string[] {
  const escaped = boundary.replace(/\W/g, String.raw`\$&`)
  const delimiter = new RegExp(`(?<=^|\n)--${escaped}(?:(--)|[^\\S\n]*(?:\n|$))`, 'g')
  const parts: string[] = []
  let start: number | null = null
  for (const { 0: line, 1: last, index } of text.matchAll(delimiter)) {
    if (start !== null) parts.push(text.slice(start, contentEnd(text, start, index)))
    if (last !== undefined) return parts
    if (parts.length === batchRequestsMax) throw batchTooLargeError()
    start = index + line.length
  }
  throw invalidBatchError(location, 'boundaryMissing')
}

/** The line break before a boundary belongs to the boundary. */
function contentEnd(text: string, start: number, boundaryAt: number): number {
  const end = text[boundaryAt - 2] === '\r' ? boundaryAt - 2 : boundaryAt - 1
  return Math.max(start, end)
}

function lineEnd(text: string, from: number): { readonly end: number; readonly next: number } {
  const feed = text.indexOf('\n', from)
  if (feed === -1) return { end: text.length, next: text.length }
  return { end: text[feed - 1] === '\r' ? feed - 1 : feed, next: feed + 1 }
}

interface Part {
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Headers up to an empty line, and the body. Some clients send no space after the colon. */
function parsePart(text: string, location: string, limits: BatchLimits, from = 0): Part {
  const headers = new Map<string, string>()
  for (let at = from; at < text.length;) {
    const { end, next } = lineEnd(text, at)
    if (end === at) return { headers, body: text.slice(next) }
    requireShortHeaders(end - from, headers.size + 1, limits, location)
    const line = text.slice(at, end)
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon === -1 || !/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) throw invalidBatchError(location, 'headerUnreadable')
    headers.set(name, line.slice(colon + 1).trim())
    at = next
  }
  return { headers, body: '' }
}

function parseRequest(part: Part, group: string | null, location: string, limits: BatchLimits): BatchRequest {
  if (multipartBoundary(part.headers.get('content-type')) !== null) throw invalidBatchError(location, 'changeSetInside')
  if (!/^application\/http\b/i.test(part.headers.get('content-type') ?? ''))
    throw invalidBatchError(location, 'expectedHttpPart')
  const text = part.body.replace(/^(?:\r?\n)+/, '')
  const { end, next } = lineEnd(text, 0)
  const { method, url } = parseRequestLine(text.slice(0, end))
  if (!/^[A-Z]+$/i.test(method) || url === '') throw invalidBatchError(location, 'requestLineUnreadable')
  requireShortUrl(url, location, limits)
  const { headers, body } = parsePart(text, location, limits, next)
  return {
    id: part.headers.get('content-id') ?? headers.get('content-id') ?? null,
    group,
    dependsOn: [],
    method: method.toUpperCase(),
    url,
    headers,
    body: Buffer.from(trimBody(body, headers.get('content-length')), 'latin1'),
  }
}

/**
 * Of `GET Avdelinger HTTP/1.1`; the URL, which may contain blanks, is '' for another line. Not one expression, which would
 * try every combination of the blanks of a long line.
 */
function parseRequestLine(line: string): { readonly method: string; readonly url: string } {
  const [method = ''] = line.split(' ', 1)
  const version = line.search(/ HTTP\/\d\.\d *$/)
  return { method, url: line.slice(method.length, Math.max(version, 0)).trim() }
}

/** A body may be shorter than its part; a part of blank lines has no body. */
function trimBody(body: string, length: string | undefined): string {
  if (length !== undefined && /^\d+$/.test(length) && Number(length) <= body.length)
    return body.slice(0, Number(length))
  return body.trim() === '' ? '' : body
}
