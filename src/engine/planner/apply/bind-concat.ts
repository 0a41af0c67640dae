// Binding of `concat`: the rows of several sequences, each with its own columns.
import { unreadable } from '../../odata/options/option.ts'
import type { Transformation } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import type { ConcatBranch } from './apply-plan.ts'
import { columnValue, orderAt, withoutFields, type Column, type Stage } from './apply-stage.ts'
import type { Work } from './apply-work.ts'
import type { Value } from '../expressions/expression.ts'
import { shownBy } from './apply-output-columns.ts'

type Concat = Transformation & { readonly kind: 'concat' }

export function bindConcat(
  work: Work,
  stage: Stage,
  one: Concat,
  within: readonly Column[],
): Stage {
  const branches = one.sequences.map((sequence) => work.run(work, stage, sequence, within))
  return concatenate(work, one, branches, within)
}

/** The output rows are not entities: a list of different rows has no key (Data Aggregation 4.0, 3.2.2). */
export function concatenate(
  work: Work,
  at: Transformation,
  branches: readonly Stage[],
  within: readonly Column[],
): Stage {
  const copies = work.copies(
    branches.map((branch) => branch.copies),
    at.column,
  )
  const united = new Map<string, Column>()
  for (const column of within) united.set(column.name, column)
  const held = branches.map((branch) => {
    const values = new Map<string, Value>()
    for (const { column, value } of shownBy(work, branch)) {
      const isKept = within.some(({ name }) => name === column.name)
      const way = isKept ? column.name : column.path.join('/').toLowerCase()
      const known = united.get(way)
      if (known === undefined)
        united.set(way, work.column(column.type, column.path, column.spelled))
      else if (known.type !== column.type)
        throw unreadable(work.option, at.column, phrase('branchesDiffer'))
      // The columns that outer groups are partitioned by keep their stored representation.
      values.set(
        way,
        isKept ? columnValue({ name: column.name, type: column.type }, branch.number) : value,
      )
    }
    return { branch, values }
  })
  const ways = [...united.keys()]
  const columns = [...united.values()]
  const [branchColumn, place, variant] = [0, 1, 2].map(() => work.column('integer'))
  if (branchColumn === undefined || place === undefined || variant === undefined)
    throw new Error('expected three columns')
  const named = (way: string): string => united.get(way)?.name ?? ''
  const variants: string[][] = []
  const of = held.map(({ branch, values }): ConcatBranch => {
    const variantFrom = variants.length
    for (const present of presentIn(branch, [...values.keys()])) variants.push(present.map(named))
    const own = branch.columns.find(({ name }) => name === branch.variants?.column)
    return {
      from: branch.number,
      order: orderAt(branch),
      columns: ways.map((way) => values.get(way) ?? null),
      variantFrom,
      variant: own === undefined ? null : columnValue(own, branch.number),
    }
  })
  const number = work.number(at.column)
  work.steps.push({
    kind: 'concat',
    number,
    of,
    columns: columns.map(({ name, type }) => ({ name, type })),
    branch: branchColumn.name,
    place: place.name,
    variant: variant.name,
  })
  const [first] = branches
  if (first === undefined) throw new Error('concat without branches')
  return {
    number,
    view: withoutFields(first.view),
    columns: [...columns, branchColumn, place, variant],
    order: [],
    key: [branchColumn.name, place.name],
    variants: { column: variant.name, columns: variants },
    copies,
    mayLackGroups: branches.every(({ mayLackGroups }) => mayLackGroups),
    groups: first.groups,
  }
}

/** The column paths of each variant of a branch. */
function presentIn(
  { variants, columns }: Stage,
  ways: readonly string[],
): readonly (readonly string[])[] {
  if (variants === null) return [ways]
  return variants.columns.map((names) => {
    const present = columns
      .filter(({ name }) => names.includes(name))
      .flatMap(({ name, path }) => [name, path.join('/').toLowerCase()])
    return ways.filter((way) => present.includes(way))
  })
}
