// Reads a JSON body as rows: an array of objects, or one object.
import { ApiError } from '../../../errors/api-error.ts'
import { JsonReader } from './json-reader.ts'
import {
  describeValue,
  NestedValue,
  shapeNames,
  type RowParsing,
  type RowSink,
  type BodyShape,
  type BodyValue,
} from '../read/row-sink.ts'

/** How much is read between two yields: under a millisecond's work for short and long rows. */
const chunkRows = 250
const chunkCharacters = 65_536

/**
 * `listMember` names the member of an object that may hold the list. Throws `InvalidUtf8`, `EmptyBody`,
 * `MalformedJson`, `JsonTooDeep`, `ValueTooLong` and `InvalidBodyType`.
 */
export function* readJsonRows(body: Buffer, shape: BodyShape, rows: RowSink, listMember?: string): RowParsing {
  const reader = openJson(body, shape)
  const first = reader.peek()
  if (first === '[' && shape !== 'one') yield* readList(reader, rows)
  else if (first === '{' && shape !== 'many') rowReader(reader, rows)(false)
  else if (first === '{' && listMember !== undefined) return yield* readWrappedList(reader, listMember, rows)
  else return rejectShape(reader, shape)
  reader.end()
  return first === '['
}

/** A reader at an object. Throws `InvalidUtf8`, `EmptyBody`, `MalformedJson` and `InvalidBodyType`. */
export function openJsonObject(body: Buffer): JsonReader {
  const reader = openJson(body, 'one')
  return reader.peek() === '{' ? reader : rejectShape(reader, 'one')
}

function openJson(body: Buffer, shape: BodyShape): JsonReader {
  const reader = new JsonReader(body)
  if (reader.peek() === '') throw new ApiError('EmptyBody', { params: { expected: shapeNames[shape] } })
  return reader
}

/** Only the names of the other members are reported, except for annotations. Throws `DuplicateField` for a second list. */
function* readWrappedList(reader: JsonReader, listMember: string, rows: RowSink): RowParsing {
  let first: string | null = null
  for (const name of reader.members()) {
    if (name.toLowerCase() !== listMember.toLowerCase() || reader.peek() !== '[') {
      reader.value()
      if (!name.includes('@')) rows.ignoredMember(name)
      continue
    }
    if (first !== null) throw new ApiError('DuplicateField', { target: name, params: { first, second: name } })
    first = name
    yield* readList(reader, rows)
  }
  reader.end()
  if (first !== null) return true
  throw new ApiError('InvalidBodyType', {
    params: { expected: shapeNames.many, found: describeValue(new NestedValue('object')) },
  })
}

function* readList(reader: JsonReader, rows: RowSink): Generator<void> {
  let rowsLeft = chunkRows
  let stop = chunkCharacters
  let index = 0
  const readRow = rowReader(reader, rows)
  for (let isElement = reader.openArray(); isElement; isElement = reader.nextElement()) {
    reader.beginElement('', index++)
    if (reader.peek() === '{') readRow(true)
    else rows.invalidElement(reader.value())
    rowsLeft -= 1
    if (rowsLeft > 0 && reader.position < stop) continue
    rowsLeft = chunkRows
    stop = reader.position + chunkCharacters
    yield
  }
}

function rowReader(reader: JsonReader, rows: RowSink): (isListed: boolean) => void {
  const addMember = (name: string, value: BodyValue) => rows.member(name, value)
  return (isListed) => {
    rows.begin(isListed)
    reader.object(addMember)
    rows.end()
  }
}

/** Invalid JSON is reported before a wrong body type. */
function rejectShape(reader: JsonReader, shape: BodyShape): never {
  const found = describeValue(reader.value())
  reader.end()
  throw new ApiError('InvalidBodyType', { params: { expected: shapeNames[shape], found } })
}
