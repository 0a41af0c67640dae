// Parser of `$compute`: expressions with aliases, separated by commas.
import { message } from '../../../errors/messages.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { parseExpression, unexpectedTokenError } from '../expressions/expression.ts'
import { TokenStream, type CharSequence } from '../lexer/lexer.ts'
import { computeOption, invalidOptionError } from './option.ts'
import type { ComputeItem, NameNode } from '../expressions/syntax.ts'

export function parseCompute(text: CharSequence, dialect: Dialect): readonly ComputeItem[] {
  const tokens = new TokenStream(computeOption, text)
  const items = parseComputeItems(tokens, dialect)
  if (tokens.kind !== 'end') throw unexpectedTokenError(tokens)
  return items
}

/** Parses items until no comma follows. */
export function parseComputeItems(tokens: TokenStream, dialect: Dialect): ComputeItem[] {
  const items = [parseItem(tokens, dialect)]
  while (tokens.isAt(',')) {
    tokens.next()
    items.push(parseItem(tokens, dialect))
  }
  return items
}

function parseItem(tokens: TokenStream, dialect: Dialect): ComputeItem {
  const expression = parseExpression(tokens, dialect)
  return { expression, as: parseAlias(tokens) }
}

/** `as` and the alias. */
export function parseAlias(tokens: TokenStream): NameNode {
  if (tokens.kind === 'word' && tokens.text.toLowerCase() === 'as') tokens.next()
  else throw invalidOptionError(tokens.option, tokens.column, message('expectedAlias'))
  const { kind, text, column } = tokens
  if (kind !== 'word' || /^[$@]|\./.test(text))
    throw invalidOptionError(tokens.option, column, message('expectedAlias'))
  tokens.next()
  return { kind: 'name', name: text, column }
}
