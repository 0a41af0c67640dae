// Reads a JSON body as rows: an array of objects, or one object.
import { Fault } from '../../../errors/catalog.ts'
import { bodyText } from '../read/body-text.ts'
import { JsonReader } from './json-text.ts'
import {
  kindOf,
  Nested,
  shapeNames,
  type RowReading,
  type RowSink,
  type Shape,
} from '../read/row-sink.ts'

/** How much is read between two yields: under a millisecond's work for short and long rows. */
const sliceRows = 250
const sliceCharacters = 65_536

/**
 * `listMember` names the member of an object that may hold the list. Throws `InvalidUtf8`, `EmptyBody`,
 * `MalformedJson`, `JsonTooDeep` and `WrongBodyShape`.
 */
export function* readJsonRows(
  body: Buffer,
  shape: Shape,
  rows: RowSink,
  listIn?: string,
): RowReading {
  const reader = new JsonReader(bodyText(body))
  const first = reader.peek()
  if (first === '') throw new Fault('EmptyBody', { says: { expected: shapeNames[shape] } })
  if (first === '[' && shape !== 'one') yield* readList(reader, rows)
  else if (first === '{' && shape !== 'many') readRow(reader, rows, false)
  else if (first === '{' && listIn !== undefined) return yield* readWrapped(reader, listIn, rows)
  else return refuseShape(reader, shape)
  reader.end()
  return first === '['
}

/** The other members are only checked for their syntax. */
function* readWrapped(reader: JsonReader, listIn: string, rows: RowSink): RowReading {
  let isFound = false
  for (const name of reader.members()) {
    isFound ||= name.toLowerCase() === listIn.toLowerCase() && reader.peek() === '['
    if (isFound && reader.peek() === '[') yield* readList(reader, rows)
    else reader.value()
  }
  reader.end()
  if (isFound) return true
  throw new Fault('WrongBodyShape', {
    says: { expected: shapeNames.many, found: kindOf(new Nested('object')) },
  })
}

function* readList(reader: JsonReader, rows: RowSink): Generator<void> {
  let rowsLeft = sliceRows
  let stop = sliceCharacters
  for (const _ of reader.elements()) {
    if (reader.peek() === '{') readRow(reader, rows, true)
    else rows.stray(reader.value())
    rowsLeft -= 1
    if (rowsLeft > 0 && reader.position < stop) continue
    rowsLeft = sliceRows
    stop = reader.position + sliceCharacters
    yield
  }
}

function readRow(reader: JsonReader, rows: RowSink, isListed: boolean): void {
  rows.begin(isListed)
  reader.object((name, value) => rows.member(name, value))
  rows.end()
}

/** Invalid JSON is reported before a wrong body type. */
function refuseShape(reader: JsonReader, shape: Shape): never {
  const found = kindOf(reader.value())
  reader.end()
  throw new Fault('WrongBodyShape', { says: { expected: shapeNames[shape], found } })
}
