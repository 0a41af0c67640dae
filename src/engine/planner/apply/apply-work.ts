// What the transformations of one `$apply` share while they become steps.
import { Complexity, expressionLimits } from '../../odata/expressions/complexity.ts'
import type { Option } from '../../odata/options/option.ts'
import type { Transformation } from '../../odata/expressions/syntax.ts'
import type { AddedColumn, RowsStep, Step } from './apply-plan.ts'
import { isOfRecords, type Column, type Stage } from './apply-stage.ts'
import type { Binding } from '../binding.ts'
import type { Spoken } from '../expressions/scope.ts'
import { fieldsOf } from '../expressions/names.ts'
import type { ValueType } from '../expressions/expression.ts'

/** Binds a sequence, for each group of rows that are alike in `within`. */
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
  /** Where the transformations stand. */
  readonly option: Option
  readonly #first: number
  #columns = 0

  /** `first` is the number of the first step. */
  constructor(binding: Binding, run: Run, first: number) {
    this.binding = binding
    this.run = run
    this.option = binding.option('apply')
    this.#first = first
  }

  /** The number of the next step. Throws `FilterTooComplex` where there are too many of them. */
  number(column: number): number {
    if (this.steps.length >= expressionLimits.steps)
      throw new Complexity(this.option).exceeds('steps', column)
    return this.#first + this.steps.length
  }

  /** The copies that there will be. Throws `FilterTooComplex` for more than a database should go through. */
  copies(of: readonly number[], column: number): number {
    const copies = of.reduce((sum, one) => sum + one, 0)
    if (copies > expressionLimits.copies)
      throw new Complexity(this.option).exceeds('copies', column)
    return copies
  }

  column(type: ValueType, path: readonly string[] = [], spelled = path): Column {
    return { name: `c${this.#columns++}`, type, path, spelled }
  }

  /** Adds columns to the rows, or takes a part of them; what is not said stays as it is. */
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
  /** The record whose joins the expressions have need of. */
  readonly record?: Spoken
  readonly adds?: readonly AddedColumn[]
  /** What is added, as the next step knows it. */
  readonly columns?: readonly Column[]
}

/** The columns of a stage, by their names in the statement. */
export function carried(stage: Stage): string[] {
  return [
    ...(isOfRecords(stage)
      ? ['companyId', ...fieldsOf(stage.view.resource).all.map(({ name }) => name)]
      : []),
    ...stage.columns.map(({ name }) => name),
  ]
}

/**
 * The number of the first step of `$apply` on the records of a set, which has this number: relations are counted from 1,
 * and there are less of them, and of steps too.
 */
export function firstStepOf(set: number): number {
  return 100 * (set + 1)
}
