// Parameter aliases: `$filter=A eq @p&@p='x'` means `$filter=A eq 'x'`.
import { phrase } from '../../../errors/messages.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { readExpression, unexpected } from '../expressions/expression.ts'
import { Tokens } from '../lexer/lexer.ts'
import { unsupported, type Option } from './option.ts'
import type { Query } from './query.ts'
import type { Expression, Items, Literal } from '../expressions/syntax.ts'

/**
 * The dialect of one query, with its aliases, which stand for literals or arrays of literals. An alias is parsed when
 * it is first used.
 */
export function withAliases(dialect: Dialect, query: Query): Dialect {
  const read = new Map<string, Literal | Items>()
  const alias = (name: string): Literal | Items | undefined => {
    const text = query.get(name)
    const known = read.get(name)
    if (text === undefined || known !== undefined) return known
    const value = parseAlias({ name: `@${name.slice(1)}`, fault: 'InvalidAlias' }, text, dialect)
    read.set(name, value)
    return value
  }
  return { ...dialect, alias }
}

function parseAlias(option: Option, text: string, dialect: Dialect): Literal | Items {
  const tokens = new Tokens(option, text)
  const value = readExpression(tokens, dialect)
  if (tokens.kind !== 'end') throw unexpected(tokens)
  return aliasValue(option, value)
}

/** The value that an alias may stand for. Throws `NotSupported`. */
export function aliasValue(option: Option, value: Expression): Literal | Items {
  if (isLiteral(value) || (value.kind === 'array' && value.items.every(isLiteral))) return value
  throw unsupported(option, value.column, phrase('aliasOfExpression'))
}

function isLiteral(node: Expression): node is Literal {
  return node.kind === 'literal'
}
