// What a part of an expression needs that holds whole expressions itself.
import type { Complexity } from './complexity.ts'
import type { Measured } from './expression-stack.ts'
import type { Tokens } from '../lexer/lexer.ts'

export interface Inside {
  readonly tokens: Tokens
  readonly complexity: Complexity
  /** Reads an expression, and stops at the first token that does not belong to it. */
  inside(): Measured
  /** The same where JSON is read, which has double quotes around text. */
  insideJson(): Measured
}
