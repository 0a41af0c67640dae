// Parser of key predicates, in paths and expressions: `(20)`, `('20')`, `(Region='N',Number=2)`.
import { invalidOptionError } from '../options/option.ts'
import type { TokenStream } from '../lexer/lexer.ts'
import type { Expression, KeyPredicateValue, LiteralNode } from '../expressions/syntax.ts'

/** Starts after the opening bracket and consumes the closing one; `parse` parses an expression. */
export function parseKeyPredicate(tokens: TokenStream, parse: () => Expression): KeyPredicateValue[] {
  const keys = [parseKeyValue(tokens, parse)]
  while (keys[0]?.name !== null && tokens.accepts(',')) keys.push(parseKeyValue(tokens, parse))
  tokens.expect(')')
  return keys
}

/** `20`, `'20'` or `Id='20'`. */
function parseKeyValue(tokens: TokenStream, parse: () => Expression): KeyPredicateValue {
  const value = parse()
  return value.kind === 'name' && tokens.accepts('=')
    ? { name: value.name, value: requireLiteral(parse(), tokens) }
    : { name: null, value: requireLiteral(value, tokens) }
}

function requireLiteral(value: Expression, { option }: TokenStream): LiteralNode {
  if (value.kind === 'literal') return value
  throw invalidOptionError(option, value.column, 'expectedLiteral')
}
