// `aggregate`: what rows come to together, one value for each item.
import { applyOption, unreadable, unsupported } from '#odata/option.ts'
import type { AggregateItem, Expression, Name, Transformation } from '#odata/syntax.ts'
import { phrase } from '#phrases.ts'
import type { AggregateColumn, AggregateMethod, GroupStep } from '#plan/apply-plan.ts'
import { frameAt, withoutFields, type Column, type Stage } from '#plan/apply-stage.ts'
import type { Work } from '#plan/apply-work.ts'
import { isNumber, typeOf } from '#plan/arithmetic.ts'
import { bindValue } from '#plan/bind-filter.ts'
import { fieldValue, meaningOf, recordAt, type Frame } from '#plan/frame.ts'
import { fieldsOf, relationNamed, unknownProperty } from '#plan/names.ts'
import type { Value, ValueType } from '#plan/read-plan.ts'

type Aggregate = Transformation & { readonly kind: 'aggregate' }

/** One row for each group of rows that are alike in `within` (Data Aggregation 4.0, 3.2.1). */
export const bindAggregate = (
  work: Work,
  stage: Stage,
  one: Aggregate,
  within: readonly Column[],
): Stage => {
  const [from] = one.items.filter((item) => item.from.length > 0)
  if (from !== undefined) return work.run(work, stage, withoutFrom(one, from), within)
  // What is left without rows has no sum, and still is a group.
  if (stage.mayLackGroups && within.length > 0)
    throw unsupported(applyOption, one.column, phrase('aggregatingWhatIsLeft'))
  const { number, columns } = grouped(work, stage, one, { keeps: within, levels: null })
  return {
    number,
    view: withoutFields(stage.view),
    columns: [...within, ...columns],
    order: [],
    key: within.map(({ name }) => name),
    variants: null,
    copies: within.length === 0 ? 1 : stage.copies,
    mayLackGroups: false,
  }
}

/** The same for several levels, of which the first has all columns: one after the other. */
export const bindLevels = (
  work: Work,
  stage: Stage,
  one: Aggregate,
  levels: readonly (readonly Column[])[],
): Stage => {
  const [keeps = []] = levels
  const level = work.column('integer')
  const blanks = keeps.filter(({ blank }) => blank !== undefined).map(({ name }) => name)
  const named = levels.map((columns) => columns.map(({ name }) => name))
  const { number, columns } = grouped(work, stage, one, {
    keeps,
    levels: { column: level.name, columns: named, blanks },
  })
  const alike = keeps.map(({ blank: _blank, ...column }) => column)
  const sums = columns.map(({ name }) => name)
  return {
    number,
    view: withoutFields(stage.view),
    columns: [...alike, ...columns, level],
    order: [{ column: level, descending: false }],
    key: [level.name, ...keeps.map(({ name }) => name)],
    copies: stage.copies * levels.length,
    variants: { column: level.name, columns: named.map((names) => [...names, ...sums]) },
    mayLackGroups: false,
  }
}

interface Grouped extends Pick<GroupStep, 'levels'> {
  readonly keeps: readonly Column[]
}

/** Adds the step, and gives the columns of what is aggregated. */
const grouped = (work: Work, stage: Stage, one: Aggregate, { keeps, levels }: Grouped) => {
  const frame = frameAt(work.binding, stage)
  const taken = keeps.flatMap(({ path }) => [path.join('/'), ...path.slice(0, 1)])
  const names = new Set(taken.map((name) => name.toLowerCase()))
  const bound = one.items.map((item) => {
    const as = aliasOf(frame, item)
    const name = as.name.toLowerCase()
    if (names.has(name))
      throw unreadable(applyOption, as.column, phrase('nameIsTaken', { name: as.name }))
    names.add(name)
    const { method, value, type } = aggregated(frame, item)
    const column = work.column(type, [as.name])
    return { column, aggregate: { name: column.name, method, value, type } }
  })
  const number = work.number(one.column)
  work.steps.push({
    kind: 'group',
    number,
    from: stage.number,
    joins: frame.record.joins,
    keeps: keeps.map(({ name }) => name),
    aggregates: bound.map(({ aggregate }) => aggregate),
    levels,
  })
  return { number, columns: bound.map(({ column }) => column) }
}

