// Parser of `$apply`: a sequence of transformations separated by slashes.
import { Fault } from '../../../errors/catalog.ts'
import { phrase, type PhraseCode, type Says } from '../../../errors/messages.ts'
import { nearest } from '../../../lib/closest-match.ts'
import { readAggregate } from './aggregate.ts'
import { readAlias, readCompute } from './compute.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { readExpression } from '../expressions/expression.ts'
import { Tokens, type Characters } from '../lexer/lexer.ts'
import { applyOption, shown, targetAt, unreadable, unsupported } from './option.ts'
import { readOrderBy } from './order-by.ts'
import { readPath, readPaths } from '../path/property-path.ts'
import { readSearch } from './search.ts'
import type { Grouping, Ranking, Transformation } from '../expressions/syntax.ts'

export function parseApply(text: Characters, dialect: Dialect): readonly Transformation[] {
  const tokens = new Tokens(applyOption, text)
  const transformations = readApply(tokens, dialect)
  if (tokens.kind !== 'end')
    throw unreadable(applyOption, tokens.column, phrase('expectedSlashOrEnd'))
  return transformations
}

/** Parses transformations until no slash follows. */
export function readApply(tokens: Tokens, dialect: Dialect): readonly Transformation[] {
  return new ApplyReader(tokens, dialect).sequence()
}

const depthMax = 32

class ApplyReader {
  readonly #tokens: Tokens
  readonly #dialect: Dialect
  #depth = 0

  constructor(tokens: Tokens, dialect: Dialect) {
    this.#tokens = tokens
    this.#dialect = dialect
  }

  sequence(): Transformation[] {
    if (++this.#depth > depthMax) throw this.#tooDeepError()
    const transformations = [this.#transformation()]
    while (this.#accepts('/')) transformations.push(this.#transformation())
    this.#depth--
    return transformations
  }

  #transformation(): Transformation {
    const { kind, text, column } = this.#tokens
    const name = kind === 'word' ? names.get(text.toLowerCase()) : undefined
    if (name === undefined) throw this.#unknownError(text)
    this.#tokens.next()
    if (name === 'identity') return { kind: name, column }
    if (!this.#tokens.isAt('(')) throw this.#invalid('expectedSign', { sign: '(' })
    // Search terms are tokenized by rules of their own.
    if (name === 'search') this.#tokens.nextTerm()
    else this.#tokens.next()
    const transformation = this.#arguments(name, column)
    this.#expect(')')
    return transformation
  }

  #arguments(kind: Exclude<Transformation['kind'], 'identity'>, column: number): Transformation {
    const [tokens, dialect] = [this.#tokens, this.#dialect]
    switch (kind) {
      case 'aggregate':
        return { kind, column, items: readAggregate(tokens, dialect) }
      case 'groupby':
        return {
          kind,
          column,
          by: this.#groupings(),
          apply: this.#accepts(',') ? this.sequence() : [],
        }
      case 'filter':
        return { kind, column, condition: readExpression(tokens, dialect) }
      case 'search':
        return { kind, column, search: readSearch(tokens) }
      case 'compute':
        return { kind, column, items: readCompute(tokens, dialect) }
      case 'orderby':
        return { kind, column, items: readOrderBy(tokens, dialect) }
      case 'top':
      case 'skip':
        return { kind, column, count: this.#count() }
      case 'concat':
        return { kind, column, sequences: this.#sequences() }
      case 'join':
      case 'outerjoin': {
        const [path, as] = [readPath(tokens), readAlias(tokens)]
        return { kind, column, path, as, apply: this.#accepts(',') ? this.sequence() : [] }
      }
    }
    return this.#ranking(kind, column)
  }

  #ranking(kind: Ranking, column: number): Transformation {
    const amount = readExpression(this.#tokens, this.#dialect)
    this.#expect(',')
    return { kind, column, amount, by: readExpression(this.#tokens, this.#dialect) }
  }

  #sequences(): Transformation[][] {
    const sequences = [this.sequence()]
    do {
      this.#expect(',')
      sequences.push(this.sequence())
    } while (this.#tokens.isAt(','))
    return sequences
  }

  #count(): number {
    const { kind, text } = this.#tokens
    const count = kind === 'literal' && /^\d+$/.test(text) ? Number(text) : NaN
    if (!Number.isSafeInteger(count)) throw this.#invalid('expectedCount')
    this.#tokens.next()
    return count
  }

  /** `(A,B/C,rollup(D,E))` */
  #groupings(): Grouping[] {
    this.#expect('(')
    const groupings = [this.#grouping()]
    while (this.#accepts(',')) groupings.push(this.#grouping())
    this.#expect(')')
    return groupings
  }

  #grouping(): Grouping {
    const { column } = this.#tokens
    const [first, ...others] = readPath(this.#tokens)
    if (first === undefined) throw new Error('a path without a name')
    if (others.length > 0 || !this.#tokens.isAt('('))
      return { kind: 'path', names: [first, ...others] }
    const name = first.name.toLowerCase()
    if (name === 'rolluprecursive') throw this.#notSupported(name, column)
    if (name !== 'rollup') throw this.#invalid('expectedSign', { sign: ')' })
    this.#tokens.next()
    const paths = readPaths(this.#tokens)
    this.#expect(')')
    return { kind: 'rollup', paths, column }
  }

  #accepts(sign: string): boolean {
    const isAt = this.#tokens.isAt(sign)
    if (isAt) this.#tokens.next()
    return isAt
  }

  #expect(sign: string): void {
    if (!this.#accepts(sign)) throw this.#invalid('expectedSign', { sign })
  }

  /** The error for an unknown or unsupported transformation; a name with a dot is a custom transformation. */
  #unknownError(text: string): Fault {
    const name = text.toLowerCase()
    if (unsupportedNames.has(name) || /^[a-z_].*\./.test(name))
      return this.#notSupported(text, this.#tokens.column)
    const meant = nearest(name, names.keys())
    return this.#invalid('expectedTransformation', {}, meant)
  }

  #notSupported(name: string, column: number): Fault {
    const feature = phrase('theTransformation', { name: shown(name) })
    return unsupported(this.#tokens.option, column, feature)
  }

  #tooDeepError(): Fault {
    const { option, column } = this.#tokens
    return new Fault('FilterTooComplex', {
      target: targetAt(option, column),
      says: { option: option.name, limit: phrase('depth'), max: depthMax },
    })
  }

  #invalid(problem: PhraseCode, says: Says = {}, meant?: string): Fault {
    return unreadable(this.#tokens.option, this.#tokens.column, phrase(problem, says), meant)
  }
}

const names: ReadonlyMap<string, Transformation['kind']> = new Map(
  (
    [
      ...(['identity', 'aggregate', 'groupby', 'filter', 'search', 'compute', 'orderby'] as const),
      ...([
        'top',
        'topcount',
        'topsum',
        'toppercent',
        'skip',
        'concat',
        'join',
        'outerjoin',
      ] as const),
      ...(['bottomcount', 'bottomsum', 'bottompercent'] as const),
    ] as const
  ).map((kind) => [kind, kind]),
)

/** The names of all supported transformations. */
export const transformationNames: readonly string[] = [...names.keys()]

/** Data Aggregation 4.0: nesting and hierarchies. */
const unsupportedNames: ReadonlySet<string> = new Set(
  'nest addnested ancestors descendants traverse'.split(' '),
)
