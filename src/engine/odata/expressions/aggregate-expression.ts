// Parser of aggregate expressions: `Amount with sum from Time with average` (Data Aggregation 4.0).
import { phrase } from '../../../errors/messages.ts'
import type { Tokens } from '../lexer/lexer.ts'
import { unreadable, unsupported } from '../options/option.ts'
import { readPaths } from '../path/property-path.ts'
import type { AggregateFrom, Aggregated, Expression, Name } from './syntax.ts'

/** Parses one aggregate expression; `parse` parses its operand. */
export function readAggregated(tokens: Tokens, read: () => Expression): Aggregated {
  const { column } = tokens
  const expression = readOperand(tokens, read)
  const isCounted = expression === null || expression.kind === 'count'
  const isNamed = expression?.kind === 'name' || expression?.kind === 'path'
  const method = isCounted ? null : readMethod(tokens)
  if (method === null && !isCounted && !isNamed) throw expected(tokens, 'with')
  return { expression, method, from: readFrom(tokens, method !== null), column }
}

/** Null for `$count`, which counts the records themselves. */
function readOperand(tokens: Tokens, read: () => Expression): Expression | null {
  if (!isWord(tokens, /^\$count$/i)) return read()
  tokens.next()
  return null
}

/** `with sum`, if present. */
function readMethod(tokens: Tokens): Name | null {
  if (!isWord(tokens, /^with$/i)) return null
  tokens.next()
  const { option, kind, text, column } = tokens
  if (kind !== 'word') throw unreadable(option, column, phrase('expectedMethod'))
  if (text.includes('.')) throw unsupported(option, column, phrase('theMethod', { name: text }))
  tokens.next()
  return { kind: 'name', name: text.toLowerCase(), column }
}

/** A custom aggregate defines its own aggregation; everything else needs a method. */
function readFrom(tokens: Tokens, needsMethod: boolean): AggregateFrom[] {
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

export function isWord({ kind, text }: Tokens, word: RegExp): boolean {
  return kind === 'word' && word.test(text)
}

function expected({ option, column }: Tokens, sign: string) {
  return unreadable(option, column, phrase('expectedSign', { sign }))
}
