// Parser of `$search`: words and phrases joined by AND, OR and NOT; AND is the default.
import { Fault } from '../../../errors/catalog.ts'
import { phrase } from '../../../errors/messages.ts'
import { Tokens, type Characters, type TokenKind } from '../lexer/lexer.ts'
import { searchOption, targetAt, unreadable, type Option } from './option.ts'
import type { Search } from '../expressions/syntax.ts'

export function parseSearch(text: Characters): Search {
  const tokens = new Tokens(searchOption, text, { first: 'nextTerm' })
  const search = readSearch(tokens)
  if (tokens.kind !== 'end') throw unreadable(searchOption, tokens.column, phrase('expectedTerm'))
  return search
}

/** Starts at the first term, and stops at the end, at `;`, or at a closing bracket that it did not open. */
export function readSearch(tokens: Tokens): Search {
  const { kind, text, column } = tokens
  if (kind !== 'text') return new SearchReader(piecesOf(tokens), tokens.option).read()
  // A term in single quotes (OData 4.02, for search as you type) is searched for as written.
  tokens.nextTerm()
  return { kind: 'term', text, column }
}

interface Piece {
  readonly kind: TokenKind
  readonly text: string
  readonly column: number
  /** The column after its last character. */
  readonly end: number
}

/** Whether AND, OR and NOT are operators or terms depends on the next token, so all tokens are collected first. */
function piecesOf(tokens: Tokens): Piece[] {
  const pieces: Piece[] = []
  let bracketsOpen = 0
  for (; !endsSearch(tokens, bracketsOpen); tokens.nextTerm()) {
    if (tokens.isAt('(')) bracketsOpen++
    if (tokens.isAt(')')) bracketsOpen--
    const { kind, text, column, end } = tokens
    if (pieces.length === limits.nodes) throw tooComplex('nodes', tokens.option, column)
    if (bracketsOpen > limits.depth) throw tooComplex('depth', tokens.option, column)
    pieces.push({ kind, text, column, end })
  }
  pieces.push({ kind: 'end', text: '', column: tokens.column, end: tokens.column })
  return pieces
}

const limits = { nodes: 2000, depth: 32 } as const

function endsSearch(tokens: Tokens, bracketsOpen: number): boolean {
  return tokens.kind === 'end' || tokens.isAt(';') || (tokens.isAt(')') && bracketsOpen === 0)
}

function tooComplex(limit: keyof typeof limits, option: Option, column: number): Fault {
  return new Fault('FilterTooComplex', {
    target: targetAt(option, column),
    says: { option: option.name, limit: phrase(limit), max: limits[limit] },
  })
}

class SearchReader {
  readonly #tokens: readonly Piece[]
  readonly #option: Option
  #position = 0

  constructor(pieces: readonly Piece[], option: Option) {
    this.#tokens = pieces
    this.#option = option
  }

  read(): Search {
    const search = this.#parseOr()
    const { kind, column } = this.#token()
    if (kind !== 'end') throw unreadable(this.#option, column, phrase('expectedTerm'))
    return search
  }

  #parseOr(): Search {
    const operands = [this.#parseAnd()]
    while (this.#accepts('OR')) operands.push(this.#parseAnd())
    return joined('or', operands)
  }

  #parseAnd(): Search {
    const operands = [this.#parseNot()]
    while (startsTerm(this.#token()) && !this.#isAtOperator('OR')) {
      this.#requireBlank()
      this.#accepts('AND')
      operands.push(this.#parseNot())
    }
    return joined('and', operands)
  }

  #parseNot(): Search {
    const { column } = this.#token()
    if (!this.#accepts('NOT')) return this.#parseTerm()
    this.#requireBlank()
    return { kind: 'not', operands: [this.#parseTerm()], column }
  }

  #parseTerm(): Search {
    const { kind, text, column } = this.#token()
    if (!startsTerm(this.#token())) throw unreadable(this.#option, column, phrase('expectedTerm'))
    this.#position++
    if (kind !== 'punctuator') return { kind: 'term', text, column }
    const inside = this.#parseOr()
    if (this.#token().text !== ')')
      throw unreadable(this.#option, column, phrase('bracketNeverClosed'))
    this.#position++
    return inside
  }

  /** A word in capitals is an operator only if an operand follows. */
  #isAtOperator(word: string): boolean {
    const { kind, text } = this.#token()
    return kind === 'word' && text === word && startsTerm(this.#token(1))
  }

  #accepts(word: string): boolean {
    const isAt = this.#isAtOperator(word)
    if (isAt) this.#position++
    return isAt
  }

  #requireBlank(): void {
    const { column } = this.#token()
    if (this.#tokens[this.#position - 1]?.end === column)
      throw unreadable(this.#option, column, phrase('expectedBlank'))
  }

  #token(ahead = 0): Piece {
    return this.#tokens[this.#position + ahead] ?? nothing
  }
}

const nothing: Piece = { kind: 'end', text: '', column: 0, end: 0 }

function startsTerm({ kind, text }: Piece): boolean {
  return kind === 'word' || kind === 'phrase' || (kind === 'punctuator' && text === '(')
}

function joined(kind: 'or' | 'and', operands: readonly Search[]): Search {
  const [first] = operands
  if (first === undefined) throw new Error('a search ended without a term')
  return operands.length === 1 ? first : { kind, operands, column: first.column }
}
