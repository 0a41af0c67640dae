// What a whole model is: its resources, and how they are related. Every engine room serves any of them.
import type { Enumeration, Resource } from './resource.ts'

/** How the records of one resource lead to those of another, in the same company. */
export interface Relation {
  /** The resource whose records have it. */
  readonly of: Resource
  /** How it is written on the wire. */
  readonly wire: string
  /** How the document spells it for plain callers, where that differs. */
  readonly plain?: string
  readonly to: Resource
  /** Leads to any number of records; otherwise to one, or to none. */
  readonly isMany?: true
  /** What it leads to may be gone: it keeps no record from being deleted. */
  readonly isLoose?: true
  /** House names: the other resource's field by this one's. A relation to one ends at its key. */
  readonly on: Readonly<Record<string, string>>
}

export interface Schema {
  /** As metadata and context addresses name it. */
  readonly namespace: string
  readonly resources: readonly Resource[]
  readonly relations: readonly Relation[]
}

/** The relations that the records of a resource have, in the order of the schema. */
export function relationsOf(schema: Schema, resource: Resource): readonly Relation[] {
  let byResource = known.get(schema)
  if (byResource === undefined)
    known.set(schema, (byResource = Map.groupBy(schema.relations, ({ of }) => of)))
  return byResource.get(resource) ?? []
}

/** The relations to one record that must exist, of this resource. */
export function referencesOf(schema: Schema, resource: Resource): readonly Relation[] {
  return relationsOf(schema, resource).filter(isReference)
}

/** Those of any resource that end here. */
export function referencesTo(schema: Schema, resource: Resource): readonly Relation[] {
  return schema.relations.filter((relation) => relation.to === resource && isReference(relation))
}

function isReference({ isMany, isLoose }: Relation): boolean {
  return !isMany && !isLoose
}

/** The way back: the relation that leads from there to here by the same fields. */
export function partnerOf(schema: Schema, { of, to, isMany, on }: Relation): Relation | undefined {
  return relationsOf(schema, to).find(
    (one) =>
      one.to === of &&
      one.isMany !== isMany &&
      Object.entries(one.on).length === Object.entries(on).length &&
      Object.entries(one.on).every(([theirs, mine]) => on[mine] === theirs),
  )
}

/** The type of a resource's records, as metadata names it. */
export function typeNameOf(schema: Schema, { type, wire }: Resource): string {
  return writtenAs(schema, { wire: type ?? wire })
}

/** A type of the schema with its qualified name. */
export function writtenAs({ namespace }: Schema, { wire }: Pick<Resource, 'wire'>): string {
  return `${namespace}.${wire}`
}

/** The enumeration with this qualified name, in any letter case. */
export function enumerationNamed(schema: Schema, name: string): Enumeration | undefined {
  const lower = name.toLowerCase()
  for (const { fields } of schema.resources)
    for (const { type } of Object.values(fields))
      if (typeof type === 'object' && writtenAs(schema, type).toLowerCase() === lower) return type
  return undefined
}

const known = new WeakMap<Schema, ReadonlyMap<Resource, readonly Relation[]>>()
