// What every part of a query is bound with: how names and literals are understood, and where refusals point.
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
  /** What names of types begin with. */
  readonly namespace: string
  /** IANA name of the company's zone. */
  readonly zone: string
  /** What `now()` is, in microseconds UTC. */
  readonly clock: () => number
  /** As the model declares names, or as the document and the caller spell them (ADR 0006). */
  readonly naming: 'declared' | 'plain'
  /** The literals that were met so far. */
  readonly values: PlanValue[]
  /** The relations that were followed so far; each is a table of its own in the statement. */
  readonly followed: Relation[]
  /** Fields of the outermost records that expressions inside of `$expand` speak of. */
  readonly lent: Set<string>
  /** How many operations the names of `$compute` brought to where they were used. */
  readonly spent: { nodes: number }
  /** In which option of the address the text stands that is being bound. */
  readonly option: (kind: keyof typeof options) => Option
}

/** The options of the address itself. */
export const ownOption: Binding['option'] = (kind) => options[kind]

/** What stands in the brackets of `$expand`. */
export const nestedOption: Binding['option'] = () => expandOption

const options = {
  filter: filterOption,
  select: selectOption,
  orderby: orderByOption,
  search: searchOption,
  compute: computeOption,
  apply: applyOption,
}

/** The number of a relation that is followed, from 1. Throws `ExpandTooComplex` where there are too many. */
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

/** All of a query together: a join of more than 64 tables is more than SQLite takes. */
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
