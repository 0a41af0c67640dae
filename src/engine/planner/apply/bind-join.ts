// Binding of `join` and `outerjoin`: one row per related record (Data Aggregation 4.0, 3.4.1).
import { unreadable, unsupported } from '../../odata/options/option.ts'
import type { Name, Transformation } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import type { AddedColumn, JoinStep } from './apply-plan.ts'
import {
  columnValue,
  frameAt,
  isOfRecords,
  orderAt,
  withoutFields,
  type Column,
  type OrderedBy,
  type Stage,
} from './apply-stage.ts'
import type { Work } from './apply-work.ts'
import { typeOf } from '../expressions/arithmetic.ts'
import { Comparer, constant } from '../expressions/compare-value.ts'
import { fieldValue } from '../expressions/field-expression.ts'
import {
  fieldsOf,
  relationNamed,
  requireRight,
  unknownProperty,
  wayOf,
} from '../expressions/names.ts'
import type { Condition, Value } from '../expressions/expression.ts'
import { shownBy } from './apply-output-columns.ts'
import type { Relation } from '../../model/schema.ts'

type Join = Transformation & { readonly kind: 'join' | 'outerjoin' }

export function bindJoin(work: Work, stage: Stage, one: Join, within: readonly Column[]): Stage {
  const relation = relationAt(work, stage, one)
  work.copies([stage.copies, 1], one.column)
  const left = withColumns(work, stage, one)
  const right = relatedAt(work, stage, one, relation)
  // An aggregate without `groupby` has one row per joined row, even for no input.
  const isOnePerRow = right.made.key.every((name) => right.keys.some((key) => key.name === name))
  const isOuter = one.kind === 'outerjoin' || isOnePerRow
  const as = [one.as.name]
  const shown = shownBy(work, right.made).map(({ column, value }) => ({
    column: work.column(column.type, [...as, ...column.path], [...as, ...column.spelled]),
    value: column.isCount === true ? orZero(work, value) : value,
  }))
  const orders = ordersOf(work, right.made)
  const variant = work.column('integer')
  const isThere = present(columnValue(right.keys[0] ?? variant, right.made.number))
  const kind = { column: variant, value: whichOf(work, isThere) }
  const number = work.number(one.column)
  const added = [...shown, ...orders, kind]
  work.steps.push({
    kind: 'join',
    number,
    from: left.stage.number,
    with: right.made.number,
    keeps: left.stage.columns.map(({ name }) => name),
    adds: added.map(({ column, value }): AddedColumn => ({ name: column.name, value })),
    on: pairsOf(work, left.stage, relation, right),
    isOuter,
  })
  const columns = [...left.stage.columns, ...added.map(({ column }) => column)]
  const names = (all: readonly { readonly column: Column }[]) =>
    all.map(({ column }) => column.name)
  const own = left.stage.columns.map(({ name }) => name)
  const order = [...left.order, ...orders]
  return {
    number,
    view: withoutFields(stage.view),
    columns,
    order: order.map(({ column, descending }): OrderedBy => ({ column, descending })),
    key: order.map(({ column }) => column.name),
    variants:
      isOuter && !isOnePerRow
        ? { column: variant.name, columns: [[...own, ...names(shown)], own] }
        : null,
    copies: stage.copies,
    mayLackGroups: stage.mayLackGroups || !isOuter,
    groups: within.length === 0 ? null : stage.groups,
  }
}

function relationAt(work: Work, stage: Stage, one: Join): Relation {
  const [name, beyond] = one.path
  if (name === undefined) throw new Error('a join without a relation')
  if (beyond !== undefined || stage.variants !== null)
    throw unsupported(work.option, one.column, phrase('joiningMore'))
  const { view } = frameAt(work.binding, stage).record
  const relation = relationNamed(view, name)
  if (relation === undefined) throw unknownProperty(view, name, work.option)
  requireRight(view, relation.to.right, name, work.option)
  if (relation.isMany !== true)
    throw unreadable(work.option, name.column, phrase('leadsToOne', { name: relation.wire }))
  refuseTaken(work, stage, one.as)
  return relation
}

