// What is aggregated, and how: `Amount with sum from Time with average`, in `$apply` and inside of expressions.
import { phrase } from '#phrases.ts'
import type { Tokens } from '#odata/lex.ts'
import { unreadable, unsupported } from '#odata/option.ts'
import { readPaths } from '#odata/path.ts'
import type { AggregateFrom, Aggregated, Expression, Name } from '#odata/syntax.ts'

/** Reads one; `read` reads an expression. */
export const readAggregated = (tokens: Tokens, read: () => Expression): Aggregated => {
  const { column } = tokens
  const expression = readOperand(tokens, read)
  const isCounted = expression === null || expression.kind === 'count'
  const isNamed = expression?.kind === 'name' || expression?.kind === 'path'
  const method = isCounted ? null : readMethod(tokens)
  if (method === null && !isCounted && !isNamed) throw expected(tokens, 'with')
  return { expression, method, from: readFrom(tokens, method !== null), column }
}

/** Null for `$count`, which counts the records themselves. */
const readOperand = (tokens: Tokens, read: () => Expression): Expression | null => {
  if (!isWord(tokens, /^\$count$/i)) return read()
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

export const isWord = ({ kind, text }: Tokens, word: RegExp): boolean =>
  kind === 'word' && word.test(text)

const expected = ({ option, column }: Tokens, sign: string) =>
  unreadable(option, column, phrase('expectedSign', { sign }))
