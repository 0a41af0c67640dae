// Complexity limits of expressions, counted while parsing, nested expressions included.
import type { ApiError } from '../../../errors/api-error.ts'
import { tooComplexError, type ComplexityLimit, type QueryOption } from '../options/option.ts'

/** A node is an operator, a call or a lambda, so that 1,000 comparisons joined by `or` pass. */
export const expressionLimits = { nodes: 2000, depth: 32, listValues: 1000 } as const

type ExpressionLimit = keyof typeof expressionLimits

export class ComplexityCounter {
  readonly #option: QueryOption
  #nodes = 0
  #nesting = 0

  constructor(option: QueryOption) {
    this.#option = option
  }

  countNode(column: number): void {
    if (++this.#nodes > expressionLimits.nodes) throw limitError(this.#option, column, 'nodes')
  }

  /** Parses a nested expression. `depth` counts operators, nesting counts parsers: one more. */
  nested<Result>(column: number, parse: () => Result): Result {
    if (++this.#nesting > expressionLimits.depth + 1) throw limitError(this.#option, column, 'depth')
    const result = parse()
    this.#nesting--
    return result
  }
}

export function limitError(option: QueryOption, column: number, limit: ExpressionLimit): ApiError {
  return tooComplexError(option, column, { ...limitNames[limit], max: expressionLimits[limit] })
}

const limitNames = {
  nodes: { limit: 'nodes', limitName: 'filterNodesMax' },
  depth: { limit: 'depth', limitName: 'filterDepthMax' },
  listValues: { limit: 'valuesOfIn', limitName: 'filterListValuesMax' },
} as const satisfies Record<ExpressionLimit, Omit<ComplexityLimit, 'max'>>
