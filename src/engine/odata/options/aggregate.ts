// Parser of the items of `aggregate(…)`: aggregate expressions with aliases.
import { isWord, readAggregated } from '../expressions/aggregate-expression.ts'
import { readAlias } from './compute.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { readExpression } from '../expressions/expression.ts'
import type { Tokens } from '../lexer/lexer.ts'
import type { AggregateItem } from '../expressions/syntax.ts'

/** Parses items until no comma follows. */
export function readAggregate(tokens: Tokens, dialect: Dialect): AggregateItem[] {
  const items = [readItem(tokens, dialect)]
  while (tokens.isAt(',')) {
    tokens.next()
    items.push(readItem(tokens, dialect))
  }
  return items
}

function readItem(tokens: Tokens, dialect: Dialect): AggregateItem {
  const aggregated = readAggregated(tokens, () => readExpression(tokens, dialect))
  const { expression, method, from } = aggregated
  const isCounted = expression === null || expression.kind === 'count'
  const needsName = isCounted || method !== null || from.some((one) => one.method !== null)
  const as = needsName || isWord(tokens, /^as$/i) ? readAlias(tokens) : null
  return { ...aggregated, as }
}
