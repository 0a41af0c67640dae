// Parser of `$search`: words and phrases joined by AND, OR and NOT; AND is the default.
import { TokenStream, type CharSequence } from '../lexer/lexer.ts'
import { limitError, expressionLimits } from '../expressions/complexity.ts'
import { invalidOptionError, searchOption } from './option.ts'
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
  if (kind !== 'text') return new SearchParser(tokens).parse()
  // A term in single quotes (OData 4.02, for search as you type) is searched for as written.
  tokens.nextTerm()
  return { kind: 'term', text, column }
}

class SearchParser {
  readonly #tokens: TokenStream
  #tokenCount = 0
  #bracketsOpen = 0
  /** The column after the last token. */
  #end = 0

  constructor(tokens: TokenStream) {
    this.#tokens = tokens
  }

  parse(): SearchExpression {
    const search = this.#parseOr()
    const { kind } = this.#tokens
    if (kind !== 'end' && kind !== 'punctuator') throw this.#tokens.invalid('expectedTerm')
    return search
  }

  #parseOr(): SearchExpression {
    const operands = [this.#parseAnd()]
    while (this.#accepts('OR')) operands.push(this.#parseAnd())
    return combineSearches('or', operands)
  }

  #parseAnd(): SearchExpression {
    const operands = [this.#parseNot()]
    while (startsTerm(this.#tokens) && !this.#isAtOperator('OR')) {
      this.#requireBlank()
      this.#accepts('AND')
      operands.push(this.#parseNot())
    }
    return combineSearches('and', operands)
  }

  #parseNot(): SearchExpression {
    const { column } = this.#tokens
    if (!this.#accepts('NOT')) return this.#parseTerm()
    this.#requireBlank()
    return { kind: 'not', operands: [this.#parseTerm()], column }
  }

  #parseTerm(): SearchExpression {
    const { kind, text, column, option } = this.#tokens
    if (!startsTerm(this.#tokens)) throw this.#tokens.invalid('expectedTerm')
    this.#next()
    if (kind !== 'punctuator') return { kind: 'term', text, column }
    if (++this.#bracketsOpen > expressionLimits.depth) throw limitError(option, column, 'depth')
    const inside = this.#parseOr()
    if (!this.#tokens.isAt(')')) throw invalidOptionError(option, column, 'parenthesisNotClosed')
    this.#bracketsOpen--
    this.#next()
    return inside
  }

  /** A word in capitals is an operator only if an operand follows. */
  #isAtOperator(word: string): boolean {
    const { kind, text } = this.#tokens
    if (kind !== 'word' || text !== word) return false
    const start = this.#tokens.savePosition()
    this.#tokens.nextTerm()
    const isOperator = startsTerm(this.#tokens)
    this.#tokens.restore(start)
    return isOperator
  }

  #accepts(word: string): boolean {
    const isAt = this.#isAtOperator(word)
    if (isAt) this.#next()
    return isAt
  }

  #requireBlank(): void {
    if (this.#tokens.column === this.#end) throw this.#tokens.invalid('expectedSpace')
  }

  #next(): void {
    const { option, column, end } = this.#tokens
    if (++this.#tokenCount > expressionLimits.nodes) throw limitError(option, column, 'nodes')
    this.#end = end
    this.#tokens.nextTerm()
  }
}

function startsTerm(tokens: TokenStream): boolean {
  return tokens.kind === 'word' || tokens.kind === 'phrase' || tokens.isAt('(')
}

function combineSearches(kind: 'or' | 'and', operands: readonly SearchExpression[]): SearchExpression {
  const [first] = operands
  if (first === undefined) throw new Error('a search ended without a term')
  return operands.length === 1 ? first : { kind, operands, column: first.column }
}
