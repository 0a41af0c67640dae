// JSON batch parser: one object with the list of requests (OData JSON 4.01, 19).
import { ApiError } from '../../../errors/api-error.ts'
import { requireShortHeaders } from '../../../errors/request-limits.ts'
import { message, type MessageCode } from '../../../errors/messages.ts'
import { yieldToEventLoop } from '../../../lib/yield-to-event-loop.ts'
import {
  batchRequestsMax,
  invalidBatchError,
  batchTooLargeError,
  requireShortUrl,
  type BatchLimits,
  type BatchRequest,
} from './batch-request.ts'
import { decodeBodyText } from '../read/body-text.ts'
import { JsonReader } from '../json/json-reader.ts'
import { NestedValue, NumberText, type BodyValue } from '../read/row-sink.ts'

/** The requests in order. Throws `InvalidBatch`, `BatchTooLarge`, `DuplicateField`, `MalformedJson`, `JsonTooDeep`, `ValueTooLong`, `InvalidUtf8`, `HeadersTooLarge`, `UrlTooLong`. */
export async function parseBatchJson(body: Buffer, limits: BatchLimits): Promise<BatchRequest[]> {
  const text = decodeBodyText(body)
  const reader = new JsonReader(body)
  const requests: BatchRequest[] = []
  let hasRequests = false
  requireToken(reader, '{', 'body', 'anObject')
  for (const name of membersOnce(reader)) {
    if (name !== 'requests') reader.value()
    else {
      hasRequests = true
      requireToken(reader, '[', 'requests', 'anArray')
      for (const _ of reader.elements()) {
        if (requests.length === batchRequestsMax) throw batchTooLargeError()
        requests.push(await parseRequest(reader, text, `requests[${requests.length}]`, limits))
      }
    }
  }
  reader.end()
  if (!hasRequests) throw expectedError('requests', 'anArray')
  checkOrder(requests)
  return requests
}

async function parseRequest(
  reader: JsonReader,
  text: string,
  location: string,
  limits: BatchLimits,
): Promise<BatchRequest> {
  requireToken(reader, '{', location, 'anObject')
  const strings: Partial<Record<'id' | 'atomicityGroup' | 'method' | 'url', string>> = {}
  let headers: ReadonlyMap<string, string> = new Map()
  let dependsOn: readonly string[] = []
  let body: { readonly json: string; readonly value: unknown } | null = null
  let isConditional = false
  for (const name of membersOnce(reader, location)) {
    const at = `${location}.${name}`
    reader.beginElement(at)
    if (skipsNull(reader)) continue
    if (name === 'id' || name === 'atomicityGroup' || name === 'method' || name === 'url')
      strings[name] = parseString(reader, at)
    else if (name === 'headers') headers = parseHeaders(reader, at, limits)
    else if (name === 'dependsOn') dependsOn = parseStrings(reader, at)
    else {
      reader.peek()
      const start = reader.position
      const value = await skipBody(reader, at)
      if (name === 'body') body = { json: text.slice(start, reader.position), value }
      if (name === 'if') isConditional = true
    }
  }
  const { id, atomicityGroup: group = null, method, url } = strings
  if (id === undefined) throw expectedError(`${location}.id`, 'aString')
  if (method === undefined) throw expectedError(`${location}.method`, 'aString')
  if (url === undefined) throw expectedError(`${location}.url`, 'aString')
  requireShortUrl(url, `${location}.url`, limits)
  const decoded = decodeBody(body, headers)
  return {
    id,
    group,
    dependsOn,
    method: method.toUpperCase(),
    // A URL has ASCII characters only.
    url: url.replace(/[^\x21-\x7e]+/g, encodeURIComponent),
    headers: decoded.headers,
    body: decoded.body,
    ...(isConditional ? { isConditional } : {}),
  }
}

/** Reads a value. Yields to the event loop in its lists: one may be as long as the body of a request outside of a batch. */
async function skipBody(reader: JsonReader, location: string): Promise<BodyValue> {
  const first = reader.peek()
  if (first === '[') return skipList(reader, location)
  if (first !== '{') return reader.value()
  for (const name of reader.members()) {
    if (reader.peek() === '[') await skipList(reader, `${location}.${name}`)
    else reader.value()
  }
  return new NestedValue('object')
}

