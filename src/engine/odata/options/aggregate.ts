// Parser of the items of `aggregate(…)`: aggregate expressions with aliases.
import { isWord, parseAggregateExpression } from '../expressions/aggregate-expression.ts'
import { parseAlias } from './compute.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { parseExpression } from '../expressions/expression.ts'
import type { TokenStream } from '../lexer/lexer.ts'
import type { AggregateItem } from '../expressions/syntax.ts'

/** Parses items until no comma follows. */
export function parseAggregateItems(tokens: TokenStream, dialect: Dialect): AggregateItem[] {
  const items = [parseItem(tokens, dialect)]
  while (tokens.isAt(',')) {
    tokens.next()
    items.push(parseItem(tokens, dialect))
  }
  return items
}

function parseItem(tokens: TokenStream, dialect: Dialect): AggregateItem {
  const aggregate = parseAggregateExpression(tokens, () => parseExpression(tokens, dialect))
  const { expression, method, from } = aggregate
  const isCounted = expression === null || expression.kind === 'count'
  const needsName = isCounted || method !== null || from.some((one) => one.method !== null)
  const as = needsName || isWord(tokens, /^as$/i) ? parseAlias(tokens) : null
  return { ...aggregate, as }
}
