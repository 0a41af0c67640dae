// Parser of key predicates, in paths and expressions: `(20)`, `('20')`, `(Region='N',Number=2)`.
import { unreadable } from '../options/option.ts'
import type { Tokens } from '../lexer/lexer.ts'
import type { Expression, KeyValue, Literal } from '../expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'

/** Starts after the opening bracket and consumes the closing one; `parse` parses an expression. */
export function readKeyValues(tokens: Tokens, read: () => Expression): KeyValue[] {
  const keys = [readKey(tokens, read)]
  while (tokens.isAt(',') && keys[0]?.name !== null) {
    tokens.next()
    keys.push(readKey(tokens, read))
  }
  if (!tokens.isAt(')')) throw unreadable(tokens.option, tokens.column, phrase('expectedBracket'))
  tokens.next()
  return keys
}

/** `20`, `'20'` or `Id='20'`. */
function readKey(tokens: Tokens, read: () => Expression): KeyValue {
  const { column } = tokens
  const value = read()
  if (value.kind === 'name' && tokens.isAt('=')) {
    tokens.next()
    return { name: value.name, value: keyValue(read(), tokens), column }
  }
  return { name: null, value: keyValue(value, tokens), column }
}

function keyValue(value: Expression, { option }: Tokens): Literal {
  if (value.kind === 'literal') return value
  throw unreadable(option, value.column, phrase('expectedLiteral'))
}
