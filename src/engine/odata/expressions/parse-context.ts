// Parse context: what parsers of nested syntax need in order to parse expressions inside it.
import type { Complexity } from './complexity.ts'
import type { Measured } from './expression-stack.ts'
import type { Tokens } from '../lexer/lexer.ts'

export interface Inside {
  readonly tokens: Tokens
  readonly complexity: Complexity
  /** Parses an expression, and stops at the first token that does not belong to it. */
  inside(): Measured
  /** The same inside JSON, where strings have double quotes. */
  insideJson(): Measured
}
