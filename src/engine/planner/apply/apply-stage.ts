// What stands between two steps of `$apply`: the rows that came out so far, and what their columns are called.
import type { Resource } from '../../model/resource.ts'
import type { Binding } from '../binding.ts'
import type { Variants } from './apply-plan.ts'
import { fieldValue } from '../expressions/field-expression.ts'
import { frameOf, type Frame, type NamedValue, type Spoken } from '../expressions/scope.ts'
import { fieldsOf, type View } from '../expressions/names.ts'
import type { FieldValue, Order, ValueType } from '../expressions/expression.ts'

export interface Stage {
  /** The step that gives the rows. */
  readonly number: number
  /** The records that the rows are; what is no record any more is of a resource without fields. */
  readonly view: View
  readonly columns: readonly Column[]
  /** The order that the rows are in, before that of `key`. */
  readonly order: readonly OrderedBy[]
  /** Together they tell the rows apart; none where there is but one row. */
  readonly key: readonly string[]
  readonly variants: Variants | null
  /** How often a record may be in it, as itself or in a sum. */
  readonly copies: number
  /** Whether a group may have lost its last row. */
  readonly mayLackGroups: boolean
  /** The step that has every group which the rows are parted into; null where they are not, or it is not known. */
  readonly groups: number | null
}

/** What rows have beside the fields of records. */
export interface Column {
  /** Unlike all others of the plan. */
  readonly name: string
  readonly type: ValueType
  /** The way to it as the model declares it, and as the answer spells it; empty where it is nobody's business. */
  readonly path: readonly string[]
  readonly spelled: readonly string[]
  /** A number of rows, which is 0 and not null where there are none. */
  readonly isCount?: boolean
  /** Holds a blank for null, as the field does that it is made of. */
  readonly blank?: 'own'
}

export interface OrderedBy {
  readonly column: Column
  readonly descending: boolean
}

/** Whether the rows are records. */
export function isOfRecords({ view }: Stage): boolean {
  return view.resource.key.length > 0
}

/** What an aggregation gives: of the set still, but without key and fields. */
export function withoutFields(view: View): View {
  const resource: Resource = { ...view.resource, key: [], fields: {} }
  return { ...view, resource }
}

/** The frame of expressions about the rows; `number` is what their columns are `of`. */
export function frameAt(
  binding: Binding,
  stage: Stage,
  number = stage.number,
): Frame & { readonly record: Spoken } {
  const computed = namesOf(stage, number)
  const also = [...computed.values()].map(({ name }) => name)
  const record = { view: { ...stage.view, also }, number, joins: [], isJoined: false }
  return { ...frameOf(binding, record, record), option: binding.option('apply'), computed }
}

/** What has a name of its own, in lower case. */
function namesOf(
  { columns }: Pick<Stage, 'columns'>,
  number: number,
): ReadonlyMap<string, NamedValue> {
  return new Map(
    columns
      .filter(({ path }) => path.length > 0)
      .map((column) => [
        column.path.join('/').toLowerCase(),
        {
          name: column.path.at(-1) ?? '',
          as: column.spelled.at(-1) ?? '',
          within: column.spelled.slice(0, -1),
          value: columnValue(column, number),
        },
      ]),
  )
}

export function columnValue(
  { name, type, blank }: Pick<Column, 'name' | 'type' | 'blank'>,
  number: number,
): FieldValue {
  return {
    kind: 'field',
    of: number,
    field: name,
    type,
    isOptional: true,
    ...(blank === undefined ? {} : { blank }),
  }
}

/** The whole order of the rows. */
export function orderAt(stage: Stage, number = stage.number): Order[] {
  return [
    ...stage.order.map(({ column, descending }) => ({
      value: columnValue(column, number),
      descending,
    })),
    ...keyAt(stage, number).map((value) => ({ value, descending: false })),
  ]
}

function keyAt({ view, columns, key }: Stage, number: number): FieldValue[] {
  const own = { number, isJoined: false }
  const fields = fieldsOf(view.resource)
    .all.filter(({ name }) => key.includes(name))
    .sort((one, other) => key.indexOf(one.name) - key.indexOf(other.name))
    .map((field) => fieldValue(own, field))
  const named = key.flatMap((name) => columns.filter((column) => column.name === name))
  return [...fields, ...named.map((column) => columnValue(column, number))]
}
