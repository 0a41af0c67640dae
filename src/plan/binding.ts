// What every part of a query is bound with: how names and literals are understood, and where refusals point.
import { Fault } from '#faults.ts'
import { phrase, type PhraseCode } from '#phrases.ts'
import type { Relation } from '#model/schema.ts'
import type { Dialect } from '#odata/dialect.ts'
import {
  expandOption,
  filterOption,
  orderByOption,
  selectOption,
  targetAt,
  type Option,
} from '#odata/option.ts'
import type { Name } from '#odata/syntax.ts'
import type { PlanValue } from '#plan/read-plan.ts'

export interface Binding {
  readonly dialect: Dialect
  /** IANA name of the company's zone. */
  readonly zone: string
  /** As the model declares names, or as the document and the caller spell them (ADR 0006). */
  readonly naming: 'declared' | 'plain'
  /** The literals that were met so far. */
  readonly values: PlanValue[]
  /** The relations that were expanded so far. */
  readonly expanded: Relation[]
  /** In which option of the address the text stands that is being bound. */
  readonly option: (kind: 'filter' | 'select' | 'orderby') => Option
}

/** The options of the address itself. */
export const ownOption: Binding['option'] = (kind) => options[kind]

/** What stands in the brackets of `$expand`. */
export const nestedOption: Binding['option'] = () => expandOption

const options = { filter: filterOption, select: selectOption, orderby: orderByOption }

export const notSupported = (
  feature: PhraseCode,
  option: Option,
  { column }: Pick<Name, 'column'>,
): Fault =>
  new Fault('NotSupported', {
    target: targetAt(option, column),
    says: { feature: phrase(feature) },
  })
