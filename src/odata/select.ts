// `$select`: names separated by commas, and `*`.
import { phrase } from '#phrases.ts'
import { Tokens, type Characters } from '#odata/lex.ts'
import { selectOption, unreadable } from '#odata/option.ts'
import type { SelectItem } from '#odata/syntax.ts'

export const parseSelect = (text: Characters): SelectItem[] => {
  const tokens = new Tokens(selectOption, text)
  const items = [readItem(tokens)]
  while (tokens.isAt(',')) {
    tokens.next()
    items.push(readItem(tokens))
  }
  if (tokens.kind !== 'end') throw unreadable(selectOption, tokens.column, phrase('expectedComma'))
  return items
}

const readItem = (tokens: Tokens): SelectItem => {
  const { kind, text, column } = tokens
  if (kind !== 'word' && !tokens.isAt('*'))
    throw unreadable(selectOption, column, phrase('expectedName'))
  tokens.next()
  return { kind: 'name', name: text, column }
}
