// Parser of JSON bodies with lists of ids or objects, like `{"ids":[1,"2"]}`.
import { ApiError, fieldError, type ItemResultValue } from '../../../errors/api-error.ts'
import { closestMatch } from '../../../lib/closest-match.ts'
import { yieldToEventLoop } from '../../../lib/yield-to-event-loop.ts'
import { message } from '../../../errors/messages.ts'
import type { JsonReader } from '../json/json-reader.ts'
import { openJsonObject } from '../json/json-rows.ts'
import { bodyMediaKind } from '../negotiation/media-type.ts'
import { listRowsMax } from './read-records.ts'
import { isLongerThan } from './read-value.ts'
import { describeValue, NestedValue, NumberText, InvalidText, quoteValue, textOf, type BodyValue } from './row-sink.ts'

export interface ListElement {
  /** Null if the element has no valid id. */
  readonly id: number | null
  /** How many ids it stands for: consecutive ones, sent as integers, are one element. */
  readonly length: number
  /** The value as sent, for the reply; long text is truncated. */
  readonly sent: ItemResultValue
  /** The other members of an object, by lower-case name; empty for a plain id. */
  readonly members: ReadonlyMap<string, BodyValue>
}

export interface IdListsBody {
  /** By the requested names; a list that was not sent is missing. */
  readonly lists: ReadonlyMap<string, readonly ListElement[]>
  /** All other members, by lower-case name. */
  readonly members: ReadonlyMap<string, BodyValue>
  /** Unknown names as sent; those of elements are prefixed with their list. */
  readonly unknownFields: ReadonlySet<string>
}

/** The members of a body: lists of ids, lists of objects with an `id`, and other members. */
export interface KnownMembers {
  readonly idLists?: readonly string[]
  readonly objectLists?: readonly string[]
  readonly members?: readonly string[]
  /** Known members of objects besides `id`; any member is allowed without it. */
  readonly elementMembers?: readonly string[]
}

/** Throws `UnknownField` for the first unknown name. */
export function rejectUnknownFields(
  { unknownFields }: { readonly unknownFields: Iterable<string> },
  known: KnownMembers,
): void {
  for (const field of unknownFields) {
    const shown = field.slice(0, 100).toWellFormed()
    const { idLists = [], objectLists = [], members = [] } = known
    const nearest = closestMatch(shown, [...idLists, ...objectLists, ...members])
    throw fieldError('UnknownField', shown, { nearest })
  }
}

/**
 * Parses a JSON body; names are case-insensitive. Throws errors of the body as a whole, `InvalidType` for a list
 * that is not an array, `DuplicateField` for a known member that is given twice, and `TooManyItems` if all lists together
 * are too long.
 */
export async function parseIdListsBody(
  body: Buffer,
  contentType: string | undefined,
  known: KnownMembers,
): Promise<IdListsBody> {
  bodyMediaKind(contentType, body, ['json'])
  const reading = new IdListsReader(openJsonObject(body), known)
  const steps = reading.read()
  while (!steps.next().done) await yieldToEventLoop()
  return reading
}

/**
 * A string member of the body, or of the element at `location`; null if it was not sent. Throws `InvalidType`,
 * `InvalidCharacter` and `ValueTooLong`.
 */
export function getText(
  members: ReadonlyMap<string, BodyValue>,
  name: string,
  max: number,
  location: string | null = null,
): string | null {
  const sentValue = members.get(name.toLowerCase()) ?? null
  if (sentValue === null || sentValue === '') return null
  const field = location === null ? name : `${location}.${name}`
  if (sentValue instanceof InvalidText)
    throw new ApiError('InvalidCharacter', { target: field, params: { character: sentValue.character } })
  const text = textOf(sentValue)
  if (text === null)
    throw fieldError('InvalidType', field, { expected: message('aString'), found: describeValue(sentValue) })
  if (isLongerThan(text, max)) throw fieldError('ValueTooLong', field, { max })
  return text
}

/** A positive integer member. Throws `InvalidType` and `NumberOutOfRange`. */
export function getCount(
  members: ReadonlyMap<string, BodyValue>,
  field: string,
  { defaultValue, max }: { readonly defaultValue: number; readonly max: number },
): number {
  const sentValue = members.get(field.toLowerCase()) ?? null
  if (sentValue === null) return defaultValue
  const digits = textOf(sentValue)
  if (digits === null || !/^-?\d+$/.test(digits))
    throw fieldError('InvalidType', field, { expected: message('anInteger'), found: quoteValue(sentValue) })
  const count = Number(digits)
  if (count >= 1 && count <= max) return count
  throw fieldError('NumberOutOfRange', field, { min: 1, max })
}

