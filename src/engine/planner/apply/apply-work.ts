// Step builder: the state that the transformations of one `$apply` share while they are bound.
import { Complexity, expressionLimits } from '../../odata/expressions/complexity.ts'
import type { Option } from '../../odata/options/option.ts'
import type { Transformation } from '../../odata/expressions/syntax.ts'
import type { AddedColumn, RowsStep, Step } from './apply-plan.ts'
import { isOfRecords, type Column, type Stage } from './apply-stage.ts'
import type { Binding } from '../binding.ts'
import type { Spoken } from '../expressions/scope.ts'
import { fieldsOf } from '../expressions/names.ts'
import type { ValueType } from '../expressions/expression.ts'

/** Binds a sequence of transformations, for each partition of rows with equal `partitionBy`. */
export type Run = (
  work: Work,
  stage: Stage,
  sequence: readonly Transformation[],
  within: readonly Column[],
) => Stage

export class Work {
  readonly binding: Binding
  readonly steps: Step[] = []
  readonly run: Run
  /** The option that contains the transformations. */
  readonly option: Option
  readonly #firstStep: number
  #columnCount = 0

  /** `first` is the number of the first step. */
  constructor(binding: Binding, run: Run, first: number) {
    this.binding = binding
    this.run = run
    this.option = binding.option('apply')
    this.#firstStep = first
  }

  /** The number of the next step. Throws `FilterTooComplex` above the limit. */
  number(column: number): number {
    if (this.steps.length >= expressionLimits.steps)
      throw new Complexity(this.option).exceeds('steps', column)
    return this.#firstStep + this.steps.length
  }

  /** The sum of row copies. Throws `FilterTooComplex` above the limit. */
  copies(of: readonly number[], column: number): number {
    const copies = of.reduce((sum, one) => sum + one, 0)
    if (copies > expressionLimits.copies)
      throw new Complexity(this.option).exceeds('copies', column)
    return copies
  }

  column(type: ValueType, path: readonly string[] = [], spelled = path): Column {
    return { name: `c${this.#columnCount++}`, type, path, spelled }
  }

  /** Adds a step that adds columns, filters or pages; omitted options leave the rows unchanged. */
  rows(
    stage: Stage,
    at: { readonly column: number },
    { record, columns = [], ...rest }: RowsChange,
  ): Stage {
    const number = this.number(at.column)
    this.steps.push({
      kind: 'rows',
      number,
      from: stage.number,
      joins: record?.joins ?? [],
      keeps: carried(stage),
      adds: rest.adds ?? [],
      filter: rest.filter ?? null,
      page: rest.page ?? null,
    })
    return { ...stage, number, columns: [...stage.columns, ...columns] }
  }
}

interface RowsChange extends Partial<Pick<RowsStep, 'filter' | 'page'>> {
  /** The record whose joins the expressions use. */
  readonly record?: Spoken
  readonly adds?: readonly AddedColumn[]
  /** The added columns, as the next stage knows them. */
  readonly columns?: readonly Column[]
}

/** The names of all columns of a stage. */
export function carried(stage: Stage): string[] {
  return [
    ...(isOfRecords(stage)
      ? ['companyId', ...fieldsOf(stage.view.resource).all.map(({ name }) => name)]
      : []),
    ...stage.columns.map(({ name }) => name),
  ]
}

/**
 * The first step number of the `$apply` of a set, which has this record number. Step numbers start above the relation
 * numbers, which count from 1 to at most 30.
 */
export function firstStepOf(set: number): number {
  return 100 * (set + 1)
}
