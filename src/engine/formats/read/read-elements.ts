// Parser of JSON bodies with lists of ids or objects, like `{"ids":[1,"2"]}`.
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
  /** Null if the element has no valid id. */
  readonly id: number | null
  /** The value as sent, for the reply; long text is truncated. */
  readonly sent: ResultValue
  /** The other members of an object, by lower-case name; empty for a plain id. */
  readonly members: ReadonlyMap<string, Written>
}

export interface ElementsBody {
  /** By the requested names; a list that was not sent is missing. */
  readonly lists: ReadonlyMap<string, readonly Element[]>
  /** All other members, by lower-case name. */
  readonly members: ReadonlyMap<string, Written>
  /** Unknown names as sent; those of elements are prefixed with their list. */
  readonly strangers: ReadonlySet<string>
}

/** The members of a body: lists of ids, lists of objects with an `id`, and other members. */
export interface Known {
  readonly ofIds?: readonly string[]
  readonly ofObjects?: readonly string[]
  readonly members?: readonly string[]
  /** Known members of objects besides `id`; any member is allowed without it. */
  readonly ofElements?: readonly string[]
}

/** Throws `UnknownField` for the first unknown name. */
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
 * Parses a JSON body; names are case-insensitive. Throws errors of the body as a whole, `InvalidType` for a list
 * that is not an array, and `TooManyItems` if all lists together are too long.
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

/** A string member; null if it was not sent. Throws `InvalidType`, `InvalidCharacter` and `ValueTooLong`. */
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

/** A positive integer member. Throws `InvalidType` and `NumberOutOfRange`. */
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

/** How many elements are read between two yields. */
const sliceElements = 5000

class ElementsReading implements ElementsBody {
  readonly lists = new Map<string, Element[]>()
  readonly members = new Map<string, Written>()
  readonly strangers = new Set<string>()
  readonly #reader: JsonReader
  readonly #idLists: readonly string[]
  readonly #objectLists: readonly string[]
  readonly #members: ReadonlySet<string>
  readonly #elementMembers: ReadonlySet<string> | null
  #count = 0

  constructor(reader: JsonReader, { ofIds = [], ofObjects = [], members = [], ofElements }: Known) {
    this.#reader = reader
    this.#idLists = ofIds
    this.#objectLists = ofObjects
    this.#members = lowerCase(members)
    this.#elementMembers = ofElements === undefined ? null : lowerCase(['id', ...ofElements])
  }

  *read(): Generator<void> {
    const lists = [...this.#idLists, ...this.#objectLists]
    for (const name of this.#reader.members()) {
      const lower = name.toLowerCase()
      const list = lists.find((one) => one === lower)
      if (list !== undefined) {
        yield* this.#list(list, this.#objectLists.includes(list))
        continue
      }
      if (!this.#members.has(lower)) this.#recordUnknown(name)
      this.members.set(lower, this.#reader.value())
    }
    this.#reader.end()
  }

  /** OData annotations do not count as unknown. */
  #recordUnknown(name: string): void {
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
      if (this.#elementMembers?.has(lower) === false) this.#recordUnknown(`${list}.${name}`)
      members.set(lower, value)
    })
    const written = members.get('id') ?? null
    return { id: idOf(written), sent: shown(written), members }
  }
}

/** How many unknown names are reported. */
const strangersMax = 20

function lowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}

const nothing: ReadonlyMap<string, Written> = new Map()

/** Digits, with or without quotes; null for numbers that cannot be ids. */
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
