// Parser of `$orderby`: expressions with `asc` or `desc`, separated by commas.
import type { Dialect } from '../lexer/dialect.ts'
import { readExpression, unexpected } from '../expressions/expression.ts'
import { Tokens, type Characters } from '../lexer/lexer.ts'
import { orderByOption } from './option.ts'
import type { OrderItem } from '../expressions/syntax.ts'

export function parseOrderBy(text: Characters, dialect: Dialect): OrderItem[] {
  const tokens = new Tokens(orderByOption, text)
  const items = readOrderBy(tokens, dialect)
  if (tokens.kind !== 'end') throw unexpected(tokens)
  return items
}

/** Parses items until no comma follows. */
export function readOrderBy(tokens: Tokens, dialect: Dialect): OrderItem[] {
  const items = [readItem(tokens, dialect)]
  while (tokens.isAt(',')) {
    tokens.next()
    items.push(readItem(tokens, dialect))
  }
  return items
}

function readItem(tokens: Tokens, dialect: Dialect): OrderItem {
  const expression = readExpression(tokens, dialect)
  const direction = tokens.kind === 'word' ? tokens.text.toLowerCase() : ''
  const isDirection = direction === 'asc' || direction === 'desc'
  if (isDirection) tokens.next()
  return { expression, descending: direction === 'desc' }
}
