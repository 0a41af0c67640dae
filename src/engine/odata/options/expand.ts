// Parser of `$expand`: relations separated by commas, each with nested options in brackets.
import { phrase } from '../../../errors/messages.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { Tokens, type Characters } from '../lexer/lexer.ts'
import { readExpand } from './nested.ts'
import { expandOption, unreadable } from './option.ts'
import type { ExpandItem } from '../expressions/syntax.ts'

/** Columns count from the start of the whole option, also in nested options. */
export function parseExpand(text: Characters, dialect: Dialect): readonly ExpandItem[] {
  const tokens = new Tokens(expandOption, text)
  const items = readExpand(tokens, dialect)
  if (tokens.kind !== 'end') throw unreadable(expandOption, tokens.column, phrase('expectedComma'))
  return items
}
