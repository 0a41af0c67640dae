// Binding of `$apply`: turns a sequence of transformations into steps of the plan.
import { unsupported } from '../../odata/options/option.ts'
import type {
  ComputeItem,
  Expression,
  OrderItem,
  Search,
  Transformation,
} from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import type { ApplyPlan, RecordsStep } from './apply-plan.ts'
import { frameAt, isOfRecords, orderAt, type Column, type Stage } from './apply-stage.ts'
import { Work, type Run } from './apply-work.ts'
import { typeOf } from '../expressions/arithmetic.ts'
import { bindAggregate } from './bind-aggregate.ts'
import { bindCompute } from '../select/bind-compute.ts'
import { bindConcat } from './bind-concat.ts'
import { bindFilter, bindValue } from '../expressions/bind-filter.ts'
import { bindGroups } from './bind-groups.ts'
import { bindJoin } from './bind-join.ts'
import { bindRanking, placed } from './bind-ranking.ts'
import { bindSearch } from '../select/bind-search.ts'
import { withThese } from './bind-these-aggregates.ts'
import type { Binding } from '../binding.ts'
import { Comparer } from '../expressions/compare-value.ts'
import type { View } from '../expressions/names.ts'
import type { LiteralValue } from '../expressions/expression.ts'

/** The output stage of `$apply`, and its plan. */
export interface Applied {
  readonly stage: Stage
  readonly plan: ApplyPlan
}

/** `records` are those of the set; their record number is the number of the first step. */
export function bindApply(
  binding: Binding,
  view: View,
  records: Omit<RecordsStep, 'kind' | 'resource'>,
  sequence: readonly Transformation[],
): Applied {
  const work = new Work(binding, run, records.number)
  const { resource } = view
  work.steps.push({ kind: 'records', resource, ...records })
  const { key } = resource
  const { number } = records
  const first = {
    number,
    view,
    key,
    columns: [],
    order: [],
    variants: null,
    copies: 1,
    mayLackGroups: false,
    groups: null,
  }
  const stage = run(work, first, sequence, [])
  const { variants } = stage
  return { stage, plan: { steps: work.steps, variants } }
}

const run: Run = (work, stage, sequence, within) =>
  sequence.reduce((before, one) => bindOne(work, before, one, within), stage)

function bindOne(work: Work, stage: Stage, one: Transformation, within: readonly Column[]): Stage {
  switch (one.kind) {
    case 'identity':
      return stage
    case 'filter':
      return filtered(work, stage, one, within)
    case 'search':
      return searched(work, stage, one)
    case 'compute':
      return computed(work, stage, one, within)
    case 'orderby':
      return ordered(work, stage, one, within)
    case 'top':
    case 'skip':
      return part(work, stage, one, within)
    case 'aggregate':
      return bindAggregate(work, stage, one, within)
    case 'groupby':
      return bindGroups(work, stage, one, within)
    case 'join':
    case 'outerjoin':
      return bindJoin(work, stage, one, within)
    case 'concat':
      return bindConcat(work, stage, one, within)
  }
  return bindRanking(work, stage, one, within)
}

/** A group may lose all its rows. */
function losing(stage: Stage): Stage {
  return { ...stage, mayLackGroups: true }
}

function filtered(
  work: Work,
  before: Stage,
  one: Transformation & { readonly condition: Expression },
  within: readonly Column[],
): Stage {
  const { stage, frame } = withThese(work, before, [one.condition], within)
  const filter = bindFilter(frame, one.condition)
  return losing(work.rows(stage, one, { record: frame.record, filter }))
}

function searched(
  work: Work,
  stage: Stage,
  one: Transformation & { readonly search: Search },
): Stage {
  if (!isOfRecords(stage))
    throw unsupported(work.option, one.column, phrase('searchingWhatIsNoRecord'))
  const frame = frameAt(work.binding, stage)
  const filter = bindSearch(frame, one.search)
  return losing(work.rows(stage, one, { record: frame.record, filter }))
}

function computed(
  work: Work,
  before: Stage,
  one: Transformation & { readonly items: readonly ComputeItem[] },
  within: readonly Column[],
): Stage {
  const expressions = one.items.map(({ expression }) => expression)
  const { stage, frame } = withThese(work, before, expressions, within)
  const named = bindCompute(frame, one.items)
  const added = one.items.flatMap(({ as }) => {
    const value = named.get(as.name.toLowerCase())?.value
    if (value === undefined) return []
    const column = work.column(typeOf(value) ?? 'text', [as.name])
    return [{ column, name: column.name, value }]
  })
  const columns = added.map(({ column }) => column)
  const next = work.rows(stage, one, { record: frame.record, adds: added, columns })
  return { ...next, variants: withColumns(stage, columns) }
}

/** Adds the columns to every variant. */
function withColumns({ variants }: Stage, added: readonly Column[]): Stage['variants'] {
  if (variants === null) return null
  const names = added.map(({ name }) => name)
  return { ...variants, columns: variants.columns.map((columns) => [...columns, ...names]) }
}

/** A stable sort: rows with equal values keep their order. */
function ordered(
  work: Work,
  before: Stage,
  one: Transformation & { readonly items: readonly OrderItem[] },
  within: readonly Column[],
): Stage {
  const expressions = one.items.map(({ expression }) => expression)
  const { stage, frame } = withThese(work, before, expressions, within)
  const added = one.items.map(({ expression, descending }) => {
    const value = bindValue(frame, expression)
    const column = work.column(typeOf(value) ?? 'text')
    return { column, descending, name: column.name, value }
  })
  const columns = added.map(({ column }) => column)
  const next = work.rows(stage, one, { record: frame.record, adds: added, columns })
  return { ...next, order: [...added, ...stage.order] }
}

/** `top` and `skip`: the first rows, or those after them. */
function part(
  work: Work,
  stage: Stage,
  one: Transformation & { readonly kind: 'top' | 'skip'; readonly count: number },
  within: readonly Column[],
): Stage {
  const { kind, count } = one
  const literal = literalOf(work, count)
  if (within.length === 0) {
    const [top, skip] = kind === 'top' ? [literal, null] : [null, literal]
    return losing(work.rows(stage, one, { page: { order: orderAt(stage), top, skip } }))
  }
  const operator = kind === 'top' ? 'le' : 'gt'
  const next = placed(work, stage, {
    at: one,
    within,
    order: orderAt(stage),
    operator,
    than: literal,
  })
  return kind === 'top' && count > 0 ? next : losing(next)
}

function literalOf({ binding, option }: Work, count: number): LiteralValue {
  return new Comparer(binding, option).value(count, 'integer')
}
