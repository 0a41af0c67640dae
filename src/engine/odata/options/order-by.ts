// Parser of `$orderby`: expressions with `asc` or `desc`, separated by commas.
import type { Dialect } from '../dialect.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import type { CharSequence, TokenStream } from '../lexer/lexer.ts'
import { orderByOption } from './option.ts'
import type { OrderItem } from '../expressions/syntax.ts'
import { parseWholeOption } from './whole-option.ts'

export function parseOrderBy(text: CharSequence, dialect: Dialect): OrderItem[] {
  return parseWholeOption(orderByOption, text, (tokens) => parseOrderByItems(tokens, dialect))
}

/** Parses items until no comma follows. */
export function parseOrderByItems(tokens: TokenStream, dialect: Dialect): OrderItem[] {
  return tokens.parseItems(() => {
    const expression = parseExpression(tokens, dialect)
    const descending = tokens.acceptsWord('desc')
    if (!descending) tokens.acceptsWord('asc')
    return { expression, descending }
  })
}
