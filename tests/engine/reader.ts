// Reference implementation of reads: random queries and their expected results, by scanning all records.
import * as fc from 'fast-check'
import { formatDuration } from '../../src/lib/duration.ts'
import { formatEnumValue } from '../../src/engine/model/enumeration.ts'
import { fieldsOf, pathOf, type NamedField } from '../../src/engine/planner/expressions/resource-fields.ts'
import { formatTimestamp } from '../../src/lib/timestamp.ts'
import type { Resource } from '../../src/engine/model/resource.ts'
import { relationsOf, type Relation, type Schema } from '../../src/engine/model/schema.ts'
import type { ShopData, ShopRecord } from './shop.ts'

export interface RandomRead {
  readonly wire: string
  readonly select: readonly string[]
  readonly orderBy: { readonly field: string; readonly descending: boolean } | null
  readonly top: number | null
  readonly skip: number
  readonly count: boolean
  /** `field ne null`, or nothing. */
  readonly present: string | null
  readonly expand: readonly { readonly relation: string; readonly read: RandomRead }[]
}

/** Random reads of any set of a schema, at most three relations deep. */
export function randomReads(schema: Schema): fc.Arbitrary<RandomRead> {
  return fc.constantFrom(...schema.resources).chain((resource) => randomReadOfSet(schema, resource, 3, true))
}

function randomReadOfSet(schema: Schema, resource: Resource, depth: number, isMany: boolean): fc.Arbitrary<RandomRead> {
  const wires = Object.values(resource.fields).map((field) => pathOf(field).join('/'))
  const relations = depth === 0 ? [] : relationsOf(schema, resource)
  const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => (isMany ? fc.option(arbitrary, { freq: 2 }) : fc.constant(null))
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
            randomReadOfSet(schema, relation.to, depth - 1, relation.isMany === true).map((read) => ({
              relation: relation.wire,
              read,
            })),
          ),
        ),
      ),
  })
}

/** The query options of a read, as in a URL. */
export function queryOptionsOf(read: RandomRead): Readonly<Record<string, string>> {
  return {
    $select: read.select.join(','),
    ...(read.orderBy === null ? {} : { $orderby: `${read.orderBy.field}${read.orderBy.descending ? ' desc' : ''}` }),
    ...(read.top === null ? {} : { $top: String(read.top) }),
    ...(read.skip === 0 ? {} : { $skip: String(read.skip) }),
    ...(read.count ? { $count: 'true' } : {}),
    ...(read.present === null ? {} : { $filter: `${read.present} ne null` }),
    ...(read.expand.length === 0 ? {} : { $expand: read.expand.map(nested).join(',') }),
  }
}

function nested({ relation, read }: RandomRead['expand'][number]): string {
  return `${relation}(${Object.entries(queryOptionsOf(read))
    .map(([name, value]) => `${name}=${value}`)
    .join(';')})`
}

export function expectedRows(schema: Schema, goods: ShopData, read: RandomRead): unknown[] {
  const resource = schema.resources.find(({ wire }) => wire === read.wire)
  if (resource === undefined) throw new Error(read.wire)
  return page(resource, goods[read.wire] ?? [], read).map((record) =>
    expectedRow(schema, goods, { resource, record, read }),
  )
}

interface RowContext {
  readonly resource: Resource
  readonly record: ShopRecord
  readonly read: RandomRead
}

function expectedRow(schema: Schema, goods: ShopData, { resource, record, read }: RowContext): object {
  const fields = fieldsOf(resource).byLowerCase
  const own: Record<string, unknown> = {}
  for (const path of read.select) {
    const field = fields.get(path.toLowerCase())
    if (field === undefined) throw new Error(path)
    setNested(own, pathOf(field), { resource, record, field })
  }
  const related = read.expand.flatMap(({ relation: wire, read: inner }): [string, unknown][] => {
    const relation = relationsOf(schema, resource).find((one) => one.wire === wire)
    if (relation === undefined) throw new Error(wire)
    const all = (goods[relation.to.wire] ?? []).filter((other) => isRelated(relation, record, other))
    const records = page(relation.to, all, inner).map((one) =>
      expectedRow(schema, goods, { resource: relation.to, record: one, read: inner }),
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

interface FieldContext {
  readonly resource: Resource
  readonly record: ShopRecord
  readonly field: NamedField
}

/** Nests the value in its complex properties, each of which is null where all its fields are. */
function setNested(object: Record<string, unknown>, path: readonly string[], what: FieldContext): void {
  const { resource, record, field } = what
  const [name = '', ...others] = path
  if (others.length === 0) {
    object[name] = serializeValue(field, record[field.name] ?? null)
    return
  }
  const key = pathOf(field).slice(0, -others.length).join('/').toLowerCase()
  const fields = fieldsOf(resource).complexProperties.get(key)?.fields ?? []
  const isNull = fields.every((part) => (record[part.name] ?? null) === null)
  object[name] = isNull ? null : (object[name] ?? {})
  if (!isNull) setNested(object[name] as Record<string, unknown>, others, what)
}

function serializeValue({ type }: NamedField, value: ShopRecord[string]): unknown {
  if (value === null || value === undefined) return null
  if (typeof type === 'object') return formatEnumValue(type, Number(value))
  if (type === 'decimal') return Number(value) / 10_000
  if (type === 'duration') return formatDuration(Number(value))
  if (type === 'timestamp') return formatTimestamp(Number(value))
  return type === 'timeOfDay' ? formatTimestamp(Number(value)).slice(11, -1) : value
}

export function isRelated({ on }: Relation, record: ShopRecord, other: ShopRecord): boolean {
  return Object.entries(on).every(([mine, theirs]) => record[mine] !== null && record[mine] === other[theirs])
}

function page(resource: Resource, records: readonly ShopRecord[], read: RandomRead) {
  const nameOf = (wire: string) => fieldsOf(resource).byLowerCase.get(wire.toLowerCase())?.name ?? ''
  const { orderBy, present, top, skip } = read
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
function compare(one: ShopRecord[string] | null | undefined, other: ShopRecord[string] | null | undefined): number {
  if (one === other) return 0
  if (one === null || one === undefined) return -1
  if (other === null || other === undefined) return 1
  if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return Number(one) - Number(other)
}
