// JSON reader in one pass that keeps numbers as digits; `JSON.parse` would make floats of them.
import { ApiError } from '../../../errors/api-error.ts'
import { message, type MessageCode } from '../../../errors/messages.ts'
import { codePointName } from '../../../lib/code-point.ts'
import { BodyParts, requireShortElement } from '../read/body-parts.ts'
import { NestedValue, NumberText, InvalidText, type BodyValue } from '../read/row-sink.ts'

/** Deeper bodies are rejected before the stack could overflow (interface 8). */
export const jsonDepthMax = 16

/**
 * A cursor over JSON text. Throws `MalformedJson`, `JsonTooDeep` and `ValueTooLong`; reads each character once, except those of
 * strings with escapes, and of a token in which a decoded part ends.
 */
export class JsonReader {
  /** The decoded part of the body, in which `#position` is. */
  #text: string
  #position = 0
  /** The number of characters before the decoded part. */
  #charactersBefore = 0
  readonly #parts: BodyParts
  #depth = 0
  /** The element of a list that is being read, and where it begins. */
  readonly #element: { list: string; index: number | null; start: number } = { list: 'body', index: null, start: 0 }
  /** The names of the object before, in their order. */
  readonly #names: string[] = []

  /** Throws `InvalidUtf8`. */
  constructor(body: Buffer) {
    this.#parts = new BodyParts(body)
    this.#text = this.#parts.next() ?? ''
  }

  /** The number of characters read. */
  get position(): number {
    return this.#charactersBefore + this.#position
  }

  /** An element of a list, or a member, begins here; it must end within `elementCharactersMax`. */
  beginElement(list: string, index: number | null = null): void {
    const element = this.#element
    element.list = list
    element.index = index
    element.start = this.position
  }

  /** Skips whitespace and returns the next character, or '' at the end. */
  peek(): string {
    return this.#peek() === -1 ? '' : this.#text.charAt(this.#position)
  }

  /** Iterates over an array; the caller must read one value per iteration. */
  *elements(): Generator<void> {
    for (let isElement = this.openArray(); isElement; isElement = this.nextElement()) yield
  }

  /** Opens an array. Returns whether it has an element, which the caller must read. */
  openArray(): boolean {
    this.#open()
    return !this.#closes(closeBracket)
  }

  /** Returns whether another element follows, which the caller must read. */
  nextElement(): boolean {
    return this.#continues(closeBracket)
  }

