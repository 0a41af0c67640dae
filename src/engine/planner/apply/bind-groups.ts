// Binding of `groupby`: partitions rows by their values and runs transformations in each group.
import { unreadable, unsupported } from '../../odata/options/option.ts'
import type { Grouping, Name, Transformation } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import { frameAt, isOfRecords, withoutFields, type Column, type Stage } from './apply-stage.ts'
import type { Work } from './apply-work.ts'
import { typeOf } from '../expressions/arithmetic.ts'
import { addsRelated } from './bind-aggregated.ts'
import { bindLevels } from './bind-aggregate.ts'
import { concatenate } from './bind-concat.ts'
import { bindValue } from '../expressions/bind-filter.ts'
import { meaningOf, type Frame, type Meaning } from '../expressions/scope.ts'
import { fieldsOf, pathOf, relationNamed, wayOf, type View } from '../expressions/names.ts'
import type { FieldValue } from '../expressions/expression.ts'

type GroupBy = Transformation & { readonly kind: 'groupby' }

/** With `rollup`, the groups of each level follow each other, the finest first (Data Aggregation 4.0, 3.2.3). */
export function bindGroups(
  work: Work,
  stage: Stage,
  asked: GroupBy,
  within: readonly Column[],
): Stage {
  const one = { ...asked, by: asked.by.flatMap((by) => partsOfGrouping(work, stage, by)) }
  // Checks the number of levels before it creates any.
  const ways = one.by.reduce((all, by) => all * (by.kind === 'path' ? 1 : by.paths.length), 1)
  work.copies([ways * stage.copies], one.column)
  const { start, columnOf } = columnsBy(work, stage, one)
  const levels = levelsOf(one.by).map((paths) => paths.map(columnOf))
  const together = inOneStep(work, start, one, { within, levels })
  if (together !== null) return together
  const grouped = levels.map((by) => groupsOf(work, start, one, { within, by }))
  const [first] = grouped
  if (first === undefined) throw new Error('groupby without groups')
  return grouped.length === 1 ? first : concatenate(work, one, grouped, within)
}

/** Grouping by a complex property or a related record groups by all its fields that the caller may read. */
function partsOfGrouping(work: Work, stage: Stage, by: Grouping): Grouping[] {
  if (by.kind === 'rollup' || stage.columns.some(({ path }) => isWay(path, by.names))) return [by]
  const frame = frameAt(work.binding, stage)
  const meaning = meaningOf(frame, by.names)
  const isOne = meaning.kind === 'relation' && meaning.relation.isMany !== true
  if (!isOne && meaning.kind !== 'complex') return [by]
  const column = by.names.at(-1)?.column ?? 1
  const parts = meaning.kind === 'complex' ? meaning.composite.fields : shownOf(meaning, frame)
  const depth = meaning.kind === 'complex' ? meaning.composite.path.length : 0
  return parts.map((field) => {
    const names = pathOf(field).slice(depth)
    const inside = names.map((name): Name => ({ kind: 'name', name, column }))
    return { kind: 'path', names: [...by.names, ...inside] }
  })
}

function isWay(path: readonly string[], names: readonly Name[]): boolean {
  return path.join('/').toLowerCase() === wayOf(names)
}

function shownOf({ relation }: Meaning & { readonly kind: 'relation' }, { record }: Frame) {
  return fieldsOf(relation.to).all.filter(
    ({ onlyAsked, right }) => !onlyAsked && (right === undefined || record.view.rights.has(right)),
  )
}

/** The cross product of the levels of all hierarchies; each level drops the last path of the one before. */
function levelsOf(by: readonly Grouping[]): (readonly (readonly Name[])[])[] {
  const [first, ...others] = by
  if (first === undefined) return [[]]
  const rest = levelsOf(others)
  const own =
    first.kind === 'path'
      ? [[first.names]]
      : first.paths.map((_, index) => first.paths.slice(0, first.paths.length - index))
  return own.flatMap((level) => rest.map((paths) => [...level, ...paths]))
}

