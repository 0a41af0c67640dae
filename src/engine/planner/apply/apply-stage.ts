// Stage: the rows between two steps of `$apply`, with their columns, order and key.
import type { Resource } from '../../model/resource.ts'
import type { Binding } from '../binding.ts'
import type { Variants } from './apply-plan.ts'
import { fieldValue } from '../expressions/field-expression.ts'
import { frameOf, type Frame, type NamedValue, type Spoken } from '../expressions/scope.ts'
import { fieldsOf, type View } from '../expressions/names.ts'
import type { FieldValue, Order, ValueType } from '../expressions/expression.ts'

export interface Stage {
  /** The number of the step that returns the rows. */
  readonly number: number
  /** The resource of the rows; without fields where they are no longer entities. */
  readonly view: View
  readonly columns: readonly Column[]
  /** The order of the rows, before that of `key`. */
  readonly order: readonly OrderedBy[]
  /** The columns that identify a row; empty where there is only one row. */
  readonly key: readonly string[]
  readonly variants: Variants | null
  /** The maximum number of rows that one record contributes to. */
  readonly copies: number
  /** Whether a group may have lost its last row. */
  readonly mayLackGroups: boolean
  /** The step with all groups of the rows; null where they are not grouped, or it is not known. */
  readonly groups: number | null
}

/** A column that rows have besides the fields of entities. */
export interface Column {
  /** Unique in the plan. */
  readonly name: string
  readonly type: ValueType
  /** Its path as the model declares it, and as the response spells it; empty for internal columns. */
  readonly path: readonly string[]
  readonly spelled: readonly string[]
  /** A row count, which is 0 and not null for no rows. */
  readonly isCount?: boolean
  /** Stores null as a blank, like the field that it is made from. */
  readonly blank?: 'own'
}

export interface OrderedBy {
  readonly column: Column
  readonly descending: boolean
}

/** Whether the rows are still entities. */
export function isOfRecords({ view }: Stage): boolean {
  return view.resource.key.length > 0
}

/** The view of rows that are aggregated: the same resource without key and fields. */
export function withoutFields(view: View): View {
  const resource: Resource = { ...view.resource, key: [], fields: {} }
  return { ...view, resource }
}

/** The scope of expressions about the rows; `number` is the record number of their columns. */
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

/** The named columns, by their path in lower case. */
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

/** The complete order of the rows. */
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
