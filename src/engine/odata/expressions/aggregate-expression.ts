// Parser of aggregate expressions: `Amount with sum from Time with average` (Data Aggregation 4.0).
import { message } from '../../../errors/messages.ts'
import type { TokenStream } from '../lexer/lexer.ts'
import { invalidOptionError, unsupportedError } from '../options/option.ts'
import { parsePropertyPaths } from '../path/property-path.ts'
import type { AggregateFrom, AggregateExpression, Expression, NameNode } from './syntax.ts'

/** Parses one aggregate expression; `parse` parses its operand. */
export function parseAggregateExpression(
  tokens: TokenStream,
  parse: () => Expression,
): AggregateExpression {
  const { column } = tokens
  const expression = parseOperand(tokens, parse)
  const isCounted = expression === null || expression.kind === 'count'
  const isNamed = expression?.kind === 'name' || expression?.kind === 'path'
  const method = isCounted ? null : parseMethod(tokens)
  if (method === null && !isCounted && !isNamed) throw expectedError(tokens, 'with')
  return { expression, method, from: parseFrom(tokens, method !== null), column }
}

/** Null for `$count`, which counts the records themselves. */
function parseOperand(tokens: TokenStream, parse: () => Expression): Expression | null {
  if (!isWord(tokens, /^\$count$/i)) return parse()
  tokens.next()
  return null
}

/** `with sum`, if present. */
function parseMethod(tokens: TokenStream): NameNode | null {
  if (!isWord(tokens, /^with$/i)) return null
  tokens.next()
  const { option, kind, text, column } = tokens
  if (kind !== 'word') throw invalidOptionError(option, column, message('expectedMethod'))
  if (text.includes('.'))
    throw unsupportedError(option, column, message('theMethod', { name: text }))
  tokens.next()
  return { kind: 'name', name: text.toLowerCase(), column }
}

/** A custom aggregate defines its own aggregation; everything else needs a method. */
function parseFrom(tokens: TokenStream, needsMethod: boolean): AggregateFrom[] {
  const from: AggregateFrom[] = []
  while (isWord(tokens, /^from$/i)) {
    tokens.next()
    const by = parsePropertyPaths(tokens)
    const method = parseMethod(tokens)
    if (method === null && needsMethod) throw expectedError(tokens, 'with')
    from.push({ by, method })
  }
  return from
}

export function isWord({ kind, text }: TokenStream, word: RegExp): boolean {
  return kind === 'word' && word.test(text)
}

function expectedError({ option, column }: TokenStream, sign: string) {
  return invalidOptionError(option, column, message('expectedSign', { sign }))
}
