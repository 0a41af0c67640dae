// Name lookup: the fields, complex properties and relations of a resource that a caller may use.
import { ApiError } from '../../../errors/api-error.ts'
import { closestMatch } from '../../../lib/closest-match.ts'
import type { Field, Resource } from '../../model/resource.ts'
import { relationsOf, type Relation, type Schema } from '../../model/schema.ts'
import { truncateName, errorTarget, invalidOptionError, type QueryOption } from '../../odata/options/option.ts'
import type { NameNode } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import { type NamedField, columnKey, pathOf, type NamedComplexProperty, fieldsOf } from './resource-fields.ts'

/** A resource with the caller's permissions. */
export interface ResourceView {
  readonly schema: Schema
  readonly resource: Resource
  readonly grantedScopes: ReadonlySet<string>
  /** More names to suggest in errors. */
  readonly moreNames?: readonly string[]
}

/**
 * Finds a field by its path, case-insensitively and by any of its spellings. Throws `UnknownProperty`, and
 * `ScopeMissing` for a field that the caller may not read.
 */
export function getField(view: ResourceView, names: readonly NameNode[], option: QueryOption): NamedField {
  const field = fieldsOf(view.resource).byLowerCase.get(pathKey(names))
  if (field === undefined) throw unknownPathError(view, names, option)
  requireReadScope(view, field.readScope, names.at(-1) ?? { column: 1 }, option)
  return field
}

/** The complex property at a path; undefined where there is none. */
export function findComplexProperty(
  { resource }: ResourceView,
  names: readonly NameNode[],
): NamedComplexProperty | undefined {
  return fieldsOf(resource).complexProperties.get(pathKey(names))
}

/** The lookup key of a path: in lower case. */
export function pathKey(names: readonly Pick<NameNode, 'name'>[]): string {
  return columnKey(names.map(({ name }) => name))
}

/** The error for an unknown path, at the first name that does not exist. */
function unknownPathError(view: ResourceView, names: readonly NameNode[], option: QueryOption): ApiError {
  const { byLowerCase } = fieldsOf(view.resource)
  const [first, ...others] = names
  if (first === undefined) throw new Error('an empty path')
  let inside: NamedComplexProperty | undefined
  let name = first
  for (const [index, next] of others.entries()) {
    const prefix = names.slice(0, index + 1)
    const field = byLowerCase.get(pathKey(prefix))
    // A primitive field has no properties.
    if (field !== undefined)
      return invalidOptionError(option, name.column, message('nothingFollows', { name: field.wire }))
    const complexProperty = findComplexProperty(view, prefix)
    if (complexProperty === undefined) break
    inside = complexProperty
    name = next
  }
  if (inside === undefined) return unknownPropertyError(view, name, option)
  return unknownNameError({ of: inside.type.wire, names: propertyNames(inside) }, name, option)
}

/** The names of its direct properties. */
function propertyNames({ path, fields }: NamedComplexProperty): string[] {
  return [...new Set(fields.flatMap((field) => pathOf(field)[path.length] ?? []))]
}

/** The relation with a name, case-insensitively; undefined where there is none. */
export function findRelation({ schema, resource }: ResourceView, { name }: NameNode): Relation | undefined {
  const lower = name.toLowerCase()
  return relationsOf(schema, resource).find(({ wire }) => wire.toLowerCase() === lower)
}

/** The fields that are returned by default, and that the caller may read. */
export function defaultFieldsOf({ resource, grantedScopes }: ResourceView): NamedField[] {
  return fieldsOf(resource).all.filter((field) => isDefaultField(field, grantedScopes))
}

export function isDefaultField(
  { onlyWhenSelected, readScope }: Field,
  grantedScopes: ResourceView['grantedScopes'],
): boolean {
  return !onlyWhenSelected && (readScope === undefined || grantedScopes.has(readScope))
}

/** The key fields that the parent relation does not imply (OData 4.01 part 2, 4.3.4). */
export function requiredKeyFields(resource: Resource, via: Relation | null): NamedField[] {
  const implied = via === null ? [] : Object.values(via.on)
  const fields = fieldsOf(resource).all.filter(({ name }) => resource.key.includes(name))
  const own = fields.filter(({ name }) => !implied.includes(name))
  return own.length === 0 ? fields : own
}

/** Throws `ScopeMissing` where the caller lacks a required permission. */
export function requireReadScope(
  { grantedScopes }: ResourceView,
  readScope: string | undefined,
  { column }: Pick<NameNode, 'column'>,
  option: QueryOption,
): void {
  if (readScope !== undefined && !grantedScopes.has(readScope))
    throw new ApiError('ScopeMissing', { target: errorTarget(option, column), params: { scope: readScope } })
}

export function unknownPropertyError(
  { schema, resource, moreNames = [] }: ResourceView,
  name: NameNode,
  option: QueryOption,
): ApiError {
  const relations = relationsOf(schema, resource).map(({ wire }) => wire)
  const names = [...fieldsOf(resource).wireNames, ...relations, ...moreNames]
  return unknownNameError({ of: resource.wire, names }, name, option)
}

interface NameCandidates {
  readonly of: string
  readonly names: readonly string[]
}

function unknownNameError({ of, names }: NameCandidates, { name, column }: NameNode, option: QueryOption): ApiError {
  // A name that exists, but is of another kind, is not a suggestion for itself.
  const others = names.filter((one) => one.toLowerCase() !== name.toLowerCase())
  return new ApiError('UnknownProperty', {
    target: errorTarget(option, column),
    params: { resource: of, name: truncateName(name), nearest: closestMatch(name, others) },
  })
}
