// Path resolution: maps the segments of a resource path to sets, keys, relations and fields.
import type { Resource } from '../../model/resource.ts'
import { relationsOf, typeNameOf, type Schema } from '../../model/schema.ts'
import { literalType } from '../../odata/lexer/literals.ts'
import { pathOption, invalidOptionError } from '../../odata/options/option.ts'
import type { NameSegment, PathSegment } from '../../odata/path/resource-path.ts'
import type { KeyPredicateValue, LiteralType } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import { requiredKeyFields } from '../expressions/names.ts'
import { columnKey, fieldsOf, type NamedField } from '../expressions/resource-fields.ts'
import type { PathRelation, ResolvedPath, PathTarget } from './resolved-path.ts'

/**
 * Resolves a resource path (OData 4.01 part 2, 4); null where the schema has no such resource. Throws `InvalidPath`
 * for a keyword that is not allowed after the segments before it.
 */
export function resolveResourcePath(schema: Schema, [first, ...others]: readonly PathSegment[]): ResolvedPath | null {
  if (first?.kind !== '$all') return resolveFromSet(schema, first, others, ({ wire }) => wire)
  // `$all/Shop.Customer`: of all records those of a type, which are those of its entity set.
  const [type, ...rest] = others
  return resolveFromSet(schema, type, rest, (resource) => typeNameOf(schema, resource))
}

/** `nameOf` returns the name that the first segment has for a set. */
function resolveFromSet(
  schema: Schema,
  first: PathSegment | undefined,
  others: readonly PathSegment[],
  nameOf: (resource: Resource) => string,
): ResolvedPath | null {
  if (first?.kind !== 'name') return null
  const set = schema.resources.find((resource) => isSame(nameOf(resource), first.name))
  if (set === undefined) return null
  return resolveSegments(schema, toResolvedPath(createTarget(set, first.keys), first), others)
}

/** Resolves the segments after the first one. */
function resolveSegments(schema: Schema, start: ResolvedPath, segments: readonly PathSegment[]): ResolvedPath | null {
  let resolved = start
  let wasCast = false
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index]
    if (segment === undefined) break
    const next =
      segment.kind === 'name'
        ? resolveName(schema, resolved, namesAt(segments, index, resolved.resource.key.length))
        : resolveKeyword(resolved, segment)
    // A second cast to the same type is not allowed.
    const isCast = next?.resolved === resolved
    if (next === null || (isCast && wasCast)) return null
    wasCast = isCast
    resolved = next.resolved
    index += next.segmentCount - 1
  }
  // A filter applies to collections only, not to a single record.
  return resolved.isSingle && resolved.filters.length > 0 ? null : resolved
}

interface ResolvedSegment {
  readonly resolved: ResolvedPath
  /** The number of segments it consumed. */
  readonly segmentCount: number
}

function resolveName(
  schema: Schema,
  resolved: ResolvedPath,
  [segment, ...more]: readonly NameSegment[],
): ResolvedSegment | null {
  if (segment === undefined || resolved.field !== null) return null
  const { name, keys, column } = segment
  if (resolved.complexProperty !== null) return resolveProperty(resolved, resolved.complexProperty.path, segment)
  if (isSame(typeNameOf(schema, resolved.resource), name))
    return keys.length === 0 ? { resolved, segmentCount: 1 } : withKey(resolved, keys, 1)
  if (!resolved.isSingle) return keys.length > 0 ? null : keyFromSegments(resolved, [segment, ...more])
  const relation = relationsOf(schema, resolved.resource).find(({ wire }) => isSame(wire, name))
  if (relation !== undefined) {
    if (keys.length > 0 && !relation.isMany) return null
    const to = createTarget(relation.to, keys, { relation, from: resolved, column })
    return { resolved: toResolvedPath(to, segment), segmentCount: 1 }
  }
  return resolveProperty(resolved, [], segment)
}

/** A property of the record, or of one of its complex properties. */
function resolveProperty(
  resolved: ResolvedPath,
  inside: readonly string[],
  { name, keys, column }: NameSegment,
): ResolvedSegment | null {
  const key = columnKey([...inside, name])
  const { byLowerCase, complexProperties } = fieldsOf(resolved.resource)
  const [field = null, complexProperty = null] = [byLowerCase.get(key), complexProperties.get(key)]
  if ((field === null && complexProperty === null) || keys.length > 0) return null
  return { resolved: { ...resolved, field, complexProperty, column }, segmentCount: 1 }
}

/** A key may follow a type cast. */
function withKey(
  resolved: ResolvedPath,
  key: readonly KeyPredicateValue[],
  segmentCount: number,
): ResolvedSegment | null {
  return resolved.isSingle ? null : { resolved: { ...resolved, key, isSingle: true }, segmentCount }
}

/** Key-as-segment: the key is written without quotes; a key of several fields takes as many segments. */
function keyFromSegments(resolved: ResolvedPath, segments: readonly NameSegment[]): ResolvedSegment | null {
  const fields = requiredKeyFields(resolved.resource, resolved.via?.relation ?? null)
  const parts = segments.slice(0, fields.length).filter(({ keys }) => keys.length === 0)
  if (parts.length < fields.length) return null
  const key = parts.map(({ name, column }, index): KeyPredicateValue => {
    const field = fields[index]
    const type = field === undefined ? 'null' : literalTypeOfText(field, name)
    const value = { kind: 'literal', type, value: name, column } as const
    return { name: fields.length === 1 ? null : (field?.wire ?? null), value }
  })
  return withKey(resolved, key, fields.length)
}

function literalTypeOfText({ type }: NamedField, text: string): LiteralType {
  if (typeof type === 'object') return 'enum'
  if (type === 'text' || type === 'duration') return type
  return literalType(text) ?? 'null'
}

function resolveKeyword(resolved: ResolvedPath, segment: Exclude<PathSegment, NameSegment>): ResolvedSegment {
  const { kind, column } = segment
  const { isSingle, field, complexProperty } = resolved
  const isPossible: Partial<Record<PathSegment['kind'], boolean>> = {
    $filter: !isSingle,
    $count: !isSingle,
    $ref: field === null && complexProperty === null,
    $value: field !== null,
  }
  if (isPossible[kind] !== true)
    throw invalidOptionError(pathOption, column, message('segmentNotPossible', { name: kind }))
  const next =
    segment.kind === '$filter'
      ? { ...resolved, filters: [...resolved.filters, segment] }
      : { ...resolved, resultKind: resultKinds[segment.kind] ?? resolved.resultKind }
  return { resolved: next, segmentCount: 1 }
}

const resultKinds: Partial<Record<PathSegment['kind'], ResolvedPath['resultKind']>> = {
  $count: 'count',
  $ref: 'references',
  $value: 'value',
}

function createTarget(
  resource: Resource,
  key: readonly KeyPredicateValue[],
  via: PathRelation | null = null,
): PathTarget {
  return { resource, isSingle: key.length > 0 || (via !== null && !via.relation.isMany), key, filters: [], via }
}

function toResolvedPath(at: PathTarget, { column }: NameSegment): ResolvedPath {
  return { ...at, field: null, complexProperty: null, column, resultKind: 'records' }
}

/** The name segments from `index` on, up to the first keyword, and as many as a key has fields. */
function namesAt(segments: readonly PathSegment[], index: number, keyLength: number): NameSegment[] {
  const names: NameSegment[] = []
  for (const segment of segments.slice(index, index + Math.max(keyLength, 1))) {
    if (segment.kind !== 'name') break
    names.push(segment)
  }
  return names
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
