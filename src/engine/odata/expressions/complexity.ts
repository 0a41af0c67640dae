// Complexity limits of expressions, counted while parsing, nested expressions included.
import { Fault } from '../../../errors/catalog.ts'
import { phrase } from '../../../errors/messages.ts'
import { targetAt, type Option } from '../options/option.ts'

/** A node is an operator, a call or a lambda, so that 1,000 comparisons joined by `or` pass. */
export const expressionLimits = {
  nodes: 2000,
  depth: 32,
  listValues: 1000,
  steps: 60,
  copies: 16,
} as const

export class Complexity {
  readonly #option: Option
  #nodes = 0
  #nesting = 0

  constructor(option: Option) {
    this.#option = option
  }

  countNode(column: number): void {
    if (++this.#nodes > expressionLimits.nodes) throw this.exceeds('nodes', column)
  }

  /** Parses a nested expression. A leaf has depth -1, so the nesting may exceed the limit by one. */
  within<Result>(column: number, read: () => Result): Result {
    if (++this.#nesting > expressionLimits.depth + 1) throw this.exceeds('depth', column)
    const result = read()
    this.#nesting--
    return result
  }

  exceeds(limit: keyof typeof expressionLimits, column: number): Fault {
    return new Fault('FilterTooComplex', {
      target: targetAt(this.#option, column),
      says: {
        option: this.#option.name,
        limit: limitNames[limit],
        max: expressionLimits[limit],
      },
    })
  }
}

const limitNames = {
  nodes: phrase('nodes'),
  depth: phrase('depth'),
  listValues: phrase('valuesOfIn'),
  steps: phrase('steps'),
  copies: phrase('copies'),
} as const