/** `A with sum from B with average` is grouped by B, summed, and then averaged (3.2.1.5). */
const withoutFrom = (one: Aggregate, item: AggregateItem): Transformation[] => {
  const { column } = one
  const last = item.from.at(-1)
  if (last === undefined || last.method === null || one.items.length > 1)
    throw unsupported(applyOption, item.column, phrase('aggregatingFromBeside'))
  const between: Name = { kind: 'name', name: betweenName, column: item.column }
  const inner = { ...item, from: item.from.slice(0, -1), as: between }
  return [
    {
      kind: 'groupby',
      column,
      by: last.by.map((names) => ({ kind: 'path', names })),
      apply: [{ kind: 'aggregate', column, items: [inner] }],
    },
    {
      kind: 'aggregate',
      column,
      items: [{ ...item, expression: between, method: last.method, from: [] }],
    },
  ]
}

/** No caller can write it. */
const betweenName = '\u{1}'

/** Without a method it would be an aggregate that the model names, and no model here names one. */
const aliasOf = ({ record, option }: Frame, { expression, method, as, column }: AggregateItem) => {
  const isCounted = expression === null || expression.kind === 'count'
  if (as !== null && (method !== null || isCounted)) return as
  const names = expression?.kind === 'path' ? expression.names : [expression]
  const last = names.at(-1)
  if (last?.kind === 'name') throw unknownAggregate(record.view, last)
  throw unreadable(option, column, phrase('expectedSign', { sign: 'as' }))
}

const unknownAggregate = (view: Parameters<typeof unknownProperty>[0], name: Name) => {
  const lower = name.name.toLowerCase()
  return fieldsOf(view.resource).byLowerCase.has(lower)
    ? unreadable(applyOption, name.column, phrase('expectedSign', { sign: 'with' }))
    : unknownProperty(view, name, applyOption)
}

const aggregated = (
  frame: Frame,
  { expression, method: name, column }: AggregateItem,
): Omit<AggregateColumn, 'name'> => {
  if (expression === null) return { method: 'count', value: null, type: 'integer' }
  if (expression.kind === 'count')
    return { method: 'total', value: bindValue(frame, expression), type: 'integer' }
  const method = name === null ? undefined : methods.get(name.name)
  if (method === undefined)
    throw unreadable(applyOption, name?.column ?? column, phrase('expectedMethod'))
  refuseWays(frame, expression, method)
  const value = valueOf(frame, expression, method)
  const type = typeOf(value)
  const adds = method === 'sum' || method === 'average'
  if (adds && type !== null && !isNumber(type) && type !== 'duration')
    throw unreadable(applyOption, expression.column, phrase('expectedNumber'))
  return { method, value, type: typeBy(method, type ?? 'integer') }
}

const methods: ReadonlyMap<string, AggregateMethod> = new Map(
  (['sum', 'average', 'min', 'max', 'countdistinct'] as const).map((name) => [name, name]),
)

const typeBy = (method: AggregateMethod, type: ValueType): ValueType => {
  if (method === 'countdistinct') return 'integer'
  return method === 'average' && type === 'integer' ? 'decimal' : type
}

/** A related record counts once, however many lead to it; and what many lead to is not joined here (3.2.1.1). */
const refuseWays = (frame: Frame, expression: Expression, method: AggregateMethod): void => {
  if (expression.kind !== 'path') return
  const { record, computed } = frame
  if (computed.has(expression.names.map(({ name }) => name.toLowerCase()).join('/'))) return
  let { view } = record
  for (const name of expression.names.slice(0, -1)) {
    const relation = relationNamed(view, name)
    if (relation === undefined) return
    if (relation.isMany) throw unsupported(applyOption, name.column, phrase('aggregatingMany'))
    if (method === 'sum' || method === 'average')
      throw unsupported(applyOption, name.column, phrase('addingRelated'))
    view = { ...view, resource: relation.to }
  }
}

/** Distinct related records are as many as their keys. */
const valueOf = (frame: Frame, expression: Expression, method: AggregateMethod): Value => {
  const isWay = expression.kind === 'name' || expression.kind === 'path'
  if (!isWay || method !== 'countdistinct') return bindValue(frame, expression)
  const names = expression.kind === 'name' ? [expression] : expression.names
  const meaning = meaningOf(frame, names)
  if (meaning.kind !== 'relation') return bindValue(frame, expression)
  const { from, relation } = meaning
  const [key, another] = relation.to.key
  if (relation.isMany || another !== undefined)
    throw unsupported(applyOption, expression.column, phrase('aggregatingMany'))
  const record = recordAt(frame, from, relation, expression)
  const field = fieldsOf(relation.to).all.find(({ name }) => name === key)
  if (field === undefined) throw new Error('a resource without a key')
  return fieldValue(record, field)
}
