// The items of `aggregate(…)`: what is aggregated, by which method, from which groups, under which name.
import { phrase } from '#phrases.ts'
import { readAlias } from '#odata/compute.ts'
import type { Dialect } from '#odata/dialect.ts'
import { readExpression } from '#odata/expression.ts'
import type { Tokens } from '#odata/lex.ts'
import { unreadable, unsupported } from '#odata/option.ts'
import { readPaths } from '#odata/path.ts'
import type { AggregateFrom, AggregateItem, Expression, Name } from '#odata/syntax.ts'

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
  const { column } = tokens
  const expression = readAggregated(tokens, dialect)
  const isCounted = expression === null || expression.kind === 'count'
  const isNamed = expression?.kind === 'name' || expression?.kind === 'path'
  const method = isCounted ? null : readMethod(tokens)
  if (method === null && !isCounted && !isNamed) throw expected(tokens, 'with')
  const from = readFrom(tokens, method !== null)
  const needsName = isCounted || method !== null || from.some((one) => one.method !== null)
  const as = needsName || isWord(tokens, /^as$/i) ? readAlias(tokens) : null
  return { expression, method, from, as, column }
}

/** Null for `$count`, which counts the records themselves. */
const readAggregated = (tokens: Tokens, dialect: Dialect): Expression | null => {
  if (!isWord(tokens, /^\$count$/i)) return readExpression(tokens, dialect)
  tokens.next()
  return null
}

/** `with sum`, if it stands there. */
const readMethod = (tokens: Tokens): Name | null => {
  if (!isWord(tokens, /^with$/i)) return null
  tokens.next()
  const { option, kind, text, column } = tokens
  if (kind !== 'word') throw unreadable(option, column, phrase('expectedMethod'))
  if (text.includes('.')) throw unsupported(option, column, phrase('theMethod', { name: text }))
  tokens.next()
  return { kind: 'name', name: text.toLowerCase(), column }
}

/** A custom aggregate knows by itself how it is put together; everything else needs a method for that. */
const readFrom = (tokens: Tokens, needsMethod: boolean): AggregateFrom[] => {
  const from: AggregateFrom[] = []
  while (isWord(tokens, /^from$/i)) {
    tokens.next()
    const by = readPaths(tokens)
    const method = readMethod(tokens)
    if (method === null && needsMethod) throw expected(tokens, 'with')
    from.push({ by, method })
  }
  return from
}

const isWord = ({ kind, text }: Tokens, word: RegExp): boolean => kind === 'word' && word.test(text)

const expected = ({ option, column }: Tokens, sign: string) =>
  unreadable(option, column, phrase('expectedSign', { sign }))
