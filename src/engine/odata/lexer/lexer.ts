// Lexer: splits the text of a query option into tokens, in one pass, on demand.
import {
  backslash,
  colon,
  doubleQuote,
  isBlank,
  isDigit,
  isLiteralPart,
  isTermPart,
  isWordPart,
  isWordStart,
  minus,
  plus,
  quote,
} from './characters.ts'
import { literalType } from './literals.ts'
import { message, type LocalizedMessage, type MessageCode } from '../../../errors/messages.ts'
import type { ApiError } from '../../../errors/api-error.ts'
import {
  invalidOptionError,
  tooComplexError,
  unsupportedError,
  type QueryOption,
  type TooComplexCode,
} from '../options/option.ts'

/** The part of `string` that the lexer uses; tests pass in one that counts its accesses. */
export interface CharSequence {
  readonly length: number
  charCodeAt(index: number): number
  slice(start: number, end: number): string
}

/**
 * `word`: letters, digits, `_`, `.`, and `$` or `@` in front. `literal`: an unquoted literal that starts with a digit
 * or a sign, such as a number, a date or a date-time; or a GUID. `text`: a string in single quotes. `phrase`: a
 * phrase in double quotes, in `$search` only. `punctuator`: any other single character.
 */
export type TokenKind = 'word' | 'literal' | 'text' | 'phrase' | 'punctuator' | 'end'

export interface TokenStreamOptions {
  /** The method that reads the first token. */
  readonly first?: 'next' | 'nextTerm'
  /** Added to every column: the number of characters before the text. */
  readonly columnOffset?: number
}

/** A saved position in the token stream. */
export interface TokenPosition {
  readonly kind: TokenKind
  readonly text: string
  readonly column: number
  readonly index: number
}

/** A token stream: holds the current token; `next` advances to the following one. */
export class TokenStream {
  readonly option: QueryOption
  kind: TokenKind = 'end'
  /** Words, literals and punctuators as written; strings without their quotes, `''` as one quote. */
  text = ''
  /** The column where the token starts, from 1. */
  column = 1
  readonly #characters: CharSequence
  readonly #columnOffset: number
  #index = 0

  constructor(
    option: QueryOption,
    characters: CharSequence,
    { first = 'next', columnOffset = 0 }: TokenStreamOptions = {},
  ) {
    this.option = option
    this.#characters = characters
    this.#columnOffset = columnOffset
    this[first]()
  }

  next(): void {
    const code = this.#skipBlanks()
    const start = this.#index
    if (Number.isNaN(code)) this.#setToken('end', start)
    else if (isWordStart(code)) this.#readWord(start)
    else if (isDigit(code) || this.#isSignedNumber(code)) this.#setToken('literal', this.#endOfLiteral(start))
    else if (code === quote) this.#readText(start)
    else this.#setToken('punctuator', start + 1)
  }

  /** Advances to the value of an option or transformation; search terms have tokens of their own. */
  nextValueOf(name: string): void {
    if (name === 'search') this.nextTerm()
    else this.next()
  }

  /** Like `next`, for `$search`: a word is anything but blanks, brackets, semicolons and double quotes. */
  nextTerm(): void {
    const code = this.#skipBlanks()
    const start = this.#index
    if (Number.isNaN(code)) this.#setToken('end', start)
    else if (code === quote) this.#readText(start)
    else if (code === doubleQuote) this.#readPhrase(start)
    else if (isTermPart(code)) this.#setToken('word', this.#endOf(start + 1, isTermPart))
    else this.#setToken('punctuator', start + 1)
  }

  /** At a double quote inside JSON: the token becomes the string that starts there. */
  readJsonString(): void {
    const start = this.column - this.#columnOffset - 1
    let end = start + 1
    for (let code = this.#code(end); code !== doubleQuote; code = this.#code(++end)) {
      if (Number.isNaN(code)) throw this.invalid('quoteNotClosed')
      if (code === backslash) end++
    }
    const written = this.#characters.slice(start, end + 1)
    const text = parseJsonString(written)
    if (text === undefined) {
      const problem = written.includes('\\') ? 'unknownEscape' : 'unescapedLineBreak'
      throw this.invalid(problem)
    }
    this.kind = 'text'
    this.text = text
    this.#index = end + 1
  }

  /** The current position, for `restore`. */
  savePosition(): TokenPosition {
    return { kind: this.kind, text: this.text, column: this.column, index: this.#index }
  }

  restore({ kind, text, column, index }: TokenPosition): void {
    this.kind = kind
    this.text = text
    this.column = column
    this.#index = index
  }

  /** The column after the token. */
  get end(): number {
    return this.#columnOffset + this.#index + 1
  }

  /** Whether the token is this punctuator. */
  isAt(sign: string): boolean {
    return this.kind === 'punctuator' && this.text === sign
  }

  /** Whether the token is this word, in any letter case; `word` is in lower case. */
  isAtWord(word: string): boolean {
    return this.kind === 'word' && this.text.toLowerCase() === word
  }

  /** Skips this punctuator, if the token is one. */
  accepts(sign: string): boolean {
    const isAt = this.isAt(sign)
    if (isAt) this.next()
    return isAt
  }

  /** Skips this word, if the token is it. */
  acceptsWord(word: string): boolean {
    const isAt = this.isAtWord(word)
    if (isAt) this.next()
    return isAt
  }

  /** Skips a required punctuator. */
  expect(sign: string, problem?: MessageCode): void {
    if (!this.accepts(sign)) throw this.invalid(problem ?? message('expectedSign', { sign }))
  }

  expectEnd(problem: MessageCode): void {
    if (this.kind !== 'end') throw this.invalid(problem)
  }

  /** Parses items until no comma follows. Throws an error of this code for more than 1,000. */
  parseItems<Item>(parse: () => Item, code: TooComplexCode = 'FilterTooComplex'): Item[] {
    const items = [parse()]
    while (this.accepts(',')) {
      if (items.length === itemsMax)
        throw tooComplexError(this.option, this.column, { limit: 'namesInList', max: itemsMax }, code)
      items.push(parse())
    }
    return items
  }

  /** A whole number that matches the pattern. */
  parseWholeNumber(pattern: RegExp, problem: MessageCode): number {
    const number = this.kind === 'literal' && pattern.test(this.text) ? Number(this.text) : NaN
    if (!Number.isSafeInteger(number)) throw this.invalid(problem)
    this.next()
    return number
  }

  /** The error for an invalid token. */
  invalid(problem: MessageCode | LocalizedMessage, nearest?: string): ApiError {
    return invalidOptionError(this.option, this.column, problem, nearest)
  }

  /** The error for a feature of the standard that this service does not support. */
  unsupported(feature: MessageCode | LocalizedMessage): ApiError {
    return unsupportedError(this.option, this.column, feature)
  }

  /** The next token starts at the character whose code it returns. */
  #skipBlanks(): number {
    let code = this.#code(this.#index)
    while (isBlank(code)) code = this.#code(++this.#index)
    this.column = this.#columnOffset + this.#index + 1
    return code
  }

  #code(index: number): number {
    return index < this.#characters.length ? this.#characters.charCodeAt(index) : NaN
  }

