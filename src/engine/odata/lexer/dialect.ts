// What a family of addresses understands beyond, or short of, the standard's expressions.
import { canonicalFunctions, substringof, type FunctionRow } from '../expressions/functions.ts'
import type { Items, Literal } from '../expressions/syntax.ts'

export interface Dialect {
  readonly functions: ReadonlyMap<string, FunctionRow>
  /** Literals written as `datetime'2013-01-01'` or `datetime('2013-01-01')`, by lower-case prefix. */
  readonly datePrefixes: ReadonlySet<string>
  /** A text is taken as a value of the type that it is compared with (OData 4.01 part 2, 5.1.1.6.1). */
  readonly castsText: boolean
  /** How a refusal shows what a date looks like. */
  readonly dateExample: string
  /** What a parameter alias, with its `@`, stands for in this query; nothing for one that was not given. */
  readonly alias?: (name: string) => Literal | Items | undefined
}

/** OData 4.01 as it stands: entity sets. */
export const standard: Dialect = {
  functions: canonicalFunctions,
  datePrefixes: new Set(),
  castsText: true,
  dateExample: '2013-01-31',
}

/** The bare arrays under `/dev` (interface 4.1). */
export const finn: Dialect = {
  functions: new Map([...canonicalFunctions, substringof]),
  datePrefixes: new Set(['datetime']),
  castsText: false,
  dateExample: "datetime('2013-01-31')",
}
