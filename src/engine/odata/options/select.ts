// Parser of `$select`: names and `*`, separated by commas, with nested options in brackets.
import { message } from '../../../errors/messages.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { TokenStream, type CharSequence } from '../lexer/lexer.ts'
import { parseSelectItems } from './nested.ts'
import { selectOption, invalidOptionError } from './option.ts'
import type { SelectItem } from '../expressions/syntax.ts'

export function parseSelect(text: CharSequence, dialect: Dialect): readonly SelectItem[] {
  const tokens = new TokenStream(selectOption, text)
  const items = parseSelectItems(tokens, dialect)
  if (tokens.kind !== 'end')
    throw invalidOptionError(selectOption, tokens.column, message('expectedComma'))
  return items
}
