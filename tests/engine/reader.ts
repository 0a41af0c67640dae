// Reference implementation of reads: random queries and their expected results, by scanning all records.
import * as fc from 'fast-check'
import { writeDuration } from '../../src/lib/duration.ts'
import { writeMembers } from '../../src/engine/model/enumeration.ts'
import { fieldsOf, pathOf, type NamedField } from '../../src/engine/planner/expressions/names.ts'
import { writeStamp } from '../../src/lib/timestamp.ts'
import type { Resource } from '../../src/engine/model/resource.ts'
import { relationsOf, type Relation, type Schema } from '../../src/engine/model/schema.ts'
import type { Goods, ShopRecord } from './shop.ts'

export interface Ask {
  readonly wire: string
  readonly select: readonly string[]
  readonly orderBy: { readonly field: string; readonly descending: boolean } | null
  readonly top: number | null
  readonly skip: number
  readonly count: boolean
  /** `field ne null`, or nothing. */
  readonly present: string | null
  readonly expand: readonly { readonly relation: string; readonly ask: Ask }[]
}

/** Random reads of any set of a schema, at most three relations deep. */
export function asks(schema: Schema): fc.Arbitrary<Ask> {
  return fc
    .constantFrom(...schema.resources)
    .chain((resource) => askOfSet(schema, resource, 3, true))
}

function askOfSet(
  schema: Schema,
  resource: Resource,
  depth: number,
  isMany: boolean,
): fc.Arbitrary<Ask> {
  const wires = Object.values(resource.fields).map((field) => pathOf(field).join('/'))
  const relations = depth === 0 ? [] : relationsOf(schema, resource)
  const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
    isMany ? fc.option(arbitrary, { freq: 2 }) : fc.constant(null)
  return fc.record({
    wire: fc.constant(resource.wire),
    select: fc.subarray(wires, { minLength: 1 }),
    orderBy: sometimes(fc.record({ field: fc.constantFrom(...wires), descending: fc.boolean() })),
    top: sometimes(fc.nat(4)),
    skip: isMany ? fc.nat(2) : fc.constant(0),
    count: isMany && depth < 3 ? fc.boolean() : fc.constant(false),
    present: sometimes(fc.constantFrom(...wires)),
    expand: fc
      .subarray([...relations], { maxLength: Math.min(relations.length, 2) })
      .chain((chosen) =>
        fc.tuple(
          ...chosen.map((relation) =>
            askOfSet(schema, relation.to, depth - 1, relation.isMany === true).map((ask) => ({
              relation: relation.wire,
              ask,
            })),
          ),
        ),
      ),
  })
}

/** The query options of a read, as in a URL. */
export function askOf(ask: Ask): Readonly<Record<string, string>> {
  return {
    $select: ask.select.join(','),
    ...(ask.orderBy === null
      ? {}
      : { $orderby: `${ask.orderBy.field}${ask.orderBy.descending ? ' desc' : ''}` }),
    ...(ask.top === null ? {} : { $top: String(ask.top) }),
    ...(ask.skip === 0 ? {} : { $skip: String(ask.skip) }),
    ...(ask.count ? { $count: 'true' } : {}),
    ...(ask.present === null ? {} : { $filter: `${ask.present} ne null` }),
    ...(ask.expand.length === 0 ? {} : { $expand: ask.expand.map(nested).join(',') }),
  }
}

function nested({ relation, ask }: Ask['expand'][number]): string {
  return `${relation}(${Object.entries(askOf(ask))
    .map(([name, value]) => `${name}=${value}`)
    .join(';')})`
}

export function answerOf(schema: Schema, goods: Goods, ask: Ask): unknown[] {
  const resource = schema.resources.find(({ wire }) => wire === ask.wire)
  if (resource === undefined) throw new Error(ask.wire)
  return page(resource, goods[ask.wire] ?? [], ask).map((record) =>
    shown(schema, goods, { resource, record, ask }),
  )
}

interface Shown {
  readonly resource: Resource
  readonly record: ShopRecord
  readonly ask: Ask
}

