// Parser of path expressions: properties, keys, `/any(…)`, `/all(…)`, `/aggregate(…)`, `/$count`.
import { parseAggregateExpression } from './aggregate-expression.ts'
import { expressionLimits, limitError } from './complexity.ts'
import { parseCount, parseFilteredCount, type PathEnd } from './count-expression.ts'
import type { NodeWithDepth } from './expression-stack.ts'
import type { ParseContext } from './parse-context.ts'
import { parseKeyPredicate } from '../path/key.ts'
import { parseNewName } from '../path/property-path.ts'
import type { TokenStream } from '../lexer/lexer.ts'
import { invalidOptionError, parenthesisAfter, unsupportedError } from '../options/option.ts'
import type { NameNode } from './syntax.ts'

/** Starts at the slash after the first name. */
export function parsePathExpression(context: ParseContext, first: NameNode): NodeWithDepth {
  const { tokens } = context
  requireSupportedName(tokens, first.name, first.column)
  const names = [first]
  while (tokens.isAt('/')) {
    tokens.next()
    const name = parseName(tokens)
    const lower = name.name.toLowerCase()
    if (lower === '$count') return parseCount(context, { path: names, column: name.column })
    if (lower === '$filter' && tokens.isAt('('))
      return parseFilteredCount(context, { path: names, column: name.column })
    if (lower === 'aggregate' && tokens.isAt('('))
      return parsePathAggregate(context, { path: names, column: name.column })
    if (tokens.isAt('(') && (lower === 'any' || lower === 'all'))
      return parseLambda(context, lower, { path: names, column: name.column })
    requirePropertyName(tokens, name)
    // No longer path has a meaning here.
    if (names.length > expressionLimits.depth) throw limitError(tokens.option, name.column, 'depth')
    names.push(tokens.isAt('(') ? parseKeyedName(context, name) : name)
  }
  return { node: { kind: 'path', names, column: first.column }, depth: -1 }
}

/** A name with a key in brackets; empty brackets would be a function call. */
export function parseKeyedName(context: ParseContext, name: NameNode): NameNode {
  const { tokens } = context
  const { option, column } = tokens
  tokens.next()
  if (tokens.isAt(')')) throw unsupportedError(option, column, parenthesisAfter(name.name))
  return { ...name, keys: parseKeyPredicate(tokens, () => context.parseNested().node) }
}

/** Rejects words that are not names, and names of features that this service does not support. */
export function requireSupportedName(tokens: TokenStream, name: string, column: number): void {
  const { option } = tokens
  if (name.startsWith('$') && !recordKeywords.has(name)) {
    if (!collectionKeywords.has(name) || !tokens.isAt('/')) throw invalidOptionError(option, column, 'expectedValue')
  }
  if (!name.includes('.')) return
  if (name.startsWith('@')) throw unsupportedError(option, column, 'anAnnotation')
  if (tokens.isAt('(')) throw unsupportedError(option, column, parenthesisAfter(name))
  // A type name is only allowed before a closing bracket, as the target type of a cast.
  if (!tokens.isAt('/') && !tokens.isAt(')')) throw tokens.invalid('expectedSlash')
  throw unsupportedError(option, column, 'aTypeCast')
}

const recordKeywords: ReadonlySet<string> = new Set(['$it', '$this'])
const collectionKeywords: ReadonlySet<string> = new Set(['$root', '$these'])

/** The word after a slash. */
function parseName(tokens: TokenStream): NameNode {
  const { kind, text, column } = tokens
  if (kind !== 'word') throw tokens.invalid('expectedPropertyName')
  tokens.next()
  return { kind: 'name', name: text, column }
}

function requirePropertyName(tokens: TokenStream, { name, column }: NameNode): void {
  const { option } = tokens
  if (name.startsWith('@')) throw unsupportedError(option, column, 'anAnnotation')
  if (name.includes('.') || name.startsWith('$'))
    if (tokens.isAt('(')) throw unsupportedError(option, column, parenthesisAfter(name))
  if (name.includes('.')) throw unsupportedError(option, column, 'aTypeCast')
  if (name.startsWith('$')) throw invalidOptionError(option, column, 'expectedPropertyName')
}

/** Starts at the opening bracket. */
function parseLambda(context: ParseContext, quantifier: 'any' | 'all', { path, column }: PathEnd): NodeWithDepth {
  const { tokens, complexity } = context
  complexity.countNode(column)
  tokens.next()
  let variable: NameNode | null = null
  let condition: NodeWithDepth | null = null
  if (quantifier === 'all' || !tokens.isAt(')')) {
    variable = parseNewName(tokens, 'expectedVariable')
    tokens.expect(':', 'expectedColon')
    condition = context.parseNested()
  }
  tokens.expect(')')
  const node = { kind: 'lambda', quantifier, path, variable, column } as const
  return {
    node: { ...node, condition: condition === null ? null : condition.node },
    depth: condition === null ? 0 : condition.depth + 1,
  }
}

/** Starts at the opening bracket. */
function parsePathAggregate(context: ParseContext, { path, column }: PathEnd): NodeWithDepth {
  const { tokens, complexity } = context
  complexity.countNode(column)
  tokens.next()
  let depth = 0
  const item = parseAggregateExpression(tokens, () => {
    const inside = context.parseNested()
    depth = inside.depth + 1
    return inside.node
  })
  tokens.expect(')')
  return { node: { kind: 'aggregate', path, item, column }, depth }
}
