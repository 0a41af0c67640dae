// `$filter`: text becomes syntax, or is refused with the column where it broke.
import type { Dialect } from './dialect.ts'
import { readExpression, unexpected } from './expression.ts'
import { Tokens, type Characters } from './lex.ts'
import { filterOption, type Option } from './option.ts'
import type { Expression } from './syntax.ts'

export function parseFilter(
  text: Characters,
  dialect: Dialect,
  option: Option = filterOption,
): Expression {
  const tokens = new Tokens(option, text)
  const expression = readExpression(tokens, dialect)
  if (tokens.kind !== 'end') throw unexpected(tokens)
  return expression
}
