// Parser of `$expand`: relations separated by commas, each with nested options in brackets.
import { message } from '../../../errors/messages.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { TokenStream, type CharSequence } from '../lexer/lexer.ts'
import { parseExpandItems } from './nested.ts'
import { expandOption, invalidOptionError } from './option.ts'
import type { ExpandItem } from '../expressions/syntax.ts'

/** Columns count from the start of the whole option, also in nested options. */
export function parseExpand(text: CharSequence, dialect: Dialect): readonly ExpandItem[] {
  const tokens = new TokenStream(expandOption, text)
  const items = parseExpandItems(tokens, dialect)
  if (tokens.kind !== 'end')
    throw invalidOptionError(expandOption, tokens.column, message('expectedComma'))
  return items
}
