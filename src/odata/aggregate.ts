// The items of `aggregate(…)`: what is aggregated, each under a name.
import { isWord, readAggregated } from '#odata/aggregated.ts'
import { readAlias } from '#odata/compute.ts'
import type { Dialect } from '#odata/dialect.ts'
import { readExpression } from '#odata/expression.ts'
import type { Tokens } from '#odata/lex.ts'
import type { AggregateItem } from '#odata/syntax.ts'

/** Reads items until no comma follows. */
export const readAggregate = (tokens: Tokens, dialect: Dialect): AggregateItem[] => {
  const items = [readItem(tokens, dialect)]
  while (tokens.isAt(',')) {
    tokens.next()
    items.push(readItem(tokens, dialect))
  }
  return items
}

const readItem = (tokens: Tokens, dialect: Dialect): AggregateItem => {
  const aggregated = readAggregated(tokens, () => readExpression(tokens, dialect))
  const { expression, method, from } = aggregated
  const isCounted = expression === null || expression.kind === 'count'
  const needsName = isCounted || method !== null || from.some((one) => one.method !== null)
  const as = needsName || isWord(tokens, /^as$/i) ? readAlias(tokens) : null
  return { ...aggregated, as }
}
