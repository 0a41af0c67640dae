// Parses request bodies of the app: objects of strings, or lists of them. Amounts are strings.
import { ApiError, fieldError } from '../errors/api-error.ts'
import type { Request } from '../http/request.ts'
import { message } from '../errors/messages.ts'
import { JsonReader } from '../engine/formats/json/json-reader.ts'

export type BodyFields = ReadonlyMap<string, string | null>

/** Throws for a wrong media type, invalid JSON, or another structure. */
export async function readFields(request: Request): Promise<BodyFields> {
  const reader = await readerOf(request)
  const fields = readObject(reader)
  reader.end()
  return fields
}

export async function readList(request: Request): Promise<BodyFields[]> {
  const reader = await readerOf(request)
  if (reader.peek() !== '[') throw wrongShape('anArray', 'anObject')
  const list: BodyFields[] = []
  for (const _ of reader.elements()) list.push(readObject(reader))
  reader.end()
  return list
}

/** The text of a required field. Throws `MissingField`. */
export function textIn(fields: BodyFields, name: string): string {
  const text = fields.get(name) ?? ''
  if (text === '') throw fieldError('MissingField', name)
  return text
}

/** The same, trimmed, with a maximum length. Throws `MissingField` and `ValueTooLong`. */
export function shortText(fields: BodyFields, name: string, max: number): string {
  const text = textIn(new Map([[name, fields.get(name)?.trim() ?? null]]), name)
  if (text.length > max) throw fieldError('ValueTooLong', name, { max })
  return text
}

async function readerOf(request: Request): Promise<JsonReader> {
  const type = request.header('content-type') ?? ''
  // CSRF protection: a form of another site cannot send this media type.
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new ApiError('UnsupportedMediaType', {
      target: 'header:Content-Type',
      params: { type: type.slice(0, 60), allowed: 'application/json' },
    })
  return new JsonReader(await request.body())
}

function readObject(reader: JsonReader): BodyFields {
  if (reader.peek() !== '{') throw wrongShape('anObject', 'anArray')
  const fields = new Map<string, string | null>()
  reader.object((name, value) => {
    if (value !== null && typeof value !== 'string')
      throw fieldError('InvalidType', name.slice(0, 60), { expected: message('aString'), found: message('anObject') })
    fields.set(name, value)
  })
  return fields
}

function wrongShape(expected: 'anObject' | 'anArray', found: 'anObject' | 'anArray'): ApiError {
  return new ApiError('InvalidBodyType', { params: { expected: message(expected), found: message(found) } })
}
