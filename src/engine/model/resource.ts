// What a description of a resource is, and the TypeScript row that follows from it.

export type Primitive =
  | ('integer' | 'decimal' | 'text' | 'boolean')
  | ('date' | 'stamp' | 'timeOfDay' | 'duration')

/** A choice of names, each of which stands for a number. */
export interface Enumeration {
  /** What metadata calls the type. */
  readonly wire: string
  readonly about?: string
  /** Several members may hold at once: each is a bit of its own, or several of those. */
  readonly isFlags?: true
  /** The number of each member, by its name on the wire. */
  readonly members: Readonly<Record<string, number>>
}

export type FieldType = Primitive | Enumeration

/** What tables of types are looked up by. */
export type TypeKind = Primitive | 'enum'

export function kindOfType(type: FieldType): TypeKind {
  return typeof type === 'string' ? type : 'enum'
}

/**
 * One field of a resource. Its house name is the key it stands under, and is the column's name too.
 *
 * Values in the house: `integer` a safe number; `decimal` a safe number of ten-thousandths (ADR 0004);
 * `date` text `YYYY-MM-DD` (ADR 0005); `stamp` a number of microseconds since 1970 UTC; `timeOfDay` and `duration`
 * numbers of microseconds; an enumeration the number of its member; `text` a string.
 */
export interface Field {
  /** How it is written on the wire. */
  readonly wire: string
  /** How the document spells it for plain callers of v3, where that differs (interface 2.2). */
  readonly plain?: string
  /** Other spellings that requests may use; letter case never matters. */
  readonly alsoReads?: readonly string[]
  readonly type: FieldType
  /** The values with parts that it is a part of, from the outermost (ADR 0080). */
  readonly within?: readonly Inside[]
  /** May be null. */
  readonly optional?: true
  /** The value of a new record that does not say. */
  readonly absent?: string
  /** Only returned when `$select` names it. */
  readonly onlyAsked?: true
  /** Set by the service alone. */
  readonly readOnly?: true
  /** The right that reading it takes, beside that of its resource. */
  readonly right?: string
  /** Longest text, in characters. */
  readonly lengthMax?: number
  /** Stored as '' when null, because a column of the clustering key is never NULL (ADR 0012). */
  readonly blankWhenNull?: true
}

export type Fields = Readonly<Record<string, Field>>

/** A type of values that have parts, like an address: what the standard calls complex. */
export interface Composite<F extends Fields = Fields> {
  /** What metadata calls the type. */
  readonly wire: string
  readonly about?: string
  readonly fields: F
}

/** A value with parts, as the fields inside of it know it. */
export interface Inside {
  readonly wire: string
  readonly type: Composite
}

export interface Resource<F extends Fields = Fields> {
  readonly table: string
  readonly wire: string
  /** What its records are, in a few words for those who read metadata. */
  readonly about?: string
  /** What metadata calls the type of its records, where that is not `wire`: a type has no field of its name. */
  readonly type?: string
  /** House names of the key fields: together distinct in a company. */
  readonly key: readonly string[]
  /** The right that reading it takes. */
  readonly right: string
  /** The right that writing its records takes; without one they are only read. */
  readonly writeRight?: string
  /** Names, in lower case, that callers mistake for the key, each with its right name: refused where they have a value. */
  readonly mistakenKeyNames?: Readonly<Record<string, string>>
  /** Its records carry no mark of their state: a 304 would hide that they were read. */
  readonly isUnmarked?: true
  /** The fields that the table is clustered by within a company, before the key; without them, by the key alone. */
  readonly clusteredBy?: readonly string[]
  /** The column that replaces the key after `clusteredBy` in the clustered key, and sorts as the key does. */
  readonly keyInCluster?: string
  /**
   * The other indexes of the company's records, by their leading fields; each ends with the key. A filter on other fields
   * scans all records.
   */
  readonly indexes?: readonly (readonly string[])[]
  /** Fields with a unique index within the company, besides the key. */
  readonly unique?: readonly string[]
  readonly fields: F
}

/** Declares a resource; the literal types are kept, so that `Row` can follow them. */
export function describe<const F extends Fields>(resource: Resource<F>): Resource<F> {
  return resource
}

/** All indexes of a company's records, the clustered key included, as their fields in order. */
export function indexesOf(resource: Resource): readonly (readonly string[])[] {
  let known = indexesByResource.get(resource)
  if (known === undefined) {
    const { key, clusteredBy, indexes = [] } = resource
    const leading = [[], ...(clusteredBy === undefined ? [] : [clusteredBy]), ...indexes]
    known = leading.map((fields) => [...fields, ...key])
    indexesByResource.set(resource, known)
  }
  return known
}

const indexesByResource = new WeakMap<Resource, readonly (readonly string[])[]>()

/** Declares a type of values with parts. */
export function composite<const F extends Fields>(type: Composite<F>): Composite<F> {
  return type
}

/**
 * The fields of a value with parts, each a column of its own: those of `partsOf('home', 'Home', address)` are
 * `homeStreet`, `homeCity` and so on. The value is null where all of them are (ADR 0080).
 */
export function partsOf<const Name extends string, const F extends Fields>(
  name: Name,
  wire: string,
  type: Composite<F>,
): Parts<Name, F> {
  return Object.fromEntries(
    Object.entries(type.fields).map(([part, field]) => [
      `${name}${part.charAt(0).toUpperCase()}${part.slice(1)}`,
      { ...field, within: [{ wire, type }, ...(field.within ?? [])] },
    ]),
  ) as unknown as Parts<Name, F>
}

export type Parts<Name extends string, F extends Fields> = {
  readonly [K in keyof F & string as `${Name}${Capitalize<K>}`]: F[K] & {
    readonly within: readonly Inside[]
  }
}

/** The record as the house holds it: `type Revenue = Row<typeof revenue>`. */
export type Row<R extends Resource> = {
  [K in keyof R['fields']]: R['fields'][K]['optional'] extends true
    ? ValueOf<R['fields'][K]> | null
    : ValueOf<R['fields'][K]>
}

type ValueOf<F extends Field> = F['type'] extends 'text' | 'date'
  ? string
  : F['type'] extends 'boolean'
    ? boolean
    : number

/** A key of one field. */
export type RecordKey = string | number

declare const company: unique symbol

/** Opens the data of one company. Only `auth/caller.ts` makes one, from a verified credential. */
export type CompanyId = number & { readonly [company]: true }
