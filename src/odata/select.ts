// `$select`: names separated by commas, and `*`; a name may have options of its own in brackets.
import { phrase } from '#phrases.ts'
import type { Dialect } from '#odata/dialect.ts'
import { Tokens, type Characters } from '#odata/lex.ts'
import { readSelect } from '#odata/nested.ts'
import { selectOption, unreadable } from '#odata/option.ts'
import type { SelectItem } from '#odata/syntax.ts'

export const parseSelect = (text: Characters, dialect: Dialect): readonly SelectItem[] => {
  const tokens = new Tokens(selectOption, text)
  const items = readSelect(tokens, dialect)
  if (tokens.kind !== 'end') throw unreadable(selectOption, tokens.column, phrase('expectedComma'))
  return items
}
