// Parameter aliases: `$filter=A eq @p&@p='x'` means `$filter=A eq 'x'`.
import type { Dialect } from '../dialect.ts'
import { parseFilter } from './filter.ts'
import { aliasOption, unsupportedError, type QueryOption } from './option.ts'
import type { Query } from './query.ts'
import { isLiteral, type Expression, type ArrayNode, type LiteralNode } from '../expressions/syntax.ts'

/**
 * The dialect of one query, with its aliases, which stand for literals or arrays of literals. An alias is parsed when
 * it is first used.
 */
export function withAliases(dialect: Dialect, query: Query): Dialect {
  const parsed = new Map<string, LiteralNode | ArrayNode>()
  const resolveAlias = (name: string): LiteralNode | ArrayNode | undefined => {
    const text = query.get(name)
    const known = parsed.get(name)
    if (text === undefined || known !== undefined) return known
    const option = aliasOption(name)
    const rejectAlias = () => {
      throw unsupportedError(option, 1, 'aliasOfExpression')
    }
    const value = requireAliasValue(option, parseFilter(text, { ...dialect, resolveAlias: rejectAlias }, option))
    parsed.set(name, value)
    return value
  }
  return { ...dialect, resolveAlias }
}

/** The value that an alias may stand for. Throws `NotSupported`. */
export function requireAliasValue(option: QueryOption, value: Expression): LiteralNode | ArrayNode {
  if (isLiteral(value) || (value.kind === 'array' && value.items.every(isLiteral))) return value
  throw unsupportedError(option, value.column, 'aliasOfExpression')
}
