// How much an expression may hold, counted while it is read, across everything that stands inside of it.
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

  /** Reads an expression inside of another; its own depth is -1 at least, so one more may be open than the limit. */
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
