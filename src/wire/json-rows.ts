// A JSON body as rows: an array of objects, or one object.
import { Fault } from '#faults.ts'
import { bodyText } from '#wire/body-text.ts'
import { JsonReader } from '#wire/json-text.ts'
import { kindOf, shapeNames, type RowReading, type RowSink, type Shape } from '#wire/row-sink.ts'

/** How much is read between two stops: under a millisecond's work, be the rows short or long. */
const sliceRows = 250
const sliceCharacters = 65_536

/** Throws `InvalidUtf8`, `EmptyBody`, `MalformedJson`, `JsonTooDeep` and `WrongBodyShape`. */
export function* readJsonRows(body: Buffer, shape: Shape, rows: RowSink): RowReading {
  const reader = new JsonReader(bodyText(body))
  const first = reader.peek()
  if (first === '') throw new Fault('EmptyBody', { says: { expected: shapeNames[shape] } })
  if (first === '[' && shape !== 'one') yield* readList(reader, rows)
  else if (first === '{' && shape !== 'many') readRow(reader, rows, false)
  else return refuseShape(reader, shape)
  reader.end()
  return first === '['
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

const readRow = (reader: JsonReader, rows: RowSink, isListed: boolean): void => {
  rows.begin(isListed)
  reader.object((name, value) => rows.member(name, value))
  rows.end()
}

/** A body that is no JSON at all is told so first. */
const refuseShape = (reader: JsonReader, shape: Shape): never => {
  const found = kindOf(reader.value())
  reader.end()
  throw new Fault('WrongBodyShape', { says: { expected: shapeNames[shape], found } })
}
