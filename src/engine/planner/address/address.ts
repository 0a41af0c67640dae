// Path resolution: maps the segments of a resource path to sets, keys, relations and fields.
import type { Resource } from '../../model/resource.ts'
import { relationsOf, type Relation, type Schema } from '../../model/schema.ts'
import { literalType } from '../../odata/lexer/literals.ts'
import { pathOption, unreadable } from '../../odata/options/option.ts'
import type { FilterSegment, NameSegment, PathSegment } from '../../odata/path/resource-path.ts'
import type { KeyValue, LiteralType } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import { fieldsOf, ownKey, type NamedComposite, type NamedField } from '../expressions/names.ts'

/** The records that a path addresses: those of a set, or those related to other records. */
export interface Located {
  readonly resource: Resource
  /** Addresses at most one record; otherwise any number. */
  readonly isOne: boolean
  /** The key in brackets, or in segments of its own; empty where no single record is addressed. */
  readonly key: readonly KeyValue[]
  /** The conditions of `/$filter(…)`, all of which must hold. */
  readonly filters: readonly FilterSegment[]
  /** Null for an entity set. */
  readonly via: Way | null
}

/** A relation, and the record that it starts from. */
export interface Way {
  readonly relation: Relation
  readonly from: Located
  readonly column: number
}

export interface Address extends Located {
  /** A single property of the record: a primitive or a complex one. */
  readonly field: NamedField | null
  readonly composite: NamedComposite | null
  /** The column of its last name. */
  readonly column: number
  /**
   * Returns the records, their number (`/$count`), their references (`/$ref`), or the raw value of a field
   * (`/$value`).
   */
  readonly wants: 'records' | 'count' | 'references' | 'value'
}

/**
 * Resolves a resource path (OData 4.01 part 2, 4); null where the schema has no such resource. Throws `InvalidPath`
 * for a keyword that is not allowed after the segments before it.
 */
export function resolveAddress(
  schema: Schema,
  [first, ...others]: readonly PathSegment[],
): Address | null {
  if (first?.kind === '$all') return ofType(schema, others)
  if (first?.kind !== 'name') return null
  const set = schema.resources.find(({ wire }) => isSame(wire, first.name))
  return set === undefined ? null : follow(schema, begun(located(set, first.keys), first), others)
}

/** `$all/Shop.Customer`: of all records those of a type, which are those of its entity set. */
function ofType(schema: Schema, [type, ...others]: readonly PathSegment[]): Address | null {
  if (type?.kind !== 'name') return null
  const set = schema.resources.find((resource) => isSame(typeName(schema, resource), type.name))
  return set === undefined ? null : follow(schema, begun(located(set, type.keys), type), others)
}

/** Resolves the segments after the first one. */
function follow(schema: Schema, start: Address, segments: readonly PathSegment[]): Address | null {
  let address = start
  let wasCast = false
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at]
    if (segment === undefined) break
    const next =
      segment.kind === 'name'
        ? named(schema, address, namesAt(segments, at))
        : worded(address, segment)
    // A second cast to the same type is not allowed.
    const isCast = next?.address === address
    if (next === null || (isCast && wasCast)) return null
    wasCast = isCast
    address = next.address
    at += next.taken - 1
  }
  return isWhole(address) ? address : null
}

interface Step {
  readonly address: Address
  /** The number of segments it consumed. */
  readonly taken: number
}

function named(
  schema: Schema,
  address: Address,
  [segment, ...more]: readonly NameSegment[],
): Step | null {
  if (segment === undefined || address.field !== null) return null
  const { name, keys, column } = segment
  if (address.composite !== null) return part(address, address.composite.path, segment)
  if (isSame(typeName(schema, address.resource), name))
    return keys.length === 0 ? { address, taken: 1 } : keyed(address, keys, 1)
  if (!address.isOne) return keys.length > 0 ? null : keyInSegments(address, [segment, ...more])
  const relation = relationsOf(schema, address.resource).find(({ wire }) => isSame(wire, name))
  if (relation !== undefined) {
    if (keys.length > 0 && !relation.isMany) return null
    const to = located(relation.to, keys, { relation, from: address, column })
    return { address: begun(to, segment), taken: 1 }
  }
  return part(address, [], segment)
}

/** A property of the record, or of one of its complex properties. */
function part(
  address: Address,
  inside: readonly string[],
  { name, keys, column }: NameSegment,
): Step | null {
  const way = [...inside, name].join('/').toLowerCase()
  const { byLowerCase, composites } = fieldsOf(address.resource)
  const [field = null, composite = null] = [byLowerCase.get(way), composites.get(way)]
  if ((field === null && composite === null) || keys.length > 0) return null
  return { address: { ...address, field, composite, column }, taken: 1 }
}

/** A key may follow a type cast. */
function keyed(address: Address, key: readonly KeyValue[], taken: number): Step | null {
  return address.isOne ? null : { address: { ...address, key, isOne: true }, taken }
}

/** Key-as-segment: the key is written without quotes; a key of several fields takes as many segments. */
function keyInSegments(address: Address, segments: readonly NameSegment[]): Step | null {
  const fields = ownKey(address.resource, address.via?.relation ?? null)
  const parts = segments.slice(0, fields.length).filter(({ keys }) => keys.length === 0)
  if (parts.length < fields.length) return null
  const key = parts.map(({ name, column }, index): KeyValue => {
    const field = fields[index]
    const type = field === undefined ? 'null' : bareTypeOf(field, name)
    const value = { kind: 'literal', type, value: name, column } as const
    return { name: fields.length === 1 ? null : (field?.wire ?? null), value, column }
  })
  return keyed(address, key, fields.length)
}

function bareTypeOf({ type }: NamedField, text: string): LiteralType {
  if (typeof type === 'object') return 'enum'
  if (type === 'text' || type === 'duration') return type
  return literalType(text) ?? 'null'
}

function worded(address: Address, segment: Exclude<PathSegment, NameSegment>): Step {
  const { kind, column } = segment
  const isFitting = {
    $filter: !address.isOne,
    $count: !address.isOne,
    $ref: address.field === null && address.composite === null,
    $value: address.field !== null,
    $metadata: false,
    $batch: false,
    $entity: false,
    $all: false,
  }[kind]
  if (!isFitting) throw unreadable(pathOption, column, phrase('doesNotFit', { name: kind }))
  const next =
    segment.kind === '$filter'
      ? { ...address, filters: [...address.filters, segment] }
      : { ...address, wants: wants[segment.kind] ?? address.wants }
  return { address: next, taken: 1 }
}

const wants: Partial<Record<PathSegment['kind'], Address['wants']>> = {
  $count: 'count',
  $ref: 'references',
  $value: 'value',
}

function located(resource: Resource, key: readonly KeyValue[], via: Way | null = null): Located {
  return {
    resource,
    isOne: key.length > 0 || (via !== null && !via.relation.isMany),
    key,
    filters: [],
    via,
  }
}

function begun(at: Located, { column }: NameSegment): Address {
  return {
    ...at,
    field: null,
    composite: null,
    column,
    wants: 'records',
  }
}

/** A filter applies to collections only, not to a single record. */
function isWhole({ isOne, filters }: Address): boolean {
  return !isOne || filters.length === 0
}

function typeName({ namespace }: Schema, { type, wire }: Resource): string {
  return `${namespace}.${type ?? wire}`
}

/** The name segments from `index` on, up to the first keyword. */
function namesAt(segments: readonly PathSegment[], at: number): NameSegment[] {
  const names: NameSegment[] = []
  for (const segment of segments.slice(at)) {
    if (segment.kind !== 'name') break
    names.push(segment)
  }
  return names
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
