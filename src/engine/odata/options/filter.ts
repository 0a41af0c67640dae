// Parser of `$filter`.
import type { Dialect } from '../lexer/dialect.ts'
import { parseExpression, unexpectedTokenError } from '../expressions/expression.ts'
import { TokenStream, type CharSequence } from '../lexer/lexer.ts'
import { filterOption, type QueryOption } from './option.ts'
import type { Expression } from '../expressions/syntax.ts'

export function parseFilter(
  text: CharSequence,
  dialect: Dialect,
  option: QueryOption = filterOption,
): Expression {
  const tokens = new TokenStream(option, text)
  const expression = parseExpression(tokens, dialect)
  if (tokens.kind !== 'end') throw unexpectedTokenError(tokens)
  return expression
}
