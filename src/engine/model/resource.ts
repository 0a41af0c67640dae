// Resource model: descriptions of resources and fields, and the row types that follow from them.
import { memoize } from '../../lib/memoize.ts'

export type Primitive = ('integer' | 'decimal' | 'text' | 'boolean') | ('date' | 'timestamp' | 'timeOfDay' | 'duration')

/** A type of named numbers. */
export interface Enumeration {
  /** The name of the type in metadata. */
  readonly wire: string
  readonly description?: string
  /** Members can be combined: each is a bit, or a combination of bits. */
  readonly isFlags?: true
  /** The numbers by the members' wire names. */
  readonly members: Readonly<Record<string, number>>
}

export type FieldType = Primitive | Enumeration

/** The largest `Edm.Int32`, of which integers on the wire are. */
export const int32Max = 2 ** 31 - 1

/** The key of lookup tables by type. */
export type TypeKind = Primitive | 'enum'

export function kindOfType<Name extends string>(type: Name | Enumeration): Name | 'enum' {
  return typeof type === 'string' ? type : 'enum'
}

/**
 * A field of a resource. Its internal name is its key in `fields`, and the name of its column.
 *
 * Internal values: `integer` a safe number; `decimal` a safe number of ten-thousandths (ADR 0004);
 * `date` text `YYYY-MM-DD` (ADR 0005); `timestamp` a number of microseconds since 1970 UTC; `timeOfDay` and `duration`
 * numbers of microseconds; an enumeration the number of its member; `text` a string.
 */
export interface Field {
  /** The name on the wire. */
  readonly wire: string
  /** What it holds, for metadata: a phrase without a full stop. */
  readonly description?: string
  /** The interface document's spelling, for plain v3 clients, if it differs (interface 2.2). */
  readonly documentName?: string
  /** Other spellings accepted in requests. All names are case-insensitive. */
  readonly aliases?: readonly string[]
  readonly type: FieldType
  /** The complex properties that contain the field, from the outermost (ADR 0027). */
  readonly within?: readonly EnclosingProperty[]
  /** May be null. */
  readonly optional?: true
  /** The value of a new record that does not set the field. */
  readonly default?: string
  /** The service assigns a value to a new record that does not set the field. */
  readonly assigned?: true
  /** Returned only if `$select` names it. */
  readonly onlyWhenSelected?: true
  /** Set by the service only. */
  readonly readOnly?: true
  /** The scope required to read it, in addition to that of its resource. */
  readonly readScope?: string
  /** The maximum length in characters. */
  readonly lengthMax?: number
  /** Null is stored as '', because a column of the clustered key is never NULL (ADR 0010). */
  readonly blankWhenNull?: true
}

export type Fields = Readonly<Record<string, Field>>

/** A complex type of OData, like an address. */
export interface ComplexType<F extends Fields = Fields> {
  /** The name of the type in metadata. */
  readonly wire: string
  readonly description?: string
  readonly fields: F
}

/** A complex property, as its fields refer to it. */
export interface EnclosingProperty {
  readonly wire: string
  readonly type: ComplexType
}

export interface Resource<F extends Fields = Fields> {
  readonly table: string
  readonly wire: string
  /** A short description for metadata. */
  readonly description?: string
  /** The name of the entity type in metadata, if it is not `wire`: a type must not have a field of its own name. */
  readonly type?: string
  /** Internal names of the key fields, together unique within a company. */
  readonly key: readonly string[]
  /**
   * The internal name of the field, an integer or a timestamp, that every update of a record changes to a value that no
   * record of the resource had before; without one, records have no ETag.
   */
  readonly etagField?: string
  /** The scope required to read it. */
  readonly readScope: string
  /** The scope required to write its records; without one the resource is read-only. */
  readonly writeScope?: string
  /** Lower-case names that clients confuse with the key, each with the correct name: rejected if they have a value. */
  readonly mistakenKeyNames?: Readonly<Record<string, string>>
  /**
   * Each read is logged as a whole (ADR 0031): it is neither read in pages, unless the caller asks for them, nor by
   * `$root` and `$all`. Without `etagField`: a 304 would hide that records were read.
   */
  readonly isReadLogged?: true
  /** The leading fields of the clustered key within a company, before the key; default: the key alone. */
  readonly clusteredBy?: readonly string[]
  /** The column that replaces the key after `clusteredBy` in the clustered key, and sorts as the key does. */
  readonly clusteredKeyColumn?: string
  /**
   * The other indexes of the company's records, by their leading fields; each ends with the key. A filter on other fields
   * scans all records.
   */
  readonly indexes?: readonly (readonly string[])[]
  /** On SQLite it takes the place of the index by its field, which would make each update slower. */
  readonly changeLog?: ChangeLog
  /** A filter on these fields follows chains of records, because an index would make each insert slower. */
  readonly chains?: Chains
  /** Other fields than the key with a unique index within the company. */
  readonly unique?: readonly string[]
  readonly fields: F
}