function shown(schema: Schema, goods: Goods, { resource, record, ask }: Shown): object {
  const fields = fieldsOf(resource).byLowerCase
  const own: Record<string, unknown> = {}
  for (const way of ask.select) {
    const field = fields.get(way.toLowerCase())
    if (field === undefined) throw new Error(way)
    put(own, pathOf(field), { resource, record, field })
  }
  const related = ask.expand.flatMap(({ relation: wire, ask: inner }): [string, unknown][] => {
    const relation = relationsOf(schema, resource).find((one) => one.wire === wire)
    if (relation === undefined) throw new Error(wire)
    const all = (goods[relation.to.wire] ?? []).filter((other) => leads(relation, record, other))
    const records = page(relation.to, all, inner).map((one) =>
      shown(schema, goods, { resource: relation.to, record: one, ask: inner }),
    )
    if (!relation.isMany) return [[wire, records[0] ?? null]]
    const total = page(relation.to, all, { ...inner, top: null, skip: 0 }).length
    return inner.count
      ? [
          [`${wire}@odata.count`, total],
          [wire, records],
        ]
      : [[wire, records]]
  })
  return { ...own, ...Object.fromEntries(related) }
}

interface Put {
  readonly resource: Resource
  readonly record: ShopRecord
  readonly field: NamedField
}

/** Nests the value in its complex properties, each of which is null where all its fields are. */
function put(object: Record<string, unknown>, path: readonly string[], what: Put): void {
  const { resource, record, field } = what
  const [name = '', ...others] = path
  if (others.length === 0) {
    object[name] = shownValue(field, record[field.name] ?? null)
    return
  }
  const way = pathOf(field).slice(0, -others.length).join('/').toLowerCase()
  const parts = fieldsOf(resource).composites.get(way)?.fields ?? []
  const isNull = parts.every((part) => (record[part.name] ?? null) === null)
  object[name] = isNull ? null : (object[name] ?? {})
  if (!isNull) put(object[name] as Record<string, unknown>, others, what)
}

function shownValue({ type }: NamedField, value: ShopRecord[string]): unknown {
  if (value === null || value === undefined) return null
  if (typeof type === 'object') return writeMembers(type, Number(value))
  if (type === 'decimal') return Number(value) / 10_000
  if (type === 'duration') return writeDuration(Number(value))
  if (type === 'stamp') return writeStamp(Number(value))
  return type === 'timeOfDay' ? writeStamp(Number(value)).slice(11, -1) : value
}

export function leads({ on }: Relation, record: ShopRecord, other: ShopRecord): boolean {
  return Object.entries(on).every(
    ([mine, theirs]) => record[mine] !== null && record[mine] === other[theirs],
  )
}

function page(resource: Resource, records: readonly ShopRecord[], ask: Ask) {
  const nameOf = (wire: string) =>
    fieldsOf(resource).byLowerCase.get(wire.toLowerCase())?.name ?? ''
  const { orderBy, present, top, skip } = ask
  const byKey = resource.key.map((field) => ({ field, descending: false }))
  const orders = orderBy === null ? byKey : [{ ...orderBy, field: nameOf(orderBy.field) }, ...byKey]
  return records
    .filter((record) => present === null || record[nameOf(present)] !== null)
    .toSorted((one, other) => {
      for (const { field, descending } of orders) {
        const sign = compare(one[field] ?? null, other[field] ?? null)
        if (sign !== 0) return descending ? -sign : sign
      }
      return 0
    })
    .slice(skip, top === null ? undefined : skip + top)
}

/** Sorts by a value, the greatest first and null last, and then by key. */
export function sorted(
  { key }: Resource,
  records: readonly ShopRecord[],
  by: (record: ShopRecord) => number | null,
): ShopRecord[] {
  return records.toSorted((one, other) => {
    const sign = -compare(by(one), by(other))
    if (sign !== 0) return sign
    return key.map((name) => compare(one[name], other[name])).find((each) => each !== 0) ?? 0
  })
}

/** Null first; text by code point, false before true. */
function compare(
  one: ShopRecord[string] | null | undefined,
  other: ShopRecord[string] | null | undefined,
): number {
  if (one === other) return 0
  if (one === null || one === undefined) return -1
  if (other === null || other === undefined) return 1
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return Number(one) - Number(other)
}
