// JSON batch parser: one object with the list of requests (OData JSON 4.01, 19).
import type { PhraseCode } from '../../../errors/messages.ts'
import {
  batchRequestsMax,
  invalidBatch,
  tooManyRequests,
  type BatchRequest,
} from './batch-request.ts'
import { JsonReader } from '../json/json-text.ts'
import { NumberText } from '../read/row-sink.ts'

/** The requests in order. Throws `InvalidBatch`, `BatchTooLarge`, `MalformedJson`, `JsonTooDeep`. */
export function readBatchJson(text: string): BatchRequest[] {
  const reader = new JsonReader(text)
  const requests: BatchRequest[] = []
  let isThere = false
  requireAt(reader, '{', 'body', 'anObject')
  for (const name of reader.members()) {
    if (name !== 'requests') reader.value()
    else {
      isThere = true
      requireAt(reader, '[', 'requests', 'anArray')
      for (const _ of reader.elements()) {
        if (requests.length === batchRequestsMax) throw tooManyRequests()
        requests.push(readRequest(reader, text, `requests[${requests.length}]`))
      }
    }
  }
  reader.end()
  if (!isThere) throw invalidBatch('requests', 'anArray')
  requireOrder(requests)
  return requests
}

function readRequest(reader: JsonReader, text: string, place: string): BatchRequest {
  requireAt(reader, '{', place, 'anObject')
  const told: Partial<Record<'id' | 'atomicityGroup' | 'method' | 'url', string>> = {}
  let headers: ReadonlyMap<string, string> = new Map()
  let dependsOn: readonly string[] = []
  let body: { readonly json: string; readonly value: unknown } | null = null
  let isConditional = false
  for (const name of reader.members()) {
    const at = `${place}.${name}`
    if (name === 'id' || name === 'atomicityGroup' || name === 'method' || name === 'url')
      told[name] = readText(reader, at)
    else if (name === 'headers') headers = readHeaders(reader, at)
    else if (name === 'dependsOn') dependsOn = readTexts(reader, at)
    else {
      reader.peek()
      const start = reader.position
      const value = reader.value()
      if (name === 'body') body = { json: text.slice(start, reader.position), value }
      if (name === 'if') isConditional = true
    }
  }
  const { id, atomicityGroup: group = null, method, url } = told
  if (id === undefined) throw invalidBatch(`${place}.id`, 'aText')
  if (method === undefined) throw invalidBatch(`${place}.method`, 'aText')
  if (url === undefined) throw invalidBatch(`${place}.url`, 'aText')
  const sent = sentBody(body, headers)
  return {
    id,
    group,
    dependsOn,
    method: method.toUpperCase(),
    // A URL has ASCII characters only.
    url: url.replace(/[^\x21-\x7e]+/g, encodeURIComponent),
    headers: sent.headers,
    body: sent.body,
    ...(isConditional ? { isConditional } : {}),
  }
}

/** A JSON body is passed on as written; a string is the body itself, base64url-encoded unless its type is text. */
function sentBody(
  body: { readonly json: string; readonly value: unknown } | null,
  headers: ReadonlyMap<string, string>,
): { readonly body: Buffer; readonly headers: ReadonlyMap<string, string> } {
  if (body === null) return { body: Buffer.alloc(0), headers }
  const type = headers.get('content-type')
  if (type === undefined || /\bjson\b/i.test(type))
    return {
      body: Buffer.from(body.json),
      headers: new Map([['content-type', 'application/json'], ...headers]),
    }
  const text = typeof body.value === 'string' ? body.value : body.json
  const isText = /^\s*text\/|xml/i.test(type)
  return { body: Buffer.from(text, isText ? 'utf8' : 'base64url'), headers }
}

function readText(reader: JsonReader, place: string): string {
  const value = reader.value()
  if (typeof value === 'string') return value
  // Some clients send numbers as ids.
  if (value instanceof NumberText) return value.digits
  throw invalidBatch(place, 'aText')
}

function readTexts(reader: JsonReader, place: string): string[] {
  requireAt(reader, '[', place, 'anArray')
  const texts: string[] = []
  for (const _ of reader.elements()) texts.push(readText(reader, place))
  return texts
}

function readHeaders(reader: JsonReader, place: string): Map<string, string> {
  requireAt(reader, '{', place, 'anObject')
  const headers = new Map<string, string>()
  for (const name of reader.members())
    headers.set(name.toLowerCase(), readText(reader, `${place}.${name}`))
  return headers
}

function requireAt(reader: JsonReader, bracket: string, place: string, what: PhraseCode): void {
  if (reader.peek() !== bracket) throw invalidBatch(place, what)
}

/** Ids are unique, the requests of a group are adjacent, and a dependency precedes its dependents. */
function requireOrder(requests: readonly BatchRequest[]): void {
  const known = new Set<string>()
  let open: string | null = null
  for (const [index, { id, group, dependsOn }] of requests.entries()) {
    const place = `requests[${index}]`
    if (group !== open && group !== null) {
      if (known.has(group)) throw invalidBatch(`${place}.atomicityGroup`, 'usedTwice')
      known.add(group)
    }
    open = group
    if (id === null || known.has(id)) throw invalidBatch(`${place}.id`, 'usedTwice')
    for (const one of dependsOn)
      if (!known.has(one) || one === group)
        throw invalidBatch(`${place}.dependsOn`, 'dependsOnLater')
    known.add(id)
  }
}