/** A table with an entry for each change of a record; ids and timestamps of its entries rise together. */
export interface ChangeLog {
  readonly table: string
  /** The field of a record that has the timestamp of its last entry. */
  readonly field: string
  /** The column of a record with the id of its last entry. */
  readonly last: string
  /** Columns of an entry: its timestamp, and the key of its record. */
  readonly at: string
  readonly recordKey: string
}

/** Records with the same values of `fields`, each with the key of the one before it. */
export interface Chains {
  readonly fields: readonly string[]
  /** The column with the key of the record before; null in the first one. */
  readonly previous: string
  /** The tables with the keys of the last records, in the column `last`. They are clustered by `fields`. */
  readonly ends: readonly string[]
  readonly last: string
}

/** A field that may be null. */
export function optionalField<const Wire extends string, const Type extends Primitive>(
  wire: Wire,
  type: Type,
  description: string,
) {
  return { wire, description, type, optional: true } as const
}

/** A text field that may be null. */
export function optionalText<const Wire extends string>(wire: Wire, lengthMax: number, description: string) {
  return { ...optionalField(wire, 'text', description), lengthMax } as const
}

/** Defines a resource; literal types are preserved for `Row`. */
export function defineResource<const F extends Fields>(resource: Resource<F>): Resource<F> {
  return resource
}

/** All indexes of a company's records with their fields in order, the clustered key included. */
export const indexesOf = memoize(({ key, clusteredBy, indexes = [] }: Resource): readonly (readonly string[])[] =>
  [[], ...(clusteredBy === undefined ? [] : [clusteredBy]), ...indexes].map((fields) => [...fields, ...key]),
)

export function defineComplexType<const F extends Fields>(type: ComplexType<F>): ComplexType<F> {
  return type
}

/**
 * The fields of a complex property, each with its own column: `complexFields('home', 'Home', address)` has
 * `homeStreet`, `homeCity` and so on. The property is null if all of them are (ADR 0027).
 */
export function complexFields<const Name extends string, const F extends Fields>(
  name: Name,
  wire: string,
  type: ComplexType<F>,
): ComplexFields<Name, F> {
  return Object.fromEntries(
    Object.entries(type.fields).map(([part, field]) => [
      `${name}${part.charAt(0).toUpperCase()}${part.slice(1)}`,
      { ...field, within: [{ wire, type }, ...(field.within ?? [])] },
    ]),
  ) as unknown as ComplexFields<Name, F>
}

export type ComplexFields<Name extends string, F extends Fields> = {
  readonly [K in keyof F & string as `${Name}${Capitalize<K>}`]: F[K] & {
    readonly within: readonly EnclosingProperty[]
  }
}

/** A record with internal values: `type Revenue = Row<typeof revenue>`. */
export type Row<R extends Resource> = {
  [K in keyof R['fields']]: R['fields'][K]['optional'] extends true
    ? ValueOf<R['fields'][K]> | null
    : ValueOf<R['fields'][K]>
}

/** The values of a record before any is set: the defaults, and null. */
export function newRecord<R extends Resource>({ fields }: R): Row<R> {
  return Object.fromEntries(
    Object.entries<Field>(fields).map(([name, field]) => [name, field.default ?? null]),
  ) as Row<R>
}

type ValueOf<F extends Field> = F['type'] extends 'text' | 'date'
  ? string
  : F['type'] extends 'boolean'
    ? boolean
    : number

/** The key of a resource with one key field. */
export type RecordKey = string | number

declare const company: unique symbol

/** Grants access to the data of one company. Only `auth/caller.ts` creates it, from a verified credential. */
export type CompanyId = number & { readonly [company]: true }
