// Dialect: the functions and literals that a group of endpoints accepts.
import { canonicalFunctions, substringof, type FunctionArity } from './expressions/functions.ts'
import type { ArrayNode, LiteralNode } from './expressions/syntax.ts'

export interface Dialect {
  readonly functions: ReadonlyMap<string, FunctionArity>
  /** Prefixes of literals written as `datetime'2013-01-01'` or `datetime('2013-01-01')`, in lower case. */
  readonly datePrefixes: ReadonlySet<string>
  /** Whether a string literal is converted to the type that it is compared with (OData 4.01 part 2, 5.1.1.6.1). */
  readonly coercesText: boolean
  /** The example of a date in error messages. */
  readonly dateExample: string
  /** The value of a parameter alias, given with its `@`; undefined where the query does not define it. */
  readonly resolveAlias?: (name: string) => LiteralNode | ArrayNode | undefined
}

/** OData 4.01: entity sets. */
export const standardDialect: Dialect = {
  functions: canonicalFunctions,
  datePrefixes: new Set(),
  coercesText: true,
  dateExample: '2013-01-31',
}

/** The endpoints under `/dev`, which return bare arrays (interface 4.1). */
export const odata2Dialect: Dialect = {
  functions: new Map([...canonicalFunctions, substringof]),
  datePrefixes: new Set(['datetime']),
  coercesText: false,
  dateExample: "datetime('2013-01-31')",
}
