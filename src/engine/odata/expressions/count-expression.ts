// Parser of counts of related records: `/$count`, with `$filter` and `$search` in brackets, and `/$filter(…)/$count`.
import { message } from '../../../errors/messages.ts'
import type { NodeWithDepth } from './expression-stack.ts'
import type { ParseContext } from './parse-context.ts'
import type { TokenStream } from '../lexer/lexer.ts'
import { parenthesisAfter, truncateName, unsupportedError } from '../options/option.ts'
import { parseSearchExpression } from '../options/search.ts'
import type { Expression, NameNode, SearchExpression } from './syntax.ts'

/** The path to the records, and the column of its last part. */
export interface PathEnd {
  readonly path: readonly NameNode[]
  readonly column: number
}

/** Starts at the token after `$count`. */
export function parseCount(context: ParseContext, { path, column }: PathEnd): NodeWithDepth {
  context.complexity.countNode(column)
  const { filter, search } = context.tokens.isAt('(') ? parseCountOptions(context) : noCountOptions
  return {
    node: { kind: 'count', path, filter: filter?.node ?? null, search, column },
    depth: filter === null ? 0 : filter.depth + 1,
  }
}

/** `/$filter(…)`, once or more, and then `/$count`: counts the records that pass every filter (4.01 part 2, 4.12). */
export function parseFilteredCount(context: ParseContext, end: PathEnd): NodeWithDepth {
  const { tokens, complexity } = context
  const filters: NodeWithDepth[] = []
  do {
    complexity.countNode(tokens.column)
    tokens.next()
    filters.push(context.parseNested())
    tokens.expect(')')
  } while (tokens.accepts('/') && tokens.acceptsWord('$filter') && tokens.isAt('('))
  if (!tokens.isAtWord('$count')) throw unsupportedError(tokens.option, end.column, parenthesisAfter('$filter'))
  const { column } = tokens
  tokens.next()
  const counted = parseCount(context, { path: end.path, column })
  if (counted.node.kind !== 'count') return counted
  const { filter } = counted.node
  const operands = [...filters.map(({ node }) => node), ...(filter === null ? [] : [filter])]
  const [first] = operands
  const combined: Expression | null =
    operands.length > 1 ? { kind: 'operation', operator: 'and', operands, column } : (first ?? null)
  return {
    node: { ...counted.node, filter: combined },
    depth: Math.max(counted.depth, ...filters.map(({ depth }) => depth + 2)),
  }
}

/** The options in the brackets after `$count`. */
interface CountOptions {
  readonly filter: NodeWithDepth | null
  readonly search: SearchExpression | null
}

const noCountOptions: CountOptions = { filter: null, search: null }

function parseCountOptions(context: ParseContext): CountOptions {
  const { tokens } = context
  let options = noCountOptions
  do {
    tokens.next()
    const option = parseCountOptionName(tokens, options)
    tokens.nextValueOf(option)
    options =
      option === 'search'
        ? { ...options, search: parseSearchExpression(tokens) }
        : { ...options, filter: context.parseNested() }
  } while (tokens.isAt(';'))
  tokens.expect(')')
  return options
}

/** The name of an option that was not given before, up to the `=` after it. */
function parseCountOptionName(tokens: TokenStream, given: CountOptions): 'filter' | 'search' {
  const { text } = tokens
  const name = text.toLowerCase().replace(/^\$/, '')
  if (name !== 'filter' && name !== 'search')
    throw tokens.invalid(message('expectedOption', { options: '$filter, $search' }))
  if (given[name] !== null) throw tokens.invalid(message('givenTwice', { name: truncateName(text) }))
  tokens.next()
  if (!tokens.isAt('=')) throw tokens.invalid(message('expectedSign', { sign: '=' }))
  return name
}
