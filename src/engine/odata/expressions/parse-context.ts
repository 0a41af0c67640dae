// Parse context: what parsers of nested syntax need in order to parse expressions inside it.
import type { ComplexityCounter } from './complexity.ts'
import type { NodeWithDepth } from './expression-stack.ts'
import type { TokenStream } from '../lexer/lexer.ts'

export interface ParseContext {
  readonly tokens: TokenStream
  readonly complexity: ComplexityCounter
  /** Parses an expression, and stops at the first token that does not belong to it. In JSON, strings have double quotes. */
  parseNested(syntax?: 'json'): NodeWithDepth
}