async function skipList(reader: JsonReader, location: string): Promise<NestedValue> {
  let index = 0
  for (const _ of reader.elements()) {
    reader.beginElement(location, index++)
    reader.value()
    if (index % chunkElements === 0) await yieldToEventLoop()
  }
  return new NestedValue('array')
}

/** Skipping so many rows takes under a millisecond. */
const chunkElements = 250

/** A JSON body is passed on as written; a string is the body itself, base64url-encoded unless its type is text. */
function decodeBody(
  body: { readonly json: string; readonly value: unknown } | null,
  headers: ReadonlyMap<string, string>,
): { readonly body: Buffer; readonly headers: ReadonlyMap<string, string> } {
  if (body === null) return { body: Buffer.alloc(0), headers }
  const type = headers.get('content-type')
  if (type === undefined || /\bjson\b/i.test(type))
    return { body: Buffer.from(body.json), headers: new Map([['content-type', 'application/json'], ...headers]) }
  const text = typeof body.value === 'string' ? body.value : body.json
  const isText = /^\s*text\/|xml/i.test(type)
  return { body: Buffer.from(text, isText ? 'utf8' : 'base64url'), headers }
}

function parseString(reader: JsonReader, location: string): string {
  const value = reader.value()
  if (typeof value === 'string') return value
  // Some clients send numbers as ids.
  if (value instanceof NumberText) return value.text
  throw expectedError(location, 'aString')
}

function parseStrings(reader: JsonReader, location: string): string[] {
  requireToken(reader, '[', location, 'anArray')
  const texts: string[] = []
  for (const _ of reader.elements()) texts.push(parseString(reader, location))
  return texts
}

function parseHeaders(reader: JsonReader, location: string, limits: BatchLimits): Map<string, string> {
  requireToken(reader, '{', location, 'anObject')
  const headers = new Map<string, string>()
  let bytes = 0
  for (const name of membersOnce(reader, location)) {
    if (skipsNull(reader)) continue
    const value = parseString(reader, `${location}.${name}`)
    headers.set(name.toLowerCase(), value)
    bytes += name.length + value.length
    requireShortHeaders(bytes, headers.size, limits, location)
  }
  return headers
}

/** Some clients send every member of their class, null where it has no value: that is the same as omitted. */
function skipsNull(reader: JsonReader): boolean {
  if (reader.peek() !== 'n') return false
  reader.value()
  return true
}

/** The members of an object. Throws `DuplicateField` for one that is given twice, in whatever case. */
function* membersOnce(reader: JsonReader, location?: string): Generator<string> {
  const names = new Map<string, string>()
  for (const name of reader.members()) {
    const target = location === undefined ? name : `${location}.${name}`
    const first = names.get(name.toLowerCase())
    if (first !== undefined) throw new ApiError('DuplicateField', { target, params: { first, second: name } })
    names.set(name.toLowerCase(), name)
    yield name
  }
}

function requireToken(reader: JsonReader, bracket: string, location: string, expected: MessageCode): void {
  if (reader.peek() !== bracket) throw expectedError(location, expected)
}

function expectedError(location: string, kind: MessageCode): ApiError {
  const problem = message('expectedType', { type: message(kind) })
  return new ApiError('InvalidBatch', { target: location, params: { problem } })
}

/** Ids are unique, the requests of a group are adjacent, and a dependency precedes its dependents. */
function checkOrder(requests: readonly BatchRequest[]): void {
  const known = new Set<string>()
  let open: string | null = null
  for (const [index, { id, group, dependsOn }] of requests.entries()) {
    const location = `requests[${index}]`
    if (group !== open && group !== null) {
      if (known.has(group)) throw invalidBatchError(`${location}.atomicityGroup`, 'groupNotAdjacent')
      known.add(group)
    }
    open = group
    if (id === null || known.has(id)) throw invalidBatchError(`${location}.id`, 'duplicateId')
    for (const one of dependsOn)
      if (!known.has(one) || one === group) throw invalidBatchError(`${location}.dependsOn`, 'dependsOnLater')
    known.add(id)
  }
}
