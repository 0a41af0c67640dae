// Binding of `aggregate`: one row of aggregated values for each group.
import { unreadable, unsupported } from '../../odata/options/option.ts'
import type { AggregateItem, Name, Transformation } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import type { GroupStep } from './apply-plan.ts'
import { frameAt, withoutFields, type Column, type Stage } from './apply-stage.ts'
import type { Work } from './apply-work.ts'
import { bindAggregated, unknownAggregate } from './bind-aggregated.ts'
import { bindValue } from '../expressions/bind-filter.ts'
import { countedOnce, type CountedOnce } from './distinct-aggregate.ts'
import type { Frame } from '../expressions/scope.ts'

type Aggregate = Transformation & { readonly kind: 'aggregate' }

/** One row for each partition of rows with equal `partitionBy` (Data Aggregation 4.0, 3.2.1). */
export function bindAggregate(
  work: Work,
  stage: Stage,
  one: Aggregate,
  within: readonly Column[],
): Stage {
  const [from] = one.items.filter((item) => item.from.length > 0)
  if (from !== undefined) return work.run(work, stage, withoutFrom(work, one, from), within)
  const { stage: known, told } = countedOnce(work, stage, one, within)
  const { number, columns } = grouped(work, known, one, { keeps: within, levels: null, told })
  return {
    number: stage.mayLackGroups ? wholeOf(work, stage, one, { number, within, columns }) : number,
    view: withoutFields(stage.view),
    columns: [...within, ...columns],
    order: [],
    key: within.map(({ name }) => name),
    variants: null,
    copies: within.length === 0 ? 1 : stage.copies,
    mayLackGroups: false,
    groups: stage.groups,
  }
}

interface Sums {
  readonly number: number
  readonly within: readonly Column[]
  readonly columns: readonly SumColumn[]
}

/** A group that lost all its rows has no aggregates, but is still a group. */
function wholeOf(
  work: Work,
  { groups }: Stage,
  one: Aggregate,
  { number: from, within, columns }: Sums,
): number {
  if (within.length === 0) return from
  if (groups === null) throw unsupported(work.option, one.column, phrase('aggregatingWhatIsLeft'))
  const number = work.number(one.column)
  const keeps = within.map(({ name }) => name)
  const told = columns.map(({ name, type, isCount }) => ({ name, type, isCount }))
  work.steps.push({ kind: 'whole', number, from, groups, keeps, columns: told })
  return number
}

interface SumColumn extends Column {
  /** 0, not null, for no rows. */
  readonly isCount: boolean
}

/** Aggregates at several levels in one step; the first level has all columns, and the levels follow each other. */
export function bindLevels(
  work: Work,
  stage: Stage,
  one: Aggregate,
  levels: readonly (readonly Column[])[],
): Stage {
  const [keeps = []] = levels
  const level = work.column('integer')
  const blanks = keeps.filter(({ blank }) => blank !== undefined).map(({ name }) => name)
  const named = levels.map((columns) => columns.map(({ name }) => name))
  const { number, columns } = grouped(work, stage, one, {
    keeps,
    levels: { column: level.name, columns: named, blanks },
    told: new Map(),
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
    groups: stage.groups,
  }
}

interface Grouped extends Pick<GroupStep, 'levels'> {
  readonly keeps: readonly Column[]
  /** Items that are already bound. */
  readonly told: CountedOnce['told']
}

/** Adds the step, and returns the aggregated columns. */
function grouped(work: Work, stage: Stage, one: Aggregate, { keeps, levels, told }: Grouped) {
  const frame = frameAt(work.binding, stage)
  const taken = keeps.flatMap(({ path }) => [path.join('/'), ...path.slice(0, 1)])
  const names = new Set(taken.map((name) => name.toLowerCase()))
  const bound = one.items.map((item) => {
    const as = aliasOf(frame, item)
    const name = as.name.toLowerCase()
    if (names.has(name))
      throw unreadable(work.option, as.column, phrase('nameIsTaken', { name: as.name }))
    names.add(name)
    const { method, value, type } = told.get(item) ?? bindAggregated(frame, item, bindValue)
    const isCount = method === 'count' || method === 'total' || method === 'countdistinct'
    const column: SumColumn = { ...work.column(type, [as.name]), isCount }
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

/** `A with sum from B with average` groups by B, sums, and then averages (3.2.1.5). */
function withoutFrom(work: Work, one: Aggregate, item: AggregateItem): Transformation[] {
  const { column } = one
  const last = item.from.at(-1)
  if (last === undefined || last.method === null || one.items.length > 1)
    throw unsupported(work.option, item.column, phrase('aggregatingFromBeside'))
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

/** A name that no request can contain. */
const betweenName = '\u{1}'

function aliasOf(frame: Frame, item: AggregateItem): Name {
  const { expression, method, as } = item
  const isCounted = expression === null || expression.kind === 'count'
  if (as !== null && (method !== null || isCounted)) return as
  throw unknownAggregate(frame, item)
}
