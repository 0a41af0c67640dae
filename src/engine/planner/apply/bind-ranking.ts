// Binding of `topcount`, `bottomsum` and the other top and bottom transformations.
import { invalidOptionError, unsupportedError } from '../../odata/options/option.ts'
import type { Expression, RankingKind, Transformation } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import { columnValue, orderOfStage, type ApplyColumn, type ApplyStage } from './apply-stage.ts'
import { columnNames, type ApplyStepBuilder } from './apply-work.ts'
import { convertNumber, isNumber, typeOf } from '../expressions/arithmetic.ts'
import { bindValue } from '../expressions/bind-filter.ts'
import { addTheseAggregates } from './bind-these-aggregates.ts'
import type { Scope } from '../expressions/scope.ts'
import type { LiteralValue, SortTerm } from '../expressions/expression.ts'

type RankingTransformation = Transformation & { readonly kind: RankingKind }

/** The remaining rows keep their order (Data Aggregation 4.0, 3.3.1). */
export function bindRanking(
  builder: ApplyStepBuilder,
  before: ApplyStage,
  one: RankingTransformation,
  partitionBy: readonly ApplyColumn[],
): ApplyStage {
  const { stage, scope } = addTheseAggregates(builder, before, [one.amount, one.by], partitionBy)
  const bound = bindValue(scope, one.by)
  const isCount = one.kind === 'topcount' || one.kind === 'bottomcount'
  const type = typeOf(bound)
  if (!isCount && (type === null || !isNumber(type)))
    throw invalidOptionError(builder.option, one.by.column, message('expectedNumber'))
  const value = isCount ? bound : convertNumber(bound, 'decimal')
  const by = builder.newColumn(typeOf(value) ?? 'text')
  const count = isCount ? bindRankingCount(builder, scope, one) : null
  const addedColumns = [{ column: by, name: by.name, value }, ...(count?.addedColumns ?? [])]
  const columns = addedColumns.map(({ column }) => column)
  const next = builder.addRowsStep(stage, one, { record: scope.record, addedColumns, columns })
  const measured = columnValue(by, next.number)
  const order = [{ value: measured, descending: one.kind.startsWith('top') }, ...orderOfStage(next)]
  if (count !== null) {
    const { than } = count
    const kept = filterByOrdinal(builder, next, {
      at: one,
      partitionBy,
      order,
      operator: 'le',
      than,
    })
    // A computed count may be null or 0.
    return { ...kept, mayLackGroups: stage.mayLackGroups || count.addedColumns.length > 0 }
  }
  const unit = one.kind.endsWith('percent') ? 'percent' : 'sum'
  const amount = requireLiteralAmount(scope, one, 'decimal')
  const number = builder.nextNumber(one.column)
  builder.steps.push({
    kind: 'cumulativeLimit',
    number,
    from: next.number,
    joins: [],
    passedColumns: columnNames(next),
    partitionBy: partitionBy.map(({ name }) => name),
    order,
    value: measured,
    unit,
    amount,
  })
  return { ...next, number, mayLackGroups: true }
}

interface OrdinalOptions {
  readonly at: Transformation
  readonly partitionBy: readonly ApplyColumn[]
  readonly order: readonly SortTerm[]
}

/** Adds the ordinals of the rows in their partitions. */
export function addOrdinals(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  { at, partitionBy, order }: OrdinalOptions,
) {
  const ordinal = builder.newColumn('integer')
  const number = builder.nextNumber(at.column)
  builder.steps.push({
    kind: 'ordinal',
    number,
    from: stage.number,
    joins: [],
    passedColumns: columnNames(stage),
    partitionBy: partitionBy.map(({ name }) => name),
    order,
    ordinal: ordinal.name,
  })
  return { stage: { ...stage, number, columns: [...stage.columns, ordinal] }, place: ordinal }
}

interface OrdinalFilter extends OrdinalOptions {
  readonly operator: 'le' | 'gt'
  /** A number, or the column that has it. */
  readonly than: LiteralValue | ApplyColumn
}

/** The rows of each partition whose ordinal satisfies the comparison. */
export function filterByOrdinal(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  { operator, than, ...options }: OrdinalFilter,
): ApplyStage {
  const { stage: next, place: ordinal } = addOrdinals(builder, stage, options)
  const left = columnValue(ordinal, next.number)
  const right = 'kind' in than ? than : columnValue(than, next.number)
  const filter = { kind: 'compare', operator, left, right } as const
  return builder.addRowsStep(next, options.at, { filter })
}

/**
 * A literal number, or the column of one that is computed from `$these`, which is the same for all rows of a group.
 */
function bindRankingCount(builder: ApplyStepBuilder, scope: Scope, one: RankingTransformation) {
  if (scope.these.size === 0)
    return { than: requireLiteralAmount(scope, one, 'integer'), addedColumns: [] }
  const value = bindValue(scope, one.amount)
  if (typeOf(value) !== 'integer')
    throw invalidOptionError(builder.option, one.amount.column, message(amountPhrases[one.kind]))
  const than = builder.newColumn('integer')
  return { than, addedColumns: [{ column: than, name: than.name, value }] }
}

/** A literal number: it may not depend on a row. */
function requireLiteralAmount(
  scope: Scope,
  { kind, amount }: RankingTransformation,
  type: 'integer' | 'decimal',
) {
  const { column } = amount
  const written = literalNumber(amount)
  if (written === null) throw unsupportedError(scope.option, column, message('aComputedCount'))
  const isFit =
    type === 'integer'
      ? /^\d+$/.test(written) && Number(written) > 0
      : !kind.endsWith('percent') || (Number(written) > 0 && Number(written) <= 100)
  if (!isFit) throw invalidOptionError(scope.option, column, message(amountPhrases[kind]))
  const literal = { kind: 'literal', type: 'number', value: written, column } as const
  const value = bindValue(scope, literal, type)
  if (value.kind !== 'literal')
    throw invalidOptionError(scope.option, column, message(amountPhrases[kind]))
  return value
}

function literalNumber(node: Expression): string | null {
  if (node.kind === 'literal' && node.type === 'number') return node.value
  if (node.kind !== 'operation' || node.operator !== '-') return null
  const [of] = node.operands
  return of?.kind === 'literal' && of.type === 'number' ? `-${of.value}` : null
}

const amountPhrases = {
  topcount: 'expectedPositiveCount',
  bottomcount: 'expectedPositiveCount',
  topsum: 'expectedNumber',
  bottomsum: 'expectedNumber',
  toppercent: 'expectedPercent',
  bottompercent: 'expectedPercent',
} as const
