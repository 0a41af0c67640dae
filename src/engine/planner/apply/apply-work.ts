// Step builder: the state that the transformations of one `$apply` share while they are bound.
import { ComplexityCounter, expressionLimits } from '../../odata/expressions/complexity.ts'
import type { QueryOption } from '../../odata/options/option.ts'
import type { Transformation } from '../../odata/expressions/syntax.ts'
import type { AddedColumn, RowsStep, ApplyStep } from './apply-plan.ts'
import { hasEntities, type ApplyColumn, type ApplyStage } from './apply-stage.ts'
import type { Binding } from '../binding.ts'
import type { RecordRef } from '../expressions/scope.ts'
import { fieldsOf } from '../expressions/names.ts'
import type { ValueType } from '../expressions/expression.ts'

/** Binds a sequence of transformations, for each partition of rows with equal `partitionBy`. */
export type BindSequence = (
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  sequence: readonly Transformation[],
  partitionBy: readonly ApplyColumn[],
) => ApplyStage

export class ApplyStepBuilder {
  readonly binding: Binding
  readonly steps: ApplyStep[] = []
  readonly bindSequence: BindSequence
  /** The option that contains the transformations. */
  readonly option: QueryOption
  readonly #firstStep: number
  #columnCount = 0

  /** `first` is the number of the first step. */
  constructor(binding: Binding, bindSequence: BindSequence, first: number) {
    this.binding = binding
    this.bindSequence = bindSequence
    this.option = binding.option('apply')
    this.#firstStep = first
  }

  /** The number of the next step. Throws `FilterTooComplex` above the limit. */
  nextNumber(column: number): number {
    if (this.steps.length >= expressionLimits.steps)
      throw new ComplexityCounter(this.option).limitError('steps', column)
    return this.#firstStep + this.steps.length
  }

  /** The sum of row copies. Throws `FilterTooComplex` above the limit. */
  countCopies(of: readonly number[], column: number): number {
    const copies = of.reduce((sum, one) => sum + one, 0)
    if (copies > expressionLimits.copies)
      throw new ComplexityCounter(this.option).limitError('copies', column)
    return copies
  }

  newColumn(type: ValueType, path: readonly string[] = [], outputPath = path): ApplyColumn {
    return { name: `c${this.#columnCount++}`, type, path, outputPath }
  }

  /** Adds a step that adds columns, filters or pages; omitted options leave the rows unchanged. */
  addRowsStep(
    stage: ApplyStage,
    at: { readonly column: number },
    { record, columns = [], ...rest }: RowsStepOptions,
  ): ApplyStage {
    const number = this.nextNumber(at.column)
    this.steps.push({
      kind: 'rows',
      number,
      from: stage.number,
      joins: record?.joins ?? [],
      passedColumns: columnNames(stage),
      addedColumns: rest.addedColumns ?? [],
      filter: rest.filter ?? null,
      page: rest.page ?? null,
    })
    return { ...stage, number, columns: [...stage.columns, ...columns] }
  }
}

interface RowsStepOptions extends Partial<Pick<RowsStep, 'filter' | 'page'>> {
  /** The record whose joins the expressions use. */
  readonly record?: RecordRef
  readonly addedColumns?: readonly AddedColumn[]
  /** The added columns, as the next stage knows them. */
  readonly columns?: readonly ApplyColumn[]
}

/** The names of all columns of a stage. */
export function columnNames(stage: ApplyStage): string[] {
  return [
    ...(hasEntities(stage)
      ? ['companyId', ...fieldsOf(stage.view.resource).all.map(({ name }) => name)]
      : []),
    ...stage.columns.map(({ name }) => name),
  ]
}

/**
 * The first step number of the `$apply` of a set, which has this record number. Step numbers start above the relation
 * numbers, which count from 1 to at most 30.
 */
export function firstStepNumber(set: number): number {
  return 100 * (set + 1)
}
