// Parser of aggregate expressions: `Amount with sum from Time with average` (Data Aggregation 4.0).
import { message } from '../../../errors/messages.ts'
import type { TokenStream } from '../lexer/lexer.ts'
import { parsePropertyPaths } from '../path/property-path.ts'
import type { AggregateFrom, AggregateExpression, Expression, NameNode } from './syntax.ts'

/** Parses one aggregate expression; `parse` parses its operand. */
export function parseAggregateExpression(tokens: TokenStream, parse: () => Expression): AggregateExpression {
  const { column } = tokens
  // Null for `$count`, which counts the records themselves.
  const expression = tokens.acceptsWord('$count') ? null : parse()
  const isCounted = expression === null || expression.kind === 'count'
  const isNamed = expression?.kind === 'name' || expression?.kind === 'path'
  const method = isCounted ? null : parseMethod(tokens)
  if (method === null && !isCounted && !isNamed) throw expectedWithError(tokens)
  return { expression, method, from: parseFrom(tokens, method !== null), column }
}

/** `with sum`, if present. */
function parseMethod(tokens: TokenStream): NameNode | null {
  if (!tokens.acceptsWord('with')) return null
  const { kind, text, column } = tokens
  if (kind !== 'word') throw tokens.invalid('expectedMethod')
  if (text.includes('.')) throw tokens.unsupported(message('theMethod', { name: text }))
  tokens.next()
  return { kind: 'name', name: text.toLowerCase(), column }
}

/** A custom aggregate defines its own aggregation; everything else needs a method. */
function parseFrom(tokens: TokenStream, needsMethod: boolean): AggregateFrom[] {
  const from: AggregateFrom[] = []
  while (tokens.acceptsWord(fromKeyword)) {
    const by = parsePropertyPaths(tokens)
    const method = parseMethod(tokens)
    if (method === null && needsMethod) throw expectedWithError(tokens)
    from.push({ by, method })
  }
  return from
}

function expectedWithError(tokens: TokenStream) {
  return tokens.invalid(message('expectedSign', { sign: 'with' }))
}

const fromKeyword = 'from'
