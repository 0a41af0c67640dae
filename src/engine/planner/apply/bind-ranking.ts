// Binding of `topcount`, `bottomsum` and the other top and bottom transformations.
import { invalidOptionError, unsupportedError } from '../../odata/options/option.ts'
import {
  isLiteral,
  type RankingKind,
  type Transformation,
  type TransformationOf,
} from '../../odata/expressions/syntax.ts'
import { columnValue, orderOfStage, type ApplyColumn, type ApplyStage } from './apply-stage.ts'
import { partitionsOf, type ApplyStepBuilder } from './step-builder.ts'
import { convertNumber } from '../expressions/arithmetic.ts'
import { foldMinus } from '../expressions/bind-comparison.ts'
import { bindValue } from '../expressions/bind-value.ts'
import { compare } from '../expressions/conditions.ts'
import { addTheseAggregates } from './bind-these-aggregates.ts'
import type { NameScope } from '../expressions/scope.ts'
import type { LiteralValue, SortTerm } from '../expressions/bound-expression.ts'
import { isNumber, typeOf } from '../expressions/typed-value.ts'

type RankingTransformation = TransformationOf<RankingKind>

/** The remaining rows keep their order (Data Aggregation 4.0, 3.3.1). */
export function bindRanking(builder: ApplyStepBuilder, before: ApplyStage, one: RankingTransformation): ApplyStage {
  const { stage, scope } = addTheseAggregates(builder, before, [one.amount, one.by])
  const bound = bindValue(scope, one.by)
  const isCount = one.kind === 'topcount' || one.kind === 'bottomcount'
  const type = typeOf(bound)
  if (!isCount && (type === null || !isNumber(type)))
    throw invalidOptionError(builder.option, one.by.column, 'expectedNumber')
  const by = builder.computedColumn(isCount ? bound : convertNumber(bound, 'decimal'))
  const count = isCount ? bindRankingCount(builder, scope, one) : null
  const added = [by, ...(count?.added ?? [])]
  const next = builder.addRowsStep(stage, one, { record: scope.record, added })
  const value = columnValue(by.column, next.number)
  const order = [{ value, descending: one.kind.startsWith('top') }, ...orderOfStage(next)]
  if (count !== null) {
    const kept = filterByOrdinal(builder, next, { at: one, order, operator: 'le', than: count.than })
    // A computed count may be null or 0.
    return { ...kept, canMissGroups: stage.canMissGroups || count.added.length > 0 }
  }
  const number = builder.addStep(one.column, {
    kind: 'cumulativeLimit',
    ...partitionsOf(next),
    order,
    value,
    unit: one.kind.endsWith('percent') ? 'percent' : 'sum',
    amount: requireLiteralAmount(scope, one, 'decimal'),
  })
  return { ...next, number, canMissGroups: true }
}

interface OrdinalOptions {
  readonly at: Transformation
  readonly order: readonly SortTerm[]
}

/** Adds the ordinals of the rows in their partitions. */
export function addOrdinals(builder: ApplyStepBuilder, stage: ApplyStage, { at, order }: OrdinalOptions) {
  const ordinal = builder.newColumn('integer')
  const number = builder.addStep(at.column, { kind: 'ordinal', ...partitionsOf(stage), order, ordinal: ordinal.name })
  return { stage: { ...stage, number, columns: [...stage.columns, ordinal] }, ordinal }
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
  const { stage: next, ordinal } = addOrdinals(builder, stage, options)
  const left = columnValue(ordinal, next.number)
  const right = 'kind' in than ? than : columnValue(than, next.number)
  return builder.addRowsStep(next, options.at, { filter: compare(operator, left, right) })
}

/**
 * A literal number, or the column of one that is computed from `$these`, which is the same for all rows of a group.
 */
function bindRankingCount(builder: ApplyStepBuilder, scope: NameScope, one: RankingTransformation) {
  if (scope.these.size === 0) return { than: requireLiteralAmount(scope, one, 'integer'), added: [] }
  const value = bindValue(scope, one.amount)
  if (typeOf(value) !== 'integer') throw invalidOptionError(builder.option, one.amount.column, amountPhrases[one.kind])
  const computed = builder.computedColumn(value)
  return { than: computed.column, added: [computed] }
}

/** A literal number: it may not depend on a row. */
function requireLiteralAmount(scope: NameScope, { kind, amount }: RankingTransformation, type: 'integer' | 'decimal') {
  const { column } = amount
  const literal = foldMinus(amount)
  if (!isLiteral(literal) || literal.type !== 'number') throw unsupportedError(scope.option, column, 'aComputedCount')
  const { value: written } = literal
  const isValid =
    type === 'integer'
      ? /^\+?\d+$/.test(written) && Number(written) > 0
      : !kind.endsWith('percent') || (Number(written) > 0 && Number(written) <= 100)
  if (!isValid) throw invalidOptionError(scope.option, column, amountPhrases[kind])
  const value = bindValue(scope, literal, type)
  if (value.kind !== 'literal') throw invalidOptionError(scope.option, column, amountPhrases[kind])
  return value
}

const amountPhrases = {
  topcount: 'expectedPositiveCount',
  bottomcount: 'expectedPositiveCount',
  topsum: 'expectedNumber',
  bottomsum: 'expectedNumber',
  toppercent: 'expectedPercent',
  bottompercent: 'expectedPercent',
} as const
