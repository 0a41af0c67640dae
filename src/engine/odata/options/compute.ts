// Parser of `$compute`: expressions with aliases, separated by commas.
import { phrase } from '../../../errors/messages.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { readExpression, unexpected } from '../expressions/expression.ts'
import { Tokens, type Characters } from '../lexer/lexer.ts'
import { computeOption, unreadable } from './option.ts'
import type { ComputeItem, Name } from '../expressions/syntax.ts'

export function parseCompute(text: Characters, dialect: Dialect): readonly ComputeItem[] {
  const tokens = new Tokens(computeOption, text)
  const items = readCompute(tokens, dialect)
  if (tokens.kind !== 'end') throw unexpected(tokens)
  return items
}

/** Parses items until no comma follows. */
export function readCompute(tokens: Tokens, dialect: Dialect): ComputeItem[] {
  const items = [readItem(tokens, dialect)]
  while (tokens.isAt(',')) {
    tokens.next()
    items.push(readItem(tokens, dialect))
  }
  return items
}

function readItem(tokens: Tokens, dialect: Dialect): ComputeItem {
  const expression = readExpression(tokens, dialect)
  return { expression, as: readAlias(tokens) }
}

/** `as` and the alias. */
export function readAlias(tokens: Tokens): Name {
  if (tokens.kind === 'word' && tokens.text.toLowerCase() === 'as') tokens.next()
  else throw unreadable(tokens.option, tokens.column, phrase('expectedAlias'))
  const { kind, text, column } = tokens
  if (kind !== 'word' || /^[$@]|\./.test(text))
    throw unreadable(tokens.option, column, phrase('expectedAlias'))
  tokens.next()
  return { kind: 'name', name: text, column }
}