  /** OData has no infix `+` or `-`, so the sign belongs to the number. */
  #isSignedNumber(code: number): boolean {
    return (code === plus || code === minus) && isDigit(this.#code(this.#index + 1))
  }

  #endOf(index: number, isPart: (code: number) => boolean): number {
    let end = index
    while (isPart(this.#code(end))) end++
    return end
  }

  /** A word, or a GUID that begins with a letter. */
  #readWord(start: number): void {
    const end = this.#endOf(start + 1, isWordPart)
    const isGuid =
      end - start === 8 &&
      this.#code(end) === minus &&
      literalType(this.#characters.slice(start, start + 36)) === 'guid'
    if (isGuid) this.#setToken('literal', start + 36)
    else this.#setToken('word', end)
  }

  /** A colon belongs to the literal only after two digits and before another: it separates hours and minutes. */
  #endOfLiteral(start: number): number {
    let end = start + 1
    let digits = isDigit(this.#code(start)) ? 1 : 0
    for (let code = this.#code(end); isLiteralPart(code); code = this.#code(++end)) {
      if (code === colon && !(digits === 2 && isDigit(this.#code(end + 1)))) break
      digits = isDigit(code) ? digits + 1 : 0
    }
    return end
  }

  #setToken(kind: TokenKind, end: number): void {
    this.kind = kind
    this.text = this.#characters.slice(this.#index, end)
    this.#index = end
  }

  #readText(start: number): void {
    let hasQuotes = false
    for (let end = start + 1; end < this.#characters.length; end++) {
      if (this.#code(end) !== quote) continue
      if (this.#code(end + 1) === quote) {
        hasQuotes = true
        end++
        continue
      }
      const inside = this.#characters.slice(start + 1, end)
      this.kind = 'text'
      this.text = hasQuotes ? inside.replace(/''/g, "'") : inside
      this.#index = end + 1
      return
    }
    throw this.invalid('quoteNotClosed')
  }

  #readPhrase(start: number): void {
    const end = this.#endOf(start + 1, (code) => code !== doubleQuote && !Number.isNaN(code))
    if (end === this.#characters.length) throw this.invalid('quoteNotClosed')
    this.#index = start + 1
    this.#setToken('phrase', end)
    this.#index = end + 1
  }
}

function parseJsonString(written: string): string | undefined {
  try {
    return String(JSON.parse(written))
  } catch {
    return undefined
  }
}

/** Of a list in an option: the body of `/$query` could have 500,000. */
const itemsMax = 1000
