// `$compute`: expressions, each under a name of its own, separated by commas.
import { phrase } from '#phrases.ts'
import type { Dialect } from '#odata/dialect.ts'
import { readExpression } from '#odata/expression.ts'
import type { Tokens } from '#odata/lex.ts'
import { unreadable } from '#odata/option.ts'
import type { ComputeItem, Name } from '#odata/syntax.ts'

/** Reads items until no comma follows. */
export const readCompute = (tokens: Tokens, dialect: Dialect): ComputeItem[] => {
  const items = [readItem(tokens, dialect)]
  while (tokens.isAt(',')) {
    tokens.next()
    items.push(readItem(tokens, dialect))
  }
  return items
}

const readItem = (tokens: Tokens, dialect: Dialect): ComputeItem => {
  const expression = readExpression(tokens, dialect)
  return { expression, as: readAlias(tokens) }
}

/** `as` and a name. */
const readAlias = (tokens: Tokens): Name => {
  if (tokens.kind === 'word' && tokens.text.toLowerCase() === 'as') tokens.next()
  else throw unreadable(tokens.option, tokens.column, phrase('expectedAlias'))
  const { kind, text, column } = tokens
  if (kind !== 'word' || /^[$@]|\./.test(text))
    throw unreadable(tokens.option, column, phrase('expectedAlias'))
  tokens.next()
  return { kind: 'name', name: text, column }
}
