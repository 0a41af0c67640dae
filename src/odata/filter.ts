// `$filter`: text becomes syntax, or is refused with the column where it broke.
import type { Dialect } from '#odata/dialect.ts'
import { readExpression, unexpected } from '#odata/expression.ts'
import { Tokens, type Characters } from '#odata/lex.ts'
import { filterOption, type Option } from '#odata/option.ts'
import type { Expression } from '#odata/syntax.ts'

export const parseFilter = (
  text: Characters,
  dialect: Dialect,
  option: Option = filterOption,
): Expression => {
  const tokens = new Tokens(option, text)
  const expression = readExpression(tokens, dialect)
  if (tokens.kind !== 'end') throw unexpected(tokens)
  return expression
}
