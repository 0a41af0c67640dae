// Binding of `concat`: the rows of several sequences, each with its own columns.
import { invalidOptionError } from '../../odata/options/option.ts'
import type { Transformation, TransformationOf } from '../../odata/expressions/syntax.ts'
import type { ConcatBranch } from './apply-plan.ts'
import {
  aggregatedStage,
  columnValue,
  orderOfStage,
  type ApplyColumn,
  type ApplyStage,
} from './apply-stage.ts'
import type { ApplyStepBuilder } from './step-builder.ts'
import type { Value } from '../expressions/bound-expression.ts'
import { outputColumns } from './apply-output.ts'

export function bindConcat(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  one: TransformationOf<'concat'>,
): ApplyStage {
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
  const { partitionBy } = first
  const copies = builder.countCopies(
    branches.map((branch) => branch.copies),
    at.column,
  )
  const columnsByPath = new Map<string, ApplyColumn>()
  for (const column of partitionBy) columnsByPath.set(column.name, column)
  const branchValues = branches.map((branch) => {
    const values = new Map<string, Value>()
    for (const { column, value } of outputColumns(builder, branch)) {
      const isKept = partitionBy.some(({ name }) => name === column.name)
      const path = isKept ? column.name : column.path.join('/').toLowerCase()
      const known = columnsByPath.get(path)
      if (known === undefined)
        columnsByPath.set(path, builder.newColumn(column.type, column.path, column.outputPath))
      else if (known.type !== column.type)
        throw invalidOptionError(builder.option, at.column, 'valueTypesDiffer')
      // The columns that outer groups are partitioned by keep their stored representation.
      values.set(
        path,
        isKept ? columnValue({ name: column.name, type: column.type }, branch.number) : value,
      )
    }
    return { branch, values }
  })
  const paths = [...columnsByPath.keys()]
  const columns = [...columnsByPath.values()]
  const branchColumn = builder.newColumn('integer')
  const ordinal = builder.newColumn('integer')
  const variant = builder.newColumn('integer')
  const named = (path: string): string => columnsByPath.get(path)?.name ?? ''
  const variants: string[][] = []
  const of = branchValues.map(({ branch, values }): ConcatBranch => {
    const variantFrom = variants.length
    for (const present of variantPaths(branch, [...values.keys()]))
      variants.push(present.map(named))
    const own = branch.columns.find(({ name }) => name === branch.variants?.column)
    return {
      from: branch.number,
      order: orderOfStage(branch),
      columns: paths.map((path) => values.get(path) ?? null),
      variantFrom,
      variant: own === undefined ? null : columnValue(own, branch.number),
    }
  })
  const number = builder.addStep(at.column, {
    kind: 'concat',
    of,
    columns: columns.map(({ name, type }) => ({ name, type })),
    branch: branchColumn.name,
    ordinal: ordinal.name,
    variant: variant.name,
  })
  return aggregatedStage(first, {
    number,
    columns: [...columns, branchColumn, ordinal, variant],
    key: [branchColumn.name, ordinal.name],
    variants: { column: variant.name, columns: variants },
    copies,
    mayLackGroups: branches.every(({ mayLackGroups }) => mayLackGroups),
  })
}

/** The column paths of each variant of a branch. */
function variantPaths(
  { variants, columns }: ApplyStage,
  paths: readonly string[],
): readonly (readonly string[])[] {
  if (variants === null) return [paths]
  return variants.columns.map((names) => {
    const present = columns
      .filter(({ name }) => names.includes(name))
      .flatMap(({ name, path }) => [name, path.join('/').toLowerCase()])
    return paths.filter((path) => present.includes(path))
  })
}
