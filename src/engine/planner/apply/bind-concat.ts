// Binding of `concat`: the rows of several sequences, each with its own columns.
import { invalidOptionError } from '../../odata/options/option.ts'
import type { Transformation, TransformationOf } from '../../odata/expressions/syntax.ts'
import type { ConcatBranch } from './apply-plan.ts'
import { aggregatedStage, columnValue, orderOfStage, type ApplyColumn, type ApplyStage } from './apply-stage.ts'
import type { ApplyStepBuilder } from './step-builder.ts'
import type { Value } from '../expressions/bound-expression.ts'
import { columnKey } from '../expressions/resource-fields.ts'
import { outputColumns } from './apply-output.ts'

export function bindConcat(builder: ApplyStepBuilder, stage: ApplyStage, one: TransformationOf<'concat'>): ApplyStage {
  const branches = one.sequences.map((sequence) => builder.bindSequence(stage, sequence))
  return concatenate(builder, one, branches)
}

/** The output rows are not entities: a list of different rows has no key (Data Aggregation 4.0, 3.2.2). */
export function concatenate(
  builder: ApplyStepBuilder,
  at: Transformation,
  branches: readonly ApplyStage[],
): ApplyStage {
  const [first] = branches
  if (first === undefined) throw new Error('concat without branches')
  const rowsPerRecord = builder.sumRowsPerRecord(
    branches.map((branch) => branch.rowsPerRecord),
    at.column,
  )
  const { columnsByPath, branchValues } = unionColumns(builder, at, branches, first.partitionBy)
  const paths = [...columnsByPath.keys()]
  const columns = [...columnsByPath.values()]
  const branchColumn = builder.newColumn('integer')
  const ordinal = builder.newColumn('integer')
  const rowType = builder.newColumn('integer')
  const named = (path: string): string => columnsByPath.get(path)?.name ?? ''
  const rowTypes: string[][] = []
  const of = branchValues.map(({ branch, values }): ConcatBranch => {
    const firstRowType = rowTypes.length
    for (const present of rowTypePaths(branch, [...values.keys()])) rowTypes.push(present.map(named))
    const own = branch.columns.find(({ name }) => name === branch.rowTypes?.column)
    return {
      from: branch.number,
      order: orderOfStage(branch),
      columns: paths.map((path) => values.get(path) ?? null),
      firstRowType,
      rowType: own === undefined ? null : columnValue(own, branch.number),
    }
  })
  const number = builder.addStep(at.column, {
    kind: 'concat',
    of,
    columns: columns.map(({ name, type }) => ({ name, type })),
    branch: branchColumn.name,
    ordinal: ordinal.name,
    rowType: rowType.name,
  })
  return aggregatedStage(first, {
    number,
    columns: [...columns, branchColumn, ordinal, rowType],
    key: [branchColumn.name, ordinal.name],
    rowTypes: { column: rowType.name, columns: rowTypes },
    rowsPerRecord,
    canMissGroups: branches.every(({ canMissGroups }) => canMissGroups),
  })
}

/** The columns of all branches by their path, and the values that each branch has for them. */
function unionColumns(
  builder: ApplyStepBuilder,
  at: Transformation,
  branches: readonly ApplyStage[],
  partitionBy: readonly ApplyColumn[],
) {
  const columnsByPath = new Map(partitionBy.map((column) => [column.name, column]))
  const branchValues = branches.map((branch) => {
    const values = new Map<string, Value>()
    for (const { column, value } of outputColumns(builder, branch)) {
      const isKept = partitionBy.some(({ name }) => name === column.name)
      const path = isKept ? column.name : columnKey(column.path)
      const known = columnsByPath.get(path)
      if (known === undefined) columnsByPath.set(path, builder.newColumn(column.type, column.path, column.outputPath))
      else if (known.type !== column.type) throw invalidOptionError(builder.option, at.column, 'valueTypesDiffer')
      // The columns that outer groups are partitioned by keep their stored representation.
      values.set(
        path,
        isKept ? columnValue({ name: column.name, type: column.type, operations: 0 }, branch.number) : value,
      )
    }
    return { branch, values }
  })
  return { columnsByPath, branchValues }
}

/** The column paths of each row type of a branch. */
function rowTypePaths({ rowTypes, columns }: ApplyStage, paths: readonly string[]): readonly (readonly string[])[] {
  if (rowTypes === null) return [paths]
  return rowTypes.columns.map((names) => {
    const present = columns
      .filter(({ name }) => names.includes(name))
      .flatMap(({ name, path }) => [name, columnKey(path)])
    return paths.filter((path) => present.includes(path))
  })
}
