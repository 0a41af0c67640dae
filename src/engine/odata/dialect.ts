// Dialect: the functions and literals that a group of endpoints accepts.
import { canonicalFunctions, substringof, type FunctionArity } from './expressions/functions.ts'
import type { ArrayNode, LiteralNode } from './expressions/syntax.ts'

export interface Dialect {
  readonly functions: ReadonlyMap<string, FunctionArity>
  /** Whether numbers may have the type suffixes of OData 2 and 3: `12.5M`, `12.5d`, `12.5f`, `64L`. */
  readonly hasNumberSuffixes: boolean
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
  hasNumberSuffixes: false,
  coercesText: true,
  dateExample: '2013-01-31',
}

/** The endpoints under `/dev`, which return bare arrays (interface 4.1). */
export const odata2Dialect: Dialect = {
  functions: new Map([...canonicalFunctions, ...substringof]),
  hasNumberSuffixes: true,
  coercesText: false,
  dateExample: "datetime('2013-01-31')",
}
