// Parser of `$orderby`: expressions with `asc` or `desc`, separated by commas.
import type { Dialect } from '../lexer/dialect.ts'
import { parseExpression, unexpectedTokenError } from '../expressions/expression.ts'
import { TokenStream, type CharSequence } from '../lexer/lexer.ts'
import { orderByOption } from './option.ts'
import type { OrderItem } from '../expressions/syntax.ts'

export function parseOrderBy(text: CharSequence, dialect: Dialect): OrderItem[] {
  const tokens = new TokenStream(orderByOption, text)
  const items = parseOrderByItems(tokens, dialect)
  if (tokens.kind !== 'end') throw unexpectedTokenError(tokens)
  return items
}

/** Parses items until no comma follows. */
export function parseOrderByItems(tokens: TokenStream, dialect: Dialect): OrderItem[] {
  const items = [parseItem(tokens, dialect)]
  while (tokens.isAt(',')) {
    tokens.next()
    items.push(parseItem(tokens, dialect))
  }
  return items
}

function parseItem(tokens: TokenStream, dialect: Dialect): OrderItem {
  const expression = parseExpression(tokens, dialect)
  const direction = tokens.kind === 'word' ? tokens.text.toLowerCase() : ''
  const isDirection = direction === 'asc' || direction === 'desc'
  if (isDirection) tokens.next()
  return { expression, descending: direction === 'desc' }
}
