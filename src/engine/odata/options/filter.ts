// Parser of `$filter`.
import type { Dialect } from '../lexer/dialect.ts'
import { readExpression, unexpected } from '../expressions/expression.ts'
import { Tokens, type Characters } from '../lexer/lexer.ts'
import { filterOption, type Option } from './option.ts'
import type { Expression } from '../expressions/syntax.ts'

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