function refuseTaken(work: Work, { view, columns }: Stage, as: Name): void {
  const lower = as.name.toLowerCase()
  const isTaken =
    columns.some(({ path }) => path[0]?.toLowerCase() === lower) ||
    fieldsOf(view.resource).byLowerCase.has(wayOf([as])) ||
    relationNamed(view, as) !== undefined
  if (isTaken) throw unreadable(work.option, as.column, phrase('nameIsTaken', { name: as.name }))
}

interface Ordered {
  readonly column: Column
  readonly value: Value
  readonly descending: boolean
}

/** The sort values of the rows, as internal columns. */
function ordersOf(work: Work, stage: Stage): Ordered[] {
  return orderAt(stage).map(({ value, descending }) => ({
    column: work.column(typeOf(value) ?? 'text'),
    value,
    descending,
  }))
}

/** Turns fields and sort values into columns, since joined rows are no longer entities. */
function withColumns(work: Work, stage: Stage, at: Transformation) {
  const own = isOfRecords(stage)
    ? shownBy(work, stage)
        .filter(({ column }) => !stage.columns.some(({ name }) => name === column.name))
        .map(({ column, value }) => ({
          column: work.column(column.type, column.path, column.spelled),
          value,
        }))
    : []
  const order = ordersOf(work, stage)
  const adds = [...own, ...order]
  const columns = adds.map(({ column }) => column)
  const named = adds.map(({ column, value }) => ({ name: column.name, value }))
  return { stage: work.rows(stage, at, { adds: named, columns }), order }
}

interface RelatedRows {
  readonly made: Stage
  /** The columns that the rows are joined on. */
  readonly keys: readonly Column[]
}

/** All records of the related resource, transformed for each row that they belong to. */
function relatedAt(work: Work, { view }: Stage, one: Join, { to, on }: Relation): RelatedRows {
  const number = work.number(one.column)
  const records = { number, joins: [], filter: null, start: null }
  work.steps.push({ kind: 'records', resource: to, ...records })
  const first: Stage = {
    number,
    view: { ...view, resource: to },
    columns: [],
    order: [],
    key: to.key,
    variants: null,
    copies: 1,
    mayLackGroups: false,
    groups: null,
  }
  const { all } = fieldsOf(to)
  const adds = Object.values(on).flatMap((theirs) =>
    all
      .filter(({ name }) => name === theirs)
      .map((field) => ({
        column: work.column(field.type),
        value: fieldValue({ number, isJoined: false }, field),
      })),
  )
  const keys = adds.map(({ column }) => column)
  const named = adds.map(({ column, value }) => ({ name: column.name, value }))
  const start = work.rows(first, one, { adds: named, columns: keys })
  const grouped = { ...start, groups: start.number }
  const made = one.apply.length === 0 ? start : work.run(work, grouped, one.apply, keys)
  if (made.variants !== null) throw unsupported(work.option, one.column, phrase('joiningMore'))
  return { made, keys }
}

function pairsOf(
  { binding }: Work,
  left: Stage,
  { on }: Relation,
  { made, keys }: RelatedRows,
): JoinStep['on'] {
  const { record } = frameAt(binding, left)
  const { all } = fieldsOf(left.view.resource)
  return Object.keys(on).flatMap((mine, index) => {
    const key = keys[index]
    if (key === undefined) return []
    return all
      .filter(({ name }) => name === mine)
      .map((field) => ({
        left: fieldValue(record, field),
        right: columnValue(key, made.number),
      }))
  })
}

function present(value: Value): Condition {
  return {
    kind: 'compare',
    operator: 'ne',
    left: value,
    right: { kind: 'null' },
  }
}

/** 0 where there is a related record, and 1 where there is none. */
function whichOf(work: Work, isThere: Condition): Value {
  const comparer = new Comparer(work.binding, work.option)
  const branches = [
    { condition: isThere, value: comparer.value(0, 'integer') },
    { condition: constant(true), value: comparer.value(1, 'integer') },
  ]
  return { kind: 'case', branches, type: 'integer' }
}

function orZero(work: Work, value: Value): Value {
  const zero = new Comparer(work.binding, work.option).value(0, 'integer')
  const branches = [
    { condition: present(value), value },
    { condition: constant(true), value: zero },
  ]
  return { kind: 'case', branches, type: 'integer' }
}
