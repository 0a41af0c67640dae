// Distinct aggregates: sums and averages that count each related record once per group.
import type { AggregateItem, Name, Transformation } from '../../odata/expressions/syntax.ts'
import { columnValue, frameAt, orderAt, type Column, type Stage } from './apply-stage.ts'
import type { Work } from './apply-work.ts'
import { typeOf } from '../expressions/arithmetic.ts'
import { addsRelated, bindAggregated, type Bound } from './bind-aggregated.ts'
import { bindValue } from '../expressions/bind-filter.ts'
import { withPlaces } from './bind-ranking.ts'
import { Comparer } from '../expressions/compare-value.ts'
import { fieldValue } from '../expressions/field-expression.ts'
import { recordAt, type Frame, type Spoken } from '../expressions/scope.ts'
import { fieldsOf, relationNamed } from '../expressions/names.ts'
import type { FieldValue } from '../expressions/expression.ts'

/**
 * A stage that marks the first row of each related record, and the items bound to it (Data Aggregation 4.0, 3.2.1.1).
 */
export interface CountedOnce {
  readonly stage: Stage
  readonly told: ReadonlyMap<AggregateItem, Bound>
}

export function countedOnce(
  work: Work,
  stage: Stage,
  one: Transformation & { readonly kind: 'aggregate' },
  within: readonly Column[],
): CountedOnce {
  let next = stage
  const firsts: First[] = []
  for (const item of one.items) {
    if (!addsRelated(next.view, item)) continue
    const first = withFirstOnly(work, next, { item, at: one, within })
    firsts.push(first)
    next = first.stage
  }
  // All are columns of the last of these stages.
  const told = firsts.map((first): [AggregateItem, Bound] => [
    first.item,
    boundOf(work, first, next.number),
  ])
  return { stage: next, told: new Map(told) }
}

interface First extends Pick<Bound, 'method' | 'type'> {
  readonly item: AggregateItem
  readonly stage: Stage
  readonly place: Column
  readonly held: Column
}

function boundOf(work: Work, { place, held, method, type }: First, number: number): Bound {
  const right = new Comparer(work.binding, work.option).value(1, 'integer')
  const left = columnValue(place, number)
  const condition = { kind: 'compare', operator: 'eq', left, right } as const
  const branches = [{ condition, value: columnValue(held, number) }]
  return { method, type, value: { kind: 'case', branches, type: held.type } }
}

interface Adding {
  readonly item: AggregateItem
  readonly at: Transformation
  readonly within: readonly Column[]
}

function withFirstOnly(work: Work, stage: Stage, { item, at, within }: Adding): First {
  const { expression, method: name } = item
  const frame = frameAt(work.binding, stage)
  if (expression?.kind !== 'path' || name === null) throw new Error('a sum of nothing related')
  const value = bindValue(frame, expression)
  const added = [value, ...keyOf(frame, expression.names)].map((one) => {
    const column = work.column(typeOf(one) ?? 'text')
    return { column, name: column.name, value: one }
  })
  const columns = added.map(({ column }) => column)
  const known = work.rows(stage, at, { record: frame.record, adds: added, columns })
  const [held, ...keys] = columns
  if (held === undefined) throw new Error('a value without a column')
  const grouped = [...within, ...keys]
  const { stage: next, place } = withPlaces(work, known, {
    at,
    within: grouped,
    order: orderAt(known),
  })
  // Validates the method against the column itself.
  const named: Column = { ...held, path: [hiddenName], spelled: [hiddenName] }
  const asked = { kind: 'name', name: hiddenName, column: expression.column } as const
  const { method, type } = bindAggregated(
    frameAt(work.binding, { ...next, columns: [...next.columns, named] }),
    { ...item, expression: asked },
    bindValue,
  )
  return { item, stage: next, place, held, method, type }
}

/** A name that no request can contain. */
const hiddenName = '\u{2}'

/** The key of the related record. */
function keyOf(frame: Frame, names: readonly Name[]): FieldValue[] {
  const record = relatedAt(frame, frame.record, names)
  const { resource } = record.view
  return fieldsOf(resource)
    .all.filter(({ name }) => resource.key.includes(name))
    .map((field) => fieldValue(record, field))
}

/** The record at the end of the relations that the path begins with. */
function relatedAt(frame: Frame, from: Spoken, [name, ...others]: readonly Name[]): Spoken {
  const relation = name === undefined ? undefined : relationNamed(from.view, name)
  if (name === undefined || relation === undefined) return from
  return relatedAt(frame, recordAt(frame, from, relation, name), others)
}