/** Adds the grouping values to the rows as columns, and returns a lookup of columns by path. */
function columnsBy(work: Work, stage: Stage, one: GroupBy) {
  const frame = frameAt(work.binding, stage)
  const paths = one.by.flatMap((grouping) => {
    if (grouping.kind === 'path') return [grouping.names]
    if (grouping.paths.length < 2)
      throw unreadable(work.option, grouping.column, phrase('noNamedHierarchy'))
    return grouping.paths
  })
  const columns = new Map<string, Column>()
  const adds = []
  for (const names of paths) {
    const way = wayOf(names)
    if (columns.has(way)) continue
    const own = stage.columns.find(({ path }) => path.join('/').toLowerCase() === way)
    if (own !== undefined) {
      columns.set(way, own)
      continue
    }
    const { value, path } = grouped(frame, names)
    const isDeclared = work.binding.naming === 'declared'
    const spelled = isDeclared ? path : names.map(({ name }) => name)
    const made = work.column(typeOf(value) ?? 'text', path, spelled)
    // A blank is grouped as stored: that costs nothing, and the database keeps its statistics on the column.
    const isBlank = value.kind === 'field' && value.blank === 'own'
    const column: Column = isBlank ? { ...made, blank: 'own' } : made
    columns.set(way, column)
    adds.push({ name: column.name, value: isBlank ? asHeld(value) : value, column })
  }
  const added = adds.map(({ column }) => column)
  const { record } = frame
  const start = adds.length === 0 ? stage : work.rows(stage, one, { record, adds, columns: added })
  const columnOf = (names: readonly Name[]): Column => {
    const column = columns.get(wayOf(names))
    if (column === undefined) throw new Error('a grouping without a column')
    return column
  }
  return { start, columnOf }
}

function grouped(frame: Frame, names: readonly Name[]) {
  const [first] = names
  const last = names.at(-1)
  if (first === undefined || last === undefined) throw new Error('an empty path')
  if (meaningOf(frame, names).kind === 'relation')
    throw unsupported(frame.option, last.column, phrase('groupingByRelation'))
  const value = bindValue(frame, { kind: 'path', names, column: first.column })
  return { value, path: declared(frame.record.view, names) }
}

/** The stored representation of the field, blank or not. */
function asHeld({ kind, of, field, type, isOptional }: FieldValue): FieldValue {
  return {
    kind,
    of,
    field,
    type,
    isOptional,
  }
}

/** The path with the names of the model. */
function declared(view: View, names: readonly Name[]): readonly string[] {
  const [first, ...others] = names
  if (first === undefined) return []
  const relation = relationNamed(view, first)
  if (relation !== undefined && others.length > 0)
    return [relation.wire, ...declared({ ...view, resource: relation.to }, others)]
  const field = fieldsOf(view.resource).byLowerCase.get(wayOf(names))
  return field === undefined ? names.map(({ name }) => name) : pathOf(field)
}

interface LevelGroups {
  readonly within: readonly Column[]
  readonly levels: readonly (readonly Column[])[]
}

/** Plain aggregates at all levels take one step of grouping sets; null where that is not possible. */
function inOneStep(
  work: Work,
  stage: Stage,
  { apply }: GroupBy,
  { within, levels }: LevelGroups,
): Stage | null {
  const [first, another] = apply
  if (levels.length === 1 || first?.kind !== 'aggregate' || another !== undefined) return null
  const columns = levels.map((level) => [...new Set([...within, ...level])])
  const ways = columns.map((level) =>
    level
      .map(({ name }) => name)
      .sort()
      .join(),
  )
  const isPlain = first.items.every(
    (item) => item.from.length === 0 && !addsRelated(stage.view, item),
  )
  const [finest = []] = columns
  if (!isPlain || new Set(ways).size < ways.length || finest.length > columnsMax) return null
  return bindLevels(work, stage, first, columns)
}

/** The maximum of PostgreSQL's `grouping()`. */
const columnsMax = 31

interface Groups {
  /** The columns that outer groups are partitioned by. */
  readonly within: readonly Column[]
  readonly by: readonly Column[]
}

function groupsOf(work: Work, stage: Stage, one: GroupBy, { within, by }: Groups): Stage {
  const alike = [...new Set([...within, ...by])]
  if (one.apply.length === 0) return distinct(work, stage, one, alike)
  const start = { ...stage, mayLackGroups: false, groups: stage.number }
  const next = work.run(work, start, one.apply, alike)
  const mayLackGroups = stage.mayLackGroups || next.mayLackGroups
  return { ...unshadowed(next), mayLackGroups, groups: stage.groups }
}

function distinct(work: Work, stage: Stage, one: GroupBy, alike: readonly Column[]): Stage {
  const number = work.number(one.column)
  const keeps = alike.map(({ name }) => name)
  work.steps.push({
    kind: 'group',
    number,
    from: stage.number,
    joins: [],
    keeps,
    aggregates: [],
    levels: null,
  })
  return {
    number,
    view: withoutFields(stage.view),
    columns: alike,
    order: [],
    key: keeps,
    variants: null,
    copies: stage.copies,
    mayLackGroups: false,
    groups: stage.groups,
  }
}

/** Hides columns that an entity has as its own fields. */
function unshadowed(stage: Stage): Stage {
  if (!isOfRecords(stage)) return stage
  const { all } = fieldsOf(stage.view.resource)
  const own = new Set(all.map((field) => pathOf(field).join('/')))
  const columns = stage.columns.map((column) =>
    own.has(column.path.join('/')) ? { ...column, path: [], spelled: [] } : column,
  )
  return { ...stage, columns }
}
