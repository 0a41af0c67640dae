// Binding: the state that all parts of one query share while it is bound to the schema.
import { Fault } from '../../errors/catalog.ts'
import { phrase, type PhraseCode } from '../../errors/messages.ts'
import type { Relation } from '../model/schema.ts'
import type { Dialect } from '../odata/lexer/dialect.ts'
import {
  applyOption,
  computeOption,
  expandOption,
  filterOption,
  orderByOption,
  searchOption,
  selectOption,
  targetAt,
  type Option,
} from '../odata/options/option.ts'
import type { Name } from '../odata/expressions/syntax.ts'
import type { PlanValue } from './expressions/expression.ts'

export interface Binding {
  readonly dialect: Dialect
  /** The namespace of qualified type names. */
  readonly namespace: string
  /** IANA name of the company's time zone. */
  readonly zone: string
  /** The value of `now()`, in microseconds UTC. */
  readonly clock: () => number
  /** Returns names as the model declares them, or as the interface document and the caller spell them (ADR 0006). */
  readonly naming: 'declared' | 'plain'
  /** The literals that were bound so far. */
  readonly values: PlanValue[]
  /** The relations that were joined so far; each is a table of its own in the statement. */
  readonly followed: Relation[]
  /** Fields of the outermost records that expressions inside `$expand` refer to. */
  readonly lent: Set<string>
  /** The number of operations that uses of `$compute` aliases added. */
  readonly spent: { nodes: number }
  /** The query option that the text being bound belongs to, for errors. */
  readonly option: (kind: keyof typeof options) => Option
}

/** At the top level: each option is itself. */
export const ownOption: Binding['option'] = (kind) => options[kind]

/** Inside the brackets of `$expand`. */
export const nestedOption: Binding['option'] = () => expandOption

const options = {
  filter: filterOption,
  select: selectOption,
  orderby: orderByOption,
  search: searchOption,
  compute: computeOption,
  apply: applyOption,
}

/** Adds a joined relation and returns its record number, from 1. Throws `ExpandTooComplex` above the limit. */
export function follow(
  { followed }: Binding,
  relation: Relation,
  option: Option,
  { column }: Pick<Name, 'column'>,
): number {
  if (followed.push(relation) <= relationsMax) return followed.length
  throw new Fault('ExpandTooComplex', {
    target: targetAt(option, column),
    says: { option: option.name, limit: phrase('relations'), max: relationsMax },
  })
}

/** Per query, since SQLite joins at most 64 tables. */
const relationsMax = 30

export function notSupported(
  feature: PhraseCode,
  option: Option,
  { column }: Pick<Name, 'column'>,
): Fault {
  return new Fault('NotSupported', {
    target: targetAt(option, column),
    says: { feature: phrase(feature) },
  })
}
