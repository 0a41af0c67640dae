// Parser of `$search`: words and phrases joined by AND, OR and NOT; AND is the default.
import { TokenStream, type CharSequence, type TokenKind } from '../lexer/lexer.ts'
import { limitError, expressionLimits } from '../expressions/complexity.ts'
import { searchOption, invalidOptionError, type QueryOption } from './option.ts'
import type { SearchExpression } from '../expressions/syntax.ts'

export function parseSearch(text: CharSequence): SearchExpression {
  const tokens = new TokenStream(searchOption, text, { first: 'nextTerm' })
  const search = parseSearchExpression(tokens)
  tokens.expectEnd('expectedTerm')
  return search
}

/** Starts at the first term, and stops at the end, at `;`, or at a closing bracket that it did not open. */
export function parseSearchExpression(tokens: TokenStream): SearchExpression {
  const { kind, text, column } = tokens
  if (kind !== 'text') return new SearchParser(collectSearchTokens(tokens), tokens.option).read()
  // A term in single quotes (OData 4.02, for search as you type) is searched for as written.
  tokens.nextTerm()
  return { kind: 'term', text, column }
}

interface SearchToken {
  readonly kind: TokenKind
  readonly text: string
  readonly column: number
  /** The column after its last character. */
  readonly end: number
}

/** Whether AND, OR and NOT are operators or terms depends on the next token, so all tokens are collected first. */
function collectSearchTokens(tokens: TokenStream): SearchToken[] {
  const collected: SearchToken[] = []
  let bracketsOpen = 0
  for (; !isEndOfSearch(tokens, bracketsOpen); tokens.nextTerm()) {
    if (tokens.isAt('(')) bracketsOpen++
    if (tokens.isAt(')')) bracketsOpen--
    const { kind, text, column, end } = tokens
    if (collected.length === expressionLimits.nodes) throw limitError(tokens.option, column, 'nodes')
    if (bracketsOpen > expressionLimits.depth) throw limitError(tokens.option, column, 'depth')
    collected.push({ kind, text, column, end })
  }
  collected.push({ kind: 'end', text: '', column: tokens.column, end: tokens.column })
  return collected
}

function isEndOfSearch(tokens: TokenStream, bracketsOpen: number): boolean {
  return tokens.kind === 'end' || tokens.isAt(';') || (tokens.isAt(')') && bracketsOpen === 0)
}

class SearchParser {
  readonly #tokens: readonly SearchToken[]
  readonly #option: QueryOption
  #position = 0

  constructor(collected: readonly SearchToken[], option: QueryOption) {
    this.#tokens = collected
    this.#option = option
  }

  read(): SearchExpression {
    const search = this.#parseOr()
    const { kind, column } = this.#token()
    if (kind !== 'end') throw invalidOptionError(this.#option, column, 'expectedTerm')
    return search
  }

  #parseOr(): SearchExpression {
    const operands = [this.#parseAnd()]
    while (this.#accepts('OR')) operands.push(this.#parseAnd())
    return combineSearches('or', operands)
  }

  #parseAnd(): SearchExpression {
    const operands = [this.#parseNot()]
    while (startsTerm(this.#token()) && !this.#isAtOperator('OR')) {
      this.#requireBlank()
      this.#accepts('AND')
      operands.push(this.#parseNot())
    }
    return combineSearches('and', operands)
  }

  #parseNot(): SearchExpression {
    const { column } = this.#token()
    if (!this.#accepts('NOT')) return this.#parseTerm()
    this.#requireBlank()
    return { kind: 'not', operands: [this.#parseTerm()], column }
  }

  #parseTerm(): SearchExpression {
    const { kind, text, column } = this.#token()
    if (!startsTerm(this.#token())) throw invalidOptionError(this.#option, column, 'expectedTerm')
    this.#position++
    if (kind !== 'punctuator') return { kind: 'term', text, column }
    const inside = this.#parseOr()
    if (this.#token().text !== ')') throw invalidOptionError(this.#option, column, 'parenthesisNotClosed')
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
      throw invalidOptionError(this.#option, column, 'expectedSpace')
  }

  #token(ahead = 0): SearchToken {
    return this.#tokens[this.#position + ahead] ?? endToken
  }
}

const endToken: SearchToken = { kind: 'end', text: '', column: 0, end: 0 }

function startsTerm({ kind, text }: SearchToken): boolean {
  return kind === 'word' || kind === 'phrase' || (kind === 'punctuator' && text === '(')
}

function combineSearches(kind: 'or' | 'and', operands: readonly SearchExpression[]): SearchExpression {
  const [first] = operands
  if (first === undefined) throw new Error('a search ended without a term')
  return operands.length === 1 ? first : { kind, operands, column: first.column }
}
