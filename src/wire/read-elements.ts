// A body of lists, like `{"ids":[1,"2"]}`: each element with its id, or as what it was where it has none.
import { Fault, type ResultValue } from '#faults.ts'
import { nextTick } from '#lib/next-tick.ts'
import { phrase } from '#phrases.ts'
import { bodyText } from '#wire/body-text.ts'
import { JsonReader } from '#wire/json-text.ts'
import { mediaKind } from '#wire/media-type.ts'
import { listRowsMax } from '#wire/read-records.ts'
import { kindOf, Nested, NumberText, UnfitText, type Written } from '#wire/row-sink.ts'

export interface Element {
  /** Null where the element names no id. */
  readonly id: number | null
  /** As it was sent, to be told again; a long text is cut. */
  readonly sent: ResultValue
  /** What an object says beside its id, by lower-case name; empty for an id alone. */
  readonly members: ReadonlyMap<string, Written>
}

export interface ElementsBody {
  /** By the names that were asked for; a list that was not sent is not there. */
  readonly lists: ReadonlyMap<string, readonly Element[]>
  /** All else, by lower-case name. */
  readonly members: ReadonlyMap<string, Written>
}

/** Which lists a body may have: of ids alone, and of objects with an `id`. */
export interface Lists {
  readonly ofIds: readonly string[]
  readonly ofObjects: readonly string[]
}

/**
 * Reads a body in JSON; names come in any letter case. Throws what is wrong with the body as a whole, `InvalidType`
 * for a list that is none, `TooManyItems` where all lists together are too long.
 */
export const readElements = async (
  body: Buffer,
  contentType: string | undefined,
  lists: Lists,
): Promise<ElementsBody> => {
  if (mediaKind(contentType, body) !== 'json')
    throw new Fault('UnsupportedMediaType', {
      target: 'header:Content-Type',
      says: { type: contentType?.slice(0, 100) ?? 'XML', allowed: 'application/json' },
      headers: { 'Accept-Post': 'application/json' },
    })
  const reader = new JsonReader(bodyText(body))
  const first = reader.peek()
  const expected = phrase('anObject')
  if (first === '') throw new Fault('EmptyBody', { says: { expected } })
  if (first !== '{') {
    const found = kindOf(reader.value())
    reader.end()
    throw new Fault('WrongBodyShape', { says: { expected, found } })
  }
  const reading = new ElementsReading(reader, lists)
  const steps = reading.read()
  while (!steps.next().done) await nextTick()
  return reading
}

/** A text among members; null where it was not sent. Throws `InvalidType`, `InvalidCharacter` and `ValueTooLong`. */
export const textIn = (
  members: ReadonlyMap<string, Written>,
  field: string,
  max: number,
): string | null => {
  const written = members.get(field.toLowerCase()) ?? null
  if (written === null || written === '') return null
  if (written instanceof UnfitText)
    throw new Fault('InvalidCharacter', { target: field, says: { character: written.character } })
  const text = written instanceof NumberText ? written.digits : written
  if (typeof text !== 'string') {
    const says = { field, expected: phrase('aText'), found: kindOf(text) }
    throw new Fault('InvalidType', { target: field, says })
  }
  if (text.length > max) throw new Fault('ValueTooLong', { target: field, says: { field, max } })
  return text
}

/** A whole number from 1 among members. Throws `InvalidType` and `NumberOutOfRange`. */
export const countIn = (
  members: ReadonlyMap<string, Written>,
  field: string,
  { absent, max }: { readonly absent: number; readonly max: number },
): number => {
  const written = members.get(field.toLowerCase()) ?? null
  if (written === null) return absent
  const digits = written instanceof NumberText ? written.digits : written
  if (typeof digits !== 'string' || !/^\d+$/.test(digits)) {
    const says = { field, expected: phrase('aWholeNumber'), found: kindOf(written) }
    throw new Fault('InvalidType', { target: field, says })
  }
  const count = Number(digits)
  if (count >= 1 && count <= max) return count
  throw new Fault('NumberOutOfRange', { target: field, says: { field, min: 1, max } })
}

/** How many elements are read between two stops. */
const sliceElements = 5000

class ElementsReading implements ElementsBody {
  readonly lists = new Map<string, Element[]>()
  readonly members = new Map<string, Written>()
  readonly #reader: JsonReader
  readonly #lists: Lists
  #count = 0

  constructor(reader: JsonReader, lists: Lists) {
    this.#reader = reader
    this.#lists = lists
  }

  *read(): Generator<void> {
    const { ofIds, ofObjects } = this.#lists
    for (const name of this.#reader.members()) {
      const list = [...ofIds, ...ofObjects].find((one) => one === name.toLowerCase())
      if (list === undefined) this.members.set(name.toLowerCase(), this.#reader.value())
      else yield* this.#list(list, ofObjects.includes(list))
    }
    this.#reader.end()
  }

  *#list(name: string, isOfObjects: boolean): Generator<void> {
    if (this.#reader.peek() !== '[') {
      const found = kindOf(this.#reader.value())
      const says = { field: name, expected: phrase('anArray'), found }
      throw new Fault('InvalidType', { target: name, says })
    }
    const elements: Element[] = []
    for (const _ of this.#reader.elements()) {
      if (++this.#count > listRowsMax)
        throw new Fault('TooManyItems', { says: { max: listRowsMax } })
      elements.push(this.#element(isOfObjects))
      if (this.#count % sliceElements === 0) yield
    }
    this.lists.set(name, elements)
  }

  #element(isOfObjects: boolean): Element {
    if (!isOfObjects || this.#reader.peek() !== '{') {
      const written = this.#reader.value()
      return { id: idOf(written), sent: shown(written), members: nothing }
    }
    const members = new Map<string, Written>()
    this.#reader.object((name, value) => members.set(name.toLowerCase(), value))
    const written = members.get('id') ?? null
    return { id: idOf(written), sent: shown(written), members }
  }
}

const nothing: ReadonlyMap<string, Written> = new Map()

/** Digits alone, with or without quotes; a number that no id can have names none. */
const idOf = (written: Written): number | null => {
  const digits = written instanceof NumberText ? written.digits : written
  if (typeof digits !== 'string' || !/^\d{1,16}$/.test(digits)) return null
  const id = Number(digits)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

const shown = (written: Written): ResultValue => {
  if (written instanceof NumberText) {
    const number = Number(written.digits)
    return String(number) === written.digits ? number : written.digits.slice(0, shownMax)
  }
  if (written instanceof Nested) return written.kind === 'array' ? '[]' : '{}'
  if (written instanceof UnfitText) return written.character
  return typeof written === 'string' ? written.slice(0, shownMax).toWellFormed() : written
}

const shownMax = 50
