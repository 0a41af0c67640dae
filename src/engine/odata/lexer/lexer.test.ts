import { expect, test } from 'vitest'
import { ApiError } from '../../../errors/api-error.ts'
import { parseFilter } from '../options/filter.ts'
import { odata2Dialect } from '../dialect.ts'
import { TokenStream, type CharSequence } from './lexer.ts'
import { filterOption } from '../options/option.ts'

/** Each token as `column kind text`. */
function tokensOf(text: string): string[] {
  const tokens = new TokenStream(filterOption, text)
  const all: string[] = []
  for (; tokens.kind !== 'end'; tokens.next()) all.push(`${tokens.column} ${tokens.kind} ${tokens.text}`)
  return [...all, `${tokens.column} end`]
}

test.each([
  ['', ['1 end']],
  ['  ', ['3 end']],
  ['Dato', ['1 word Dato', '5 end']],
  ['a\tb\r\nc', ['1 word a', '3 word b', '6 word c', '7 end']],
  ['blåbær_1', ['1 word blåbær_1', '9 end']],
  ['Sales.Pattern', ['1 word Sales.Pattern', '14 end']],
  ['$it @p1', ['1 word $it', '5 word @p1', '8 end']],
  ["'a b'", ['1 text a b', '6 end']],
  ["'O''Neil'", ["1 text O'Neil", '10 end']],
  ["''", ['1 text ', '3 end']],
  ["''''", ["1 text '", '5 end']],
  ["datetime'2013-01-01'", ['1 word datetime', '9 text 2013-01-01', '21 end']],
  ['2013-01-01T10:00:00.5+02:00)', ['1 literal 2013-01-01T10:00:00.5+02:00', '28 punctuator )', '29 end']],
  ['-1.5e-3,+2', ['1 literal -1.5e-3', '8 punctuator ,', '9 literal +2', '11 end']],
  ['- 1', ['1 punctuator -', '3 literal 1', '4 end']],
  ['10:20:x', ['1 literal 10:20', '6 punctuator :', '7 word x', '8 end']],
  ['100:1', ['1 literal 100', '4 punctuator :', '5 literal 1', '6 end']],
  ['abcdefab-cd', ['1 word abcdefab', '9 punctuator -', '10 word cd', '12 end']],
  ['a/b', ['1 word a', '2 punctuator /', '3 word b', '4 end']],
  ['‘x’', ['1 punctuator ‘', '2 word x', '3 punctuator ’', '4 end']],
])('%j', (text, expected) => {
  expect(tokensOf(text)).toEqual(expected)
})

test('an unclosed quote is an error at its opening quote', () => {
  expect(() => tokensOf("a 'b''")).toThrow(expect.objectContaining({ code: 'InvalidFilter', target: '$filter:3' }))
})

/** Counts how often its characters are read. */
class CountedCharacters implements CharSequence {
  visits = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get length(): number {
    return this.#text.length
  }

  charCodeAt(index: number): number {
    this.visits++
    return this.#text.charCodeAt(index)
  }

  slice(start: number, end: number): string {
    return this.#text.slice(start, end)
  }
}

const length = 1_000_000
function hostile(piece: string): string {
  return piece.repeat(length / piece.length)
}

test.each([
  ['open brackets', hostile('(')],
  ['not', hostile('not ')],
  ['and', `a eq 1${hostile(' and a eq 1')}`],
  ['minus', hostile('- ')],
  ['open calls', hostile('contains(')],
  ['an unclosed quote', `a eq '${hostile('x')}`],
  ['quotes', hostile("'")],
  ['a long text', `a eq '${hostile('x')}'`],
  ['a long number', hostile('1')],
  ['a long date', `2013-${hostile('-')}`],
  ['a long name', hostile('a')],
  ['letters beyond ASCII', hostile('å')],
  ['blanks', hostile(' ')],
  ['a list of long texts', `a in ('${hostile('x')}','${hostile('y')}')`],
  ['a list without end', `a in (1${hostile(',1')})`],
  ['arguments without end', `contains(1${hostile(',1')})`],
  ['commas', hostile(',')],
  ['paths', `a${hostile('/a')}`],
  ['lambdas', hostile('a/any(x:')],
  ['arrays', hostile('[')],
  ['objects', hostile('{"a":')],
  ['a JSON string', `["${hostile('\\n')}"]`],
  ['an unclosed JSON string', `["${hostile('x')}`],
  ['colons', hostile('1:')],
  ['times', hostile('10:')],
  ['almost GUIDs', hostile('abcdefab-')],
  ['cases', hostile('case(1:')],
  ['a search', `a/$count($search=${hostile('x ')})`],
  ['brackets of a search', `a/$count($search=${hostile('(')}`],
  ['an unclosed phrase', `a/$count($search="${hostile('x')}`],
])('hostile input is read at most twice per character: %s', (_, text) => {
  const characters = new CountedCharacters(text)
  try {
    parseFilter(characters, odata2Dialect)
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
  }
  expect(characters.visits).toBeLessThanOrEqual(2 * text.length)
})

test('a valid filter is read at most twice per character', () => {
  const text = Array.from({ length: 1000 }, (_, id) => `(a eq ${id} )`).join(' or ')
  const characters = new CountedCharacters(text)
  parseFilter(characters, odata2Dialect)
  expect(characters.visits).toBeLessThanOrEqual(2 * text.length)
})
