// Directory: fields of its records, and the sets that can be queried.
import type { ImportField } from './imports.ts'
import type { directorySets } from './screens.ts'
import type { Primitive } from '../../engine/model/resource.ts'

export type DirectorySet = (typeof directorySets)[number]

/** Records in the envelope of OData. */
export interface SetPage {
  readonly '@odata.count'?: number
  readonly value: readonly Readonly<Record<string, unknown>>[]
}

export interface RecordField extends ImportField {
  /** Maximum length. */
  readonly max: number | null
  /** The set that it references. */
  readonly set: DirectorySet | null
}

export interface RecordFields {
  /** Name of the key field. */
  readonly key: string
  readonly fields: readonly RecordField[]
}

export interface FieldDescription {
  readonly name: string
  readonly type: Primitive
}

export interface SetDescription {
  readonly name: string
  readonly fields: readonly FieldDescription[]
  readonly relations: readonly string[]
  /** Whether XML is available, without expanded relations. */
  readonly hasXml: boolean
}
