// Binding: the state that all parts of one query share while it is bound to the schema.
import type { Relation } from '../model/schema.ts'
import type { Dialect } from '../odata/dialect.ts'
import {
  applyOption,
  computeOption,
  expandOption,
  filterOption,
  orderByOption,
  searchOption,
  selectOption,
  tooComplexError,
  type QueryOption,
} from '../odata/options/option.ts'
import type { LiteralNode, NameNode } from '../odata/expressions/syntax.ts'
import type { LiteralValue, PlanValue, ValueType } from './expressions/bound-expression.ts'

export interface Binding {
  readonly dialect: Dialect
  /** The namespace of qualified type names. */
  readonly namespace: string
  /** IANA name of the company's time zone. */
  readonly zone: string
  /** The value of `now()`, in microseconds UTC. */
  readonly clock: () => number
  /** Returns names as the model declares them, or as the interface document and the caller spell them (ADR 0006). */
  readonly naming: 'declared' | 'requested'
  /** The literals that were bound so far. */
  readonly values: PlanValue[]
  /** Where they were written, by their index in `values`. */
  readonly sources: Map<number, ValueSource>
  /** The relations that were joined so far; each is a table of its own in the statement. */
  readonly joinedRelations: Relation[]
  /** Fields of the outermost records that expressions inside `$expand` refer to. */
  readonly outerFields: Set<string>
  /** The number of operations that uses of `$compute` aliases added. */
  readonly complexity: { nodes: number }
  /** The query option that the text being bound belongs to, for errors. */
  readonly option: (kind: keyof typeof options) => QueryOption
}

/** The binding of a query of which nothing is bound yet. */
export function createBinding(
  interpretation: Pick<Binding, 'dialect' | 'namespace' | 'zone' | 'naming' | 'clock'>,
): Binding {
  return {
    ...interpretation,
    values: [],
    sources: new Map(),
    joinedRelations: [],
    outerFields: new Set(),
    complexity: { nodes: 0 },
    option: topLevelOption,
  }
}

/** At the top level, an expression belongs to the option that it is written in. */
const topLevelOption: Binding['option'] = (kind) => options[kind]

/** Inside the brackets of `$expand`, it belongs to `$expand`. */
export const nestedOption: Binding['option'] = () => expandOption

const options = {
  filter: filterOption,
  select: selectOption,
  orderby: orderByOption,
  search: searchOption,
  compute: computeOption,
  apply: applyOption,
}

/** The literals of `$filter` that a value of the plan was read from: one, or the members of a list. */
export interface ValueSource {
  readonly literals: readonly LiteralNode[]
  readonly isList: boolean
  readonly type: ValueType
}

/** Adds a literal to the values of the query. */
export function addLiteral({ values }: Pick<Binding, 'values'>, value: PlanValue, type: ValueType): LiteralValue {
  return { kind: 'literal', index: values.push(value) - 1, type }
}

/** The same for a literal of an option, whose value depends on nothing but its text, its type and the time zone. */
export function addLiteralOf(
  binding: Pick<Binding, 'values' | 'sources'>,
  option: QueryOption,
  value: PlanValue,
  source: ValueSource,
): LiteralValue {
  const literal = addLiteral(binding, value, source.type)
  if (option === filterOption) binding.sources.set(literal.index, source)
  return literal
}

/** Adds a joined relation and returns its record number, from 1. Throws `ExpandTooComplex` above the limit. */
export function addJoinedRelation(
  { joinedRelations }: Binding,
  relation: Relation,
  option: QueryOption,
  { column }: Pick<NameNode, 'column'>,
): number {
  if (joinedRelations.push(relation) <= relationsMax) return joinedRelations.length
  const limit = { limit: 'relations', max: relationsMax } as const
  throw tooComplexError(option, column, limit, 'ExpandTooComplex')
}

/** Per query, since SQLite joins at most 64 tables. */
const relationsMax = 30
