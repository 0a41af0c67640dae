// Complexity limits of expressions, counted while parsing, nested expressions included.
import { ApiError } from '../../../errors/api-error.ts'
import { message } from '../../../errors/messages.ts'
import { errorTarget, type QueryOption } from '../options/option.ts'

/** A node is an operator, a call or a lambda, so that 1,000 comparisons joined by `or` pass. */
export const expressionLimits = {
  nodes: 2000,
  depth: 32,
  listValues: 1000,
  steps: 60,
  copies: 16,
} as const

export class ComplexityCounter {
  readonly #option: QueryOption
  #nodes = 0
  #nesting = 0

  constructor(option: QueryOption) {
    this.#option = option
  }

  countNode(column: number): void {
    if (++this.#nodes > expressionLimits.nodes) throw this.limitError('nodes', column)
  }

  /** Parses a nested expression. A leaf has depth -1, so the nesting may exceed the limit by one. */
  nested<Result>(column: number, parse: () => Result): Result {
    if (++this.#nesting > expressionLimits.depth + 1) throw this.limitError('depth', column)
    const result = parse()
    this.#nesting--
    return result
  }

  limitError(limit: keyof typeof expressionLimits, column: number): ApiError {
    return new ApiError('FilterTooComplex', {
      target: errorTarget(this.#option, column),
      params: {
        option: this.#option.name,
        limit: limitNames[limit],
        max: expressionLimits[limit],
      },
    })
  }
}

const limitNames = {
  nodes: message('nodes'),
  depth: message('depth'),
  listValues: message('valuesOfIn'),
  steps: message('steps'),
  copies: message('copies'),
} as const
