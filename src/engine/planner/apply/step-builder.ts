// Step builder: the state that the transformations of one `$apply` share while they are bound.
import { tooComplexError, type QueryOption } from '../../odata/options/option.ts'
import type { Transformation } from '../../odata/expressions/syntax.ts'
import type { AddedColumn, ApplyStep, PartitionedStep, RowsStep } from './apply-plan.ts'
import { hasEntities, type ApplyColumn, type ApplyStage } from './apply-stage.ts'
import type { Binding } from '../binding.ts'
import type { RecordRef } from '../expressions/scope.ts'
import { fieldsOf } from '../expressions/resource-fields.ts'
import type { Value, ValueType } from '../expressions/bound-expression.ts'
import { countOperations } from '../expressions/count-operations.ts'
import { typeOf } from '../expressions/typed-value.ts'

export type BindTransformation = (
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  transformation: Transformation,
) => ApplyStage

export interface ComputedColumn {
  readonly column: ApplyColumn
  readonly value: Value
}

/** `rowsPerRecord`: how often all steps together may repeat a record. */
export const applyLimits = { steps: 60, rowsPerRecord: 16 } as const

type Unnumbered<Step> = Step extends unknown ? Omit<Step, 'number'> : never

export class ApplyStepBuilder {
  readonly binding: Binding
  readonly steps: ApplyStep[] = []
  /** The option that contains the transformations. */
  readonly option: QueryOption
  readonly #bindTransformation: BindTransformation
  readonly #firstNumber: number
  #columnCount = 0

  constructor(binding: Binding, bindTransformation: BindTransformation, firstNumber: number) {
    this.binding = binding
    this.#bindTransformation = bindTransformation
    this.option = binding.option('apply')
    this.#firstNumber = firstNumber
  }

  bindSequence(stage: ApplyStage, sequence: readonly Transformation[]): ApplyStage {
    return sequence.reduce((before, one) => this.#bindTransformation(this, before, one), stage)
  }

  /** Adds a step and returns its number. Throws `FilterTooComplex` above the limit, at this column of the option's text. */
  addStep(column: number, step: Unnumbered<ApplyStep>): number {
    const { steps } = applyLimits
    if (this.steps.length >= steps) throw tooComplexError(this.option, column, { limit: 'steps', max: steps })
    const number = this.#firstNumber + this.steps.length
    this.steps.push({ ...step, number })
    return number
  }

  /** The sum of the `rowsPerRecord` of stages. Throws as `addStep`. */
  sumRowsPerRecord(of: readonly number[], column: number): number {
    const sum = of.reduce((all, one) => all + one, 0)
    const { rowsPerRecord } = applyLimits
    if (sum > rowsPerRecord) throw tooComplexError(this.option, column, { limit: 'copies', max: rowsPerRecord })
    return sum
  }

  newColumn(type: ValueType, path: readonly string[] = [], outputPath = path, operations = 0): ApplyColumn {
    return { name: `c${this.#columnCount++}`, type, path, outputPath, operations }
  }

  computedColumn(value: Value, path: readonly string[] = []): ComputedColumn {
    return { column: this.newColumn(typeOf(value) ?? 'text', path, path, countOperations(value)), value }
  }

  /** Adds a step that adds columns, filters or pages; omitted options leave the rows unchanged. Throws as `addStep`. */
  addRowsStep(
    stage: ApplyStage,
    { column }: { readonly column: number },
    { record, added = [], filter = null, page = null }: RowsStepOptions,
  ): ApplyStage {
    const number = this.addStep(column, {
      kind: 'rows',
      from: stage.number,
      joins: record?.joins ?? [],
      passedColumns: columnNames(stage),
      addedColumns: toAddedColumns(added),
      filter,
      page,
    })
    return { ...stage, number, columns: [...stage.columns, ...added.map((one) => one.column)] }
  }
}

interface RowsStepOptions extends Partial<Pick<RowsStep, 'filter' | 'page'>> {
  /** The record whose joins the expressions use. */
  readonly record?: RecordRef
  readonly added?: readonly ComputedColumn[]
}

export function toAddedColumns(computed: readonly ComputedColumn[]): AddedColumn[] {
  return computed.map(({ column: { name }, value }) => ({ name, value }))
}

/** What a step about the partitions of a stage takes from it. */
export function partitionsOf(stage: ApplyStage): Omit<PartitionedStep, 'number'> {
  return {
    from: stage.number,
    joins: [],
    passedColumns: columnNames(stage),
    partitionBy: stage.partitionBy.map(({ name }) => name),
  }
}

function columnNames(stage: ApplyStage): string[] {
  return [
    ...(hasEntities(stage) ? ['companyId', ...fieldsOf(stage.view.resource).all.map(({ name }) => name)] : []),
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
