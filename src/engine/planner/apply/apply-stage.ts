// Stage: the rows between two steps of `$apply`, with their columns, order and key.
import type { Resource } from '../../model/resource.ts'
import type { Binding } from '../binding.ts'
import type { RowTypes } from './apply-plan.ts'
import { fieldValue } from '../expressions/field-value.ts'
import { createScope } from '../expressions/bind-filter.ts'
import type { NameScope, ComputedValue, RecordRef } from '../expressions/scope.ts'
import type { ResourceView } from '../expressions/names.ts'
import { columnKey, fieldsNamed } from '../expressions/resource-fields.ts'
import type { FieldValue, SortTerm, ValueType } from '../expressions/bound-expression.ts'

export interface ApplyStage {
  /** The number of the step that returns the rows. */
  readonly number: number
  /** The resource of the rows; without fields where they are no longer entities. */
  readonly view: ResourceView
  readonly columns: readonly ApplyColumn[]
  /** The columns that the enclosing `groupby` groups by. */
  readonly partitionBy: readonly ApplyColumn[]
  /** The order of the rows, before that of `key`. */
  readonly order: readonly ColumnOrder[]
  /** The columns that identify a row; empty where there is only one row. */
  readonly key: readonly string[]
  readonly rowTypes: RowTypes | null
  /** The maximum number of rows that one record contributes to; also how often SQLite reads it. */
  readonly rowsPerRecord: number
  /** Whether a group may have lost its last row. */
  readonly canMissGroups: boolean
  /** The step with all groups of the rows; null where they are not grouped, or it is not known. */
  readonly groupsStep: number | null
}

/** A column that rows have besides the fields of entities. */
export interface ApplyColumn {
  /** Unique in the plan. */
  readonly name: string
  readonly type: ValueType
  /** Its path as the model declares it, and as the response spells it; empty for internal columns. */
  readonly path: readonly string[]
  readonly outputPath: readonly string[]
  /** Of its expression, with those of the columns in it. */
  readonly operations: number
  /** A row count, which is 0 and not null for no rows. */
  readonly isCount?: boolean
  /** Stores '' for null, like the field that it is made from. */
  readonly blankWhenNull?: true
}

export interface ColumnOrder {
  readonly column: ApplyColumn
  readonly descending: boolean
}

/** Whether the rows are still entities. */
export function hasEntities({ view }: ApplyStage): boolean {
  return view.resource.key.length > 0
}

export function recordsStage(number: number, view: ResourceView): ApplyStage {
  return {
    number,
    view,
    columns: [],
    partitionBy: [],
    order: [],
    key: view.resource.key,
    rowTypes: null,
    rowsPerRecord: 1,
    canMissGroups: false,
    groupsStep: null,
  }
}

/** A stage whose rows are not entities: they have the same resource without key and fields. */
export function aggregatedStage(
  before: ApplyStage,
  after: Pick<ApplyStage, 'number' | 'columns' | 'key'> & Partial<ApplyStage>,
): ApplyStage {
  const resource: Resource = { ...before.view.resource, key: [], fields: {} }
  const view = { ...before.view, resource }
  return { ...before, view, order: [], rowTypes: null, ...after }
}

/** The scope of expressions about the rows; `number` is the record number of their columns. */
export function scopeOfStage(
  binding: Binding,
  stage: ApplyStage,
  number = stage.number,
): NameScope & { readonly record: RecordRef } {
  const computed = namedColumns(stage, number)
  const moreNames = [...computed.values()].map(({ name }) => name)
  const record = { view: { ...stage.view, moreNames }, number, joins: [], isJoined: false }
  return { ...createScope(binding, record, record), option: binding.option('apply'), computed }
}

/** The named columns, by their path in lower case. */
function namedColumns({ columns }: Pick<ApplyStage, 'columns'>, number: number): ReadonlyMap<string, ComputedValue> {
  return new Map(
    columns
      .filter(({ path }) => path.length > 0)
      .map((column) => [
        columnKey(column.path),
        {
          name: column.path.at(-1) ?? '',
          as: column.outputPath.at(-1) ?? '',
          within: column.outputPath.slice(0, -1),
          value: columnValue(column, number),
        },
      ]),
  )
}

export function columnValue(
  { operations, ...column }: Pick<ApplyColumn, 'name' | 'type' | 'operations' | 'blankWhenNull'>,
  number: number,
): FieldValue {
  const value = fieldValue({ number, isJoined: false }, { ...column, optional: true })
  return operations === 0 ? value : { ...value, operations }
}

/** The complete order of the rows. */
export function orderOfStage(stage: ApplyStage, number = stage.number): SortTerm[] {
  return [
    ...stage.order.map(({ column, descending }) => ({ value: columnValue(column, number), descending })),
    ...keyOfStage(stage, number).map((value) => ({ value, descending: false })),
  ]
}

function keyOfStage({ view, columns, key }: ApplyStage, number: number): FieldValue[] {
  const own = { number, isJoined: false }
  const fields = fieldsNamed(view.resource, key).map((field) => fieldValue(own, field))
  const named = key.flatMap((name) => columns.filter((column) => column.name === name))
  return [...fields, ...named.map((column) => columnValue(column, number))]
}