/** How many elements are read between two yields. */
const chunkElements = 5000

class IdListsReader implements IdListsBody {
  readonly lists = new Map<string, ListElement[]>()
  readonly members = new Map<string, BodyValue>()
  readonly unknownFields = new Set<string>()
  readonly #reader: JsonReader
  readonly #idLists: readonly string[]
  readonly #objectLists: readonly string[]
  readonly #members: ReadonlySet<string>
  readonly #elementMembers: ReadonlySet<string> | null
  /** Known names as sent, by lower-case name. */
  readonly #names = new Map<string, string>()
  #count = 0

  constructor(reader: JsonReader, { idLists = [], objectLists = [], members = [], elementMembers }: KnownMembers) {
    this.#reader = reader
    this.#idLists = idLists
    this.#objectLists = objectLists
    this.#members = lowerCase(members)
    this.#elementMembers = elementMembers === undefined ? null : lowerCase(['id', ...elementMembers])
  }

  *read(): Generator<void> {
    const lists = [...this.#idLists, ...this.#objectLists]
    for (const name of this.#reader.members()) {
      const lower = name.toLowerCase()
      const list = lists.find((one) => one === lower)
      const first = this.#names.get(lower)
      if (first !== undefined) throw duplicateError(name, first, name)
      if (list !== undefined || this.#members.has(lower)) this.#names.set(lower, name)
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
    if (!name.includes('@') && this.unknownFields.size < unknownFieldsMax) this.unknownFields.add(name)
  }

  *#list(name: string, isOfObjects: boolean): Generator<void> {
    if (this.#reader.peek() !== '[') {
      const found = describeValue(this.#reader.value())
      throw fieldError('InvalidType', name, { expected: message('anArray'), found })
    }
    const elements: ListElement[] = []
    let index = 0
    let range: { id: number; sent: number; length: number; members: typeof noMembers } | null = null
    for (const _ of this.#reader.elements()) {
      this.#reader.beginElement(name, index++)
      if (++this.#count > listRowsMax)
        throw new ApiError('TooManyItems', { params: { max: listRowsMax, limitName: 'listRowsMax' } })
      const id = isOfObjects ? null : this.#reader.positiveInteger()
      if (range !== null && id === range.id + range.length && range.length < rangeIdsMax) range.length += 1
      else {
        range = id === null ? null : { id, sent: id, length: 1, members: noMembers }
        elements.push(range ?? this.#element(name, isOfObjects))
      }
      if (this.#count % chunkElements === 0) yield
    }
    this.lists.set(name, elements)
  }

  #element(list: string, isOfObjects: boolean): ListElement {
    if (!isOfObjects || this.#reader.peek() !== '{') {
      const sentValue = this.#reader.value()
      return { id: parseId(sentValue), sent: displayValue(sentValue), length: 1, members: noMembers }
    }
    const members = new Map<string, BodyValue>()
    this.#reader.object((name, value) => {
      const lower = name.toLowerCase()
      if (this.#elementMembers?.has(lower) === false) this.#recordUnknown(`${list}.${name}`)
      else if (members.has(lower)) throw duplicateError(`${list}.${name}`, lower, name)
      members.set(lower, value)
    })
    const sentValue = members.get('id') ?? null
    return { id: parseId(sentValue), sent: displayValue(sentValue), length: 1, members }
  }
}

function duplicateError(target: string, first: string, second: string): ApiError {
  return new ApiError('DuplicateField', { target, params: { first, second } })
}

/** A statement of so many lines takes some milliseconds. */
const rangeIdsMax = 1000

/** How many unknown names are reported. */
const unknownFieldsMax = 20

function lowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}

const noMembers: ReadonlyMap<string, BodyValue> = new Map()

/** Digits, with or without quotes; null for numbers that cannot be ids. */
function parseId(sentValue: BodyValue): number | null {
  const digits = textOf(sentValue)
  if (digits === null || !/^\d{1,16}$/.test(digits)) return null
  const id = Number(digits)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

function displayValue(sentValue: BodyValue): ItemResultValue {
  if (sentValue instanceof NumberText) {
    const number = Number(sentValue.text)
    return String(number) === sentValue.text ? number : sentValue.text.slice(0, displayLengthMax)
  }
  if (sentValue instanceof NestedValue) return sentValue.kind === 'array' ? '[]' : '{}'
  if (sentValue instanceof InvalidText) return sentValue.character
  return typeof sentValue === 'string' ? sentValue.slice(0, displayLengthMax).toWellFormed() : sentValue
}

const displayLengthMax = 50
