// Parser of `$apply`: a sequence of transformations separated by slashes.
import type { ApiError } from '../../../errors/api-error.ts'
import { message } from '../../../errors/messages.ts'
import { closestMatch } from '../../../lib/closest-match.ts'
import { parseAlias, parseComputeItems } from './compute.ts'
import type { Dialect } from '../dialect.ts'
import { parseAggregateExpression } from '../expressions/aggregate-expression.ts'
import { limitError, expressionLimits } from '../expressions/complexity.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import { TokenStream, type CharSequence } from '../lexer/lexer.ts'
import { applyOption, truncateName, unsupportedError } from './option.ts'
import { parseOrderByItems } from './order-by.ts'
import { parsePropertyPath, parsePropertyPaths } from '../path/property-path.ts'
import { parseSearchExpression } from './search.ts'
import type { AggregateItem, GroupingNode, RankingKind, Transformation } from '../expressions/syntax.ts'

export function parseApply(text: CharSequence, dialect: Dialect): readonly Transformation[] {
  const tokens = new TokenStream(applyOption, text)
  const transformations = parseTransformations(tokens, dialect)
  tokens.expectEnd('expectedSlashOrEnd')
  return transformations
}

/** Parses transformations until no slash follows. */
export function parseTransformations(tokens: TokenStream, dialect: Dialect): readonly Transformation[] {
  return new TransformationParser(tokens, dialect).sequence()
}

class TransformationParser {
  readonly #tokens: TokenStream
  readonly #dialect: Dialect
  #depth = 0

  constructor(tokens: TokenStream, dialect: Dialect) {
    this.#tokens = tokens
    this.#dialect = dialect
  }

  sequence(): Transformation[] {
    const { option, column } = this.#tokens
    if (++this.#depth > expressionLimits.depth) throw limitError(option, column, 'depth')
    const transformations = [this.#transformation()]
    while (this.#tokens.accepts('/')) transformations.push(this.#transformation())
    this.#depth--
    return transformations
  }

  #transformation(): Transformation {
    const { kind, text, column } = this.#tokens
    const name = kind === 'word' ? transformationNames.find((one) => one === text.toLowerCase()) : undefined
    if (name === undefined) throw this.#unknownError(text)
    this.#tokens.next()
    if (name === 'identity') return { kind: name, column }
    if (!this.#tokens.isAt('(')) throw this.#tokens.invalid(message('expectedSign', { sign: '(' }))
    this.#tokens.nextValueOf(name)
    const transformation = this.#arguments(name, column)
    this.#tokens.expect(')')
    return transformation
  }

  #arguments(kind: Exclude<Transformation['kind'], 'identity'>, column: number): Transformation {
    const [tokens, dialect] = [this.#tokens, this.#dialect]
    switch (kind) {
      case 'aggregate':
        return { kind, column, items: tokens.parseItems(() => this.#aggregateItem()) }
      case 'groupby':
        return { kind, column, by: this.#groupings(), apply: this.#tokens.accepts(',') ? this.sequence() : [] }
      case 'filter':
        return { kind, column, condition: parseExpression(tokens, dialect) }
      case 'search':
        return { kind, column, search: parseSearchExpression(tokens) }
      case 'compute':
        return { kind, column, items: parseComputeItems(tokens, dialect) }
      case 'orderby':
        return { kind, column, items: parseOrderByItems(tokens, dialect) }
      case 'top':
      case 'skip':
        return { kind, column, count: tokens.parseWholeNumber(/^\d+$/, 'expectedCount') }
      case 'concat':
        return { kind, column, sequences: this.#sequences() }
      case 'join':
      case 'outerjoin': {
        const [path, as] = [parsePropertyPath(tokens), parseAlias(tokens)]
        return { kind, column, path, as, apply: this.#tokens.accepts(',') ? this.sequence() : [] }
      }
    }
    return this.#ranking(kind, column)
  }

  #ranking(kind: RankingKind, column: number): Transformation {
    const amount = parseExpression(this.#tokens, this.#dialect)
    this.#tokens.expect(',')
    return { kind, column, amount, by: parseExpression(this.#tokens, this.#dialect) }
  }

  #sequences(): Transformation[][] {
    const sequences = [this.sequence()]
    do {
      this.#tokens.expect(',')
      sequences.push(this.sequence())
    } while (this.#tokens.isAt(','))
    return sequences
  }

  #aggregateItem(): AggregateItem {
    const [tokens, dialect] = [this.#tokens, this.#dialect]
    const aggregate = parseAggregateExpression(tokens, () => parseExpression(tokens, dialect))
    const { expression, method, from } = aggregate
    const isCounted = expression === null || expression.kind === 'count'
    const needsName = isCounted || method !== null || from.some((one) => one.method !== null)
    return { ...aggregate, as: needsName || tokens.isAtWord('as') ? parseAlias(tokens) : null }
  }

  /** `(A,B/C,rollup(D,E))` */
  #groupings(): GroupingNode[] {
    this.#tokens.expect('(')
    const groupings = this.#tokens.parseItems(() => this.#grouping())
    this.#tokens.expect(')')
    return groupings
  }

  #grouping(): GroupingNode {
    const { column } = this.#tokens
    const [first, ...others] = parsePropertyPath(this.#tokens)
    if (first === undefined) throw new Error('a path without a name')
    if (others.length > 0 || !this.#tokens.isAt('(')) return { kind: 'path', names: [first, ...others] }
    const name = first.name.toLowerCase()
    if (name === 'rolluprecursive') throw this.#notSupported(name, column)
    if (name !== 'rollup') throw this.#tokens.invalid(message('expectedSign', { sign: ')' }))
    this.#tokens.next()
    const paths = parsePropertyPaths(this.#tokens)
    this.#tokens.expect(')')
    return { kind: 'rollup', paths, column }
  }

  /** The error for an unknown or unsupported transformation; a name with a dot is a custom transformation. */
  #unknownError(text: string): ApiError {
    const name = text.toLowerCase()
    if (unsupportedNames.has(name) || /^[a-z_].*\./.test(name)) return this.#notSupported(text, this.#tokens.column)
    const suggestion = closestMatch(name, transformationNames)
    return this.#tokens.invalid('expectedTransformation', suggestion)
  }

  #notSupported(name: string, column: number): ApiError {
    const feature = message('theTransformation', { name: truncateName(name) })
    return unsupportedError(this.#tokens.option, column, feature)
  }
}

/** The names of all supported transformations. */
export const transformationNames: readonly Transformation['kind'][] = [
  ...(['identity', 'aggregate', 'groupby', 'filter', 'search', 'compute', 'orderby'] as const),
  ...(['top', 'topcount', 'topsum', 'toppercent', 'skip', 'concat'] as const),
  ...(['join', 'outerjoin', 'bottomcount', 'bottomsum', 'bottompercent'] as const),
]

/** Data Aggregation 4.0: nesting and hierarchies. */
const unsupportedNames: ReadonlySet<string> = new Set('nest addnested ancestors descendants traverse'.split(' '))
