// Parser of `$select`: names and `*`, separated by commas, with nested options in brackets.
import { phrase } from '../../../errors/messages.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { Tokens, type Characters } from '../lexer/lexer.ts'
import { readSelect } from './nested.ts'
import { selectOption, unreadable } from './option.ts'
import type { SelectItem } from '../expressions/syntax.ts'

export function parseSelect(text: Characters, dialect: Dialect): readonly SelectItem[] {
  const tokens = new Tokens(selectOption, text)
  const items = readSelect(tokens, dialect)
  if (tokens.kind !== 'end') throw unreadable(selectOption, tokens.column, phrase('expectedComma'))
  return items
}
