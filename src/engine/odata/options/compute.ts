// Parser of `$compute`: expressions with aliases, separated by commas.
import type { Dialect } from '../dialect.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import type { CharSequence, TokenStream } from '../lexer/lexer.ts'
import { computeOption } from './option.ts'
import { parseNewName } from '../path/property-path.ts'
import type { ComputeItem, NameNode } from '../expressions/syntax.ts'
import { parseWholeOption } from './whole-option.ts'

export function parseCompute(text: CharSequence, dialect: Dialect): readonly ComputeItem[] {
  return parseWholeOption(computeOption, text, (tokens) => parseComputeItems(tokens, dialect))
}

/** Parses items until no comma follows. */
export function parseComputeItems(tokens: TokenStream, dialect: Dialect): ComputeItem[] {
  return tokens.parseItems(() => {
    const expression = parseExpression(tokens, dialect)
    return { expression, as: parseAlias(tokens) }
  })
}

/** `as` and the alias. */
export function parseAlias(tokens: TokenStream): NameNode {
  if (!tokens.acceptsWord('as')) throw tokens.invalid('expectedAlias')
  return parseNewName(tokens, 'expectedAlias')
}
