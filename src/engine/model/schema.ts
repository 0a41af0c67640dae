// Schema: resources and their relations. The engine serves any schema.
import { memoize } from '../../lib/memoize.ts'
import type { Enumeration, Resource } from './resource.ts'

/** A relation from the records of one resource to those of another, in the same company. */
export interface Relation {
  /** The source resource. */
  readonly of: Resource
  /** The name on the wire. */
  readonly wire: string
  /** The interface document's spelling, for plain clients, if it differs. */
  readonly documentName?: string
  readonly to: Resource
  /** Leads to a collection; otherwise to one record or none. */
  readonly isMany?: true
  /** The target may be missing: the relation does not prevent its deletion. */
  readonly isUnenforced?: true
  /** The target's field by the source's field, internal names. A relation to one record ends at its key. */
  readonly on: Readonly<Record<string, string>>
}

export interface Schema {
  /** The namespace in metadata and context URLs. */
  readonly namespace: string
  readonly resources: readonly Resource[]
  readonly relations: readonly Relation[]
}

/** The relations of a resource, in the order of the schema. */
export function relationsOf(schema: Schema, resource: Resource): readonly Relation[] {
  return relationsByResource(schema).get(resource) ?? []
}

const relationsByResource = memoize((schema: Schema) => Map.groupBy(schema.relations, ({ of }) => of))

/** The enforced references of a resource: relations to one record that must exist. */
export function referencesOf(schema: Schema, resource: Resource): readonly Relation[] {
  return relationsOf(schema, resource).filter(isReference)
}

/** The enforced references of all resources to this one. */
export function referencesTo(schema: Schema, resource: Resource): readonly Relation[] {
  return schema.relations.filter((relation) => relation.to === resource && isReference(relation))
}

function isReference({ isMany, isUnenforced }: Relation): boolean {
  return !isMany && !isUnenforced
}

/** The inverse relation, by the same fields. */
export function partnerOf(schema: Schema, { of, to, isMany, on }: Relation): Relation | undefined {
  return relationsOf(schema, to).find(
    (one) =>
      one.to === of &&
      one.isMany !== isMany &&
      Object.entries(one.on).length === Object.entries(on).length &&
      Object.entries(one.on).every(([sourceField, targetField]) => on[targetField] === sourceField),
  )
}

/** The qualified name of a resource's entity type. */
export function typeNameOf(schema: Schema, { type, wire }: Resource): string {
  return qualifiedName(schema, { wire: type ?? wire })
}

/** The qualified name of a type of the schema. */
export function qualifiedName({ namespace }: Schema, { wire }: Pick<Resource, 'wire'>): string {
  return `${namespace}.${wire}`
}

/** The enumeration with this qualified name, case-insensitive. */
export function findEnumeration(schema: Schema, name: string): Enumeration | undefined {
  const lower = name.toLowerCase()
  for (const { fields } of schema.resources)
    for (const { type } of Object.values(fields))
      if (typeof type === 'object' && qualifiedName(schema, type).toLowerCase() === lower) return type
  return undefined
}
