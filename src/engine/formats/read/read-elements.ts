// A body of lists, like `{"ids":[1,"2"]}`: each element with its id, or as what it was where it has none.
import { Fault, type ResultValue } from '../../../errors/catalog.ts'
import { nearest } from '../../../lib/closest-match.ts'
import { nextTick } from '../../../lib/yield-to-event-loop.ts'
import { phrase } from '../../../errors/messages.ts'
import { bodyText } from './body-text.ts'
import { JsonReader } from '../json/json-text.ts'
import { mediaKind } from '../negotiation/media-type.ts'
import { listRowsMax } from './read-records.ts'
import { kindOf, Nested, NumberText, UnfitText, type Written } from './row-sink.ts'

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
  /** Names that mean nothing here, as they were sent; those of elements behind the name of their list. */
  readonly strangers: ReadonlySet<string>
}

/** What a body may have: lists of ids alone, lists of objects with an `id`, and members beside them. */
export interface Known {
  readonly ofIds?: readonly string[]
  readonly ofObjects?: readonly string[]
  readonly members?: readonly string[]
  /** What objects may say beside their `id`; without it, anything. */
  readonly ofElements?: readonly string[]
}

/** Throws `UnknownField` for the first name that means nothing. */
export function requireKnown({ strangers }: ElementsBody, known: Known): void {
  for (const field of strangers) {
    const shown = field.slice(0, 100).toWellFormed()
    const { ofIds = [], ofObjects = [], members = [] } = known
    const meant = nearest(shown, [...ofIds, ...ofObjects, ...members])
    const says = { field: shown, ...(meant === undefined ? {} : { nearest: meant }) }
    throw new Fault('UnknownField', { target: shown, says })
  }
}

/**
 * Reads a body in JSON; names come in any letter case. Throws what is wrong with the body as a whole, `InvalidType`
 * for a list that is none, `TooManyItems` where all lists together are too long.
 */
export async function readElements(
  body: Buffer,
  contentType: string | undefined,
  known: Known,
): Promise<ElementsBody> {
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
  const reading = new ElementsReading(reader, known)
  const steps = reading.read()
  while (!steps.next().done) await nextTick()
  return reading
}

/** A text among members; null where it was not sent. Throws `InvalidType`, `InvalidCharacter` and `ValueTooLong`. */
export function textIn(
  members: ReadonlyMap<string, Written>,
  field: string,
  max: number,
): string | null {
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
export function countIn(
  members: ReadonlyMap<string, Written>,
  field: string,
  { absent, max }: { readonly absent: number; readonly max: number },
): number {
  const written = members.get(field.toLowerCase()) ?? null
  if (written === null) return absent
  const digits = written instanceof NumberText ? written.digits : written
  if (typeof digits !== 'string' || !/^-?\d+$/.test(digits)) {
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
  readonly strangers = new Set<string>()
  readonly #reader: JsonReader
  readonly #ofIds: readonly string[]
  readonly #ofObjects: readonly string[]
  readonly #members: ReadonlySet<string>
  readonly #ofElements: ReadonlySet<string> | null
  #count = 0

  constructor(reader: JsonReader, { ofIds = [], ofObjects = [], members = [], ofElements }: Known) {
    this.#reader = reader
    this.#ofIds = ofIds
    this.#ofObjects = ofObjects
    this.#members = lowerCase(members)
    this.#ofElements = ofElements === undefined ? null : lowerCase(['id', ...ofElements])
  }

  *read(): Generator<void> {
    const lists = [...this.#ofIds, ...this.#ofObjects]
    for (const name of this.#reader.members()) {
      const lower = name.toLowerCase()
      const list = lists.find((one) => one === lower)
      if (list !== undefined) {
        yield* this.#list(list, this.#ofObjects.includes(list))
        continue
      }
      if (!this.#members.has(lower)) this.#meet(name)
      this.members.set(lower, this.#reader.value())
    }
    this.#reader.end()
  }

  /** Annotations of OData are nobody's members. */
  #meet(name: string): void {
    if (!name.includes('@') && this.strangers.size < strangersMax) this.strangers.add(name)
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
      elements.push(this.#element(name, isOfObjects))
      if (this.#count % sliceElements === 0) yield
    }
    this.lists.set(name, elements)
  }

  #element(list: string, isOfObjects: boolean): Element {
    if (!isOfObjects || this.#reader.peek() !== '{') {
      const written = this.#reader.value()
      return { id: idOf(written), sent: shown(written), members: nothing }
    }
    const members = new Map<string, Written>()
    this.#reader.object((name, value) => {
      const lower = name.toLowerCase()
      if (this.#ofElements?.has(lower) === false) this.#meet(`${list}.${name}`)
      members.set(lower, value)
    })
    const written = members.get('id') ?? null
    return { id: idOf(written), sent: shown(written), members }
  }
}

/** So many names are told. */
const strangersMax = 20

function lowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}

const nothing: ReadonlyMap<string, Written> = new Map()

/** Digits alone, with or without quotes; a number that no id can have names none. */
function idOf(written: Written): number | null {
  const digits = written instanceof NumberText ? written.digits : written
  if (typeof digits !== 'string' || !/^\d{1,16}$/.test(digits)) return null
  const id = Number(digits)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

function shown(written: Written): ResultValue {
  if (written instanceof NumberText) {
    const number = Number(written.digits)
    return String(number) === written.digits ? number : written.digits.slice(0, shownMax)
  }
  if (written instanceof Nested) return written.kind === 'array' ? '[]' : '{}'
  if (written instanceof UnfitText) return written.character
  return typeof written === 'string' ? written.slice(0, shownMax).toWellFormed() : written
}

const shownMax = 50
