// Whole options: parsing to the end of the text, and the error for what may not follow an expression.
import type { ApiError } from '../../../errors/api-error.ts'
import { closestMatch } from '../../../lib/closest-match.ts'
import { infixOperators } from '../expressions/operators.ts'
import { TokenStream, type CharSequence } from '../lexer/lexer.ts'
import type { QueryOption } from './option.ts'

/** Parses the whole text of an option, which must end where an operator could follow. */
export function parseWholeOption<Result>(
  option: QueryOption,
  text: CharSequence,
  parse: (tokens: TokenStream) => Result,
): Result {
  const tokens = new TokenStream(option, text)
  const result = parse(tokens)
  if (tokens.kind !== 'end') throw unexpectedTokenError(tokens)
  return result
}

/** The error for a token where only an operator, or the end, is allowed. */
export function unexpectedTokenError(tokens: TokenStream): ApiError {
  const { kind, text } = tokens
  if (tokens.isAt(')')) return tokens.invalid('unexpectedParenthesis')
  const suggestion = kind === 'word' ? closestMatch(text, infixOperators.keys()) : operatorBySign.get(text)
  return tokens.invalid('expectedOperator', suggestion)
}

/** Operators of other languages, for suggestions. */
const operatorBySign: ReadonlyMap<string, string> = new Map([
  ['=', 'eq'],
  ['!', 'ne'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['&', 'and'],
  ['|', 'or'],
])