  /** Iterates over the names of an object; the caller must read one value after each. */
  *members(): Generator<string> {
    this.#open()
    if (this.#closes(closeBrace)) return
    do yield this.#name()
    while (this.#continues(closeBrace))
  }

  /** Reads an object and passes each member to a callback, repeated names too. */
  object(member: (name: string, value: BodyValue) => void): void {
    this.#open()
    if (this.#closes(closeBrace)) return
    let index = 0
    do {
      const name = this.#likelyName(index++)
      member(name, this.value())
    } while (this.#continues(closeBrace))
  }

  /** Reads one value. The contents of arrays and objects are checked and discarded. */
  value(): BodyValue {
    const character = this.#peek()
    switch (character) {
      case quote:
        return this.#string()
      case openBrace:
        this.object(ignoreMember)
        return new NestedValue('object')
      case openBracket:
        for (let isElement = this.openArray(); isElement; isElement = this.nextElement()) this.value()
        return new NestedValue('array')
      case letterT:
        return this.#word('true', true)
      case letterF:
        return this.#word('false', false)
      case letterN:
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  /** Reads a whole number in its shortest form, above 0 and of at most 15 digits; null, without reading it, if none follows. */
  positiveInteger(): number | null {
    this.#peek()
    const digits = this.#read(listedInteger)
    return digits === null ? null : Number(digits)
  }

  /** Requires that only whitespace follows. */
  end(): void {
    if (this.#peek() !== -1) this.#fail('unexpectedText')
  }

  #peek(): number {
    const text = this.#text
    const start = this.#position
    while (this.#position < text.length) {
      const character = text.charCodeAt(this.#position)
      if (character !== 32 && character !== 10 && character !== 13 && character !== 9) return character
      this.#position += 1
    }
    // A body may be padded.
    this.#element.start += text.length - start
    return this.#decodeMore() ? this.#peek() : -1
  }

  /** Decodes more of the body behind the token that begins here. Returns false at the end of the body. */
  #decodeMore(): boolean {
    const { list, index, start } = this.#element
    requireShortElement(this.#charactersBefore + this.#text.length - start, index === null ? list : `${list}[${index}]`)
    const text = this.#parts.next(this.#text.slice(this.#position))
    if (text === null) return false
    this.#charactersBefore += this.#position
    this.#position = 0
    this.#text = text
    return true
  }

  #open(): void {
    if (this.#depth === jsonDepthMax)
      throw new ApiError('JsonTooDeep', { params: { max: jsonDepthMax, limitName: 'jsonDepthMax' } })
    this.#depth += 1
    this.#position += 1
  }

  #closes(bracket: number): boolean {
    if (this.#peek() !== bracket) return false
    this.#depth -= 1
    this.#position += 1
    return true
  }

  #continues(bracket: number): boolean {
    if (this.#closes(bracket)) return false
    if (this.#peek() !== comma) this.#fail('commaMissing')
    this.#position += 1
    return true
  }

  /** The rows of a list mostly have the same names: the string is compared, and not created and hashed again. */
  #likelyName(index: number): string {
    const likely = this.#names[index]
    if (likely !== undefined && this.#peek() === quote) {
      const end = this.#position + 1 + likely.length
      if (this.#text.charCodeAt(end) === quote && this.#text.startsWith(likely, this.#position + 1)) {
        this.#position = end + 1
        this.#readColon()
        return likely
      }
    }
    const name = this.#name()
    if (index < likelyNamesMax && !escapedCharacter.test(name)) this.#names[index] = name
    return name
  }

  #name(): string {
    if (this.#peek() !== quote) this.#fail('nameMissing')
    const name = this.#string()
    if (name instanceof InvalidText) throw new ApiError('InvalidCharacter', { params: { character: name.character } })
    this.#readColon()
    return name
  }

  #readColon(): void {
    if (this.#peek() !== colon) this.#fail('colonMissing')
    this.#position += 1
  }

  #string(): string | InvalidText {
    const text = this.#text
    const start = this.#position + 1
    let at = start
    while (at < text.length) {
      const character = text.charCodeAt(at)
      if (character === quote) {
        this.#position = at + 1
        return text.slice(start, at)
      }
      if (character === backslash || character < 32) return this.#unusualString(start, at)
      at += 1
    }
    return this.#decodeMore() ? this.#string() : this.#fail('stringNotClosed')
  }

  /** Reads the rest of a string from its first escape or control character. */
  #unusualString(start: number, firstUnusual: number): string | InvalidText {
    const text = this.#text
    let invalid: InvalidText | null = null
    let at = firstUnusual
    for (; text.charCodeAt(at) !== quote; at += 1) {
      const character = text.charCodeAt(at)
      if (at >= text.length) return this.#decodeMore() ? this.#string() : this.#fail('stringNotClosed')
      if (character === backslash) at += 1
      else if (character < 32) invalid ??= this.#control(at)
    }
    this.#position = at + 1
    return invalid ?? this.#unescaped(start, at)
  }

  #control(at: number): InvalidText {
    const invalid = findInvalidText(this.#text.charAt(at))
    if (invalid !== null) return invalid
    this.#position = at
    return this.#fail('unescapedLineBreak')
  }

  #unescaped(start: number, end: number): string | InvalidText {
    const written = this.#text.slice(start - 1, end + 1)
    let read: unknown
    try {
      read = JSON.parse(written)
    } catch {
      this.#position = start
      this.#fail('unknownEscape')
    }
    const text = String(read)
    return findInvalidText(text) ?? text
  }

  #number(): NumberText {
    const number = this.#read(jsonNumber)
    if (number !== null) return new NumberText(number)
    const text = this.#text
    if (/[-\d]/.test(text.charAt(this.#position))) this.#fail('notJsonNumber')
    return this.#fail(this.#position < text.length ? 'valueMissing' : 'unexpectedEnd')
  }

  #word<T>(word: string, means: T): T {
    if (this.#text.length - this.#position < word.length) this.#decodeMore()
    if (!this.#text.startsWith(word, this.#position)) this.#fail('valueMissing')
    this.#position += word.length
    return means
  }

  /** The number that a sticky pattern matches here, which is read; null if it does not match. It may go on behind the decoded part. */
  #read(pattern: RegExp): string | null {
    const text = this.#text
    const start = this.#position
    pattern.lastIndex = start
    const isMatch = pattern.test(text)
    if ((isMatch ? pattern.lastIndex : numberEnd(text, start)) === text.length && this.#decodeMore())
      return this.#read(pattern)
    if (!isMatch) return null
    this.#position = pattern.lastIndex
    return text.slice(start, this.#position)
  }

  #fail(problem: MessageCode): never {
    throw new ApiError('MalformedJson', { params: { problem: message(problem), position: this.position } })
  }
}

function ignoreMember(): void {}

/** Where the characters end that a number, valid or not, may have. */
function numberEnd(text: string, start: number): number {
  numberCharacters.lastIndex = start
  numberCharacters.test(text)
  return numberCharacters.lastIndex
}

const numberCharacters = /[-+.\dEe]*/y

const likelyNamesMax = 64

/** In a text these are written in another way. */
const escapedCharacter = /["\\\p{Cc}]/u

const quote = 34
const comma = 44
const colon = 58
const backslash = 92
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125
const letterF = 102
const letterN = 110
const letterT = 116

/** Each optional part is there, or does not begin: `01`, `1.` and `1e` are no numbers. */
const jsonNumber = /-?(?:0|[1-9]\d*)(?:\.\d+|(?![\d.]))(?:[Ee][+-]?\d+|(?![\dEe]))/y

const listedInteger = /[1-9]\d{0,14}(?=[,\]])/y

/** The first character of a text that cannot be stored; null if there is none. */
export function findInvalidText(text: string): InvalidText | null {
  const [character] = invalidCharacter.exec(text) ?? []
  return character === undefined ? null : new InvalidText(codePointName(character))
}

/** Control characters that are legal in JSON, but not in PostgreSQL or XML, and unpaired surrogates. */
const invalidCharacter = /(?![\t\n\r\u007F-\u009F])\p{Cc}|\p{Cs}/u
