// Parser of `$filter`, and of other texts that are one expression.
import type { Dialect } from '../dialect.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import type { CharSequence } from '../lexer/lexer.ts'
import { filterOption, type QueryOption } from './option.ts'
import type { Expression } from '../expressions/syntax.ts'
import { parseWholeOption } from './whole-option.ts'

/** `option` is the URL part that contains the expression. */
export function parseFilter(text: CharSequence, dialect: Dialect, option: QueryOption = filterOption): Expression {
  return parseWholeOption(option, text, (tokens) => parseExpression(tokens, dialect))
}
