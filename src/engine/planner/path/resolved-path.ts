// Resolved path: the records, and the part of them, that a resource path addresses.
import type { Resource } from '../../model/resource.ts'
import type { Relation } from '../../model/schema.ts'
import type { FilterSegment } from '../../odata/path/resource-path.ts'
import type { KeyPredicateValue } from '../../odata/expressions/syntax.ts'
import type { NamedComplexProperty, NamedField } from '../expressions/resource-fields.ts'

/** The records that a path addresses: those of a set, or those related to other records. */
export interface PathTarget {
  readonly resource: Resource
  /** Addresses at most one record; otherwise any number. */
  readonly isSingle: boolean
  /** The key in brackets, or in segments of its own; empty where no single record is addressed. */
  readonly key: readonly KeyPredicateValue[]
  /** The conditions of `/$filter(…)`, all of which must hold. */
  readonly filters: readonly FilterSegment[]
  /** Null for an entity set. */
  readonly via: PathRelation | null
}

/** A relation, and the record that it starts from. */
export interface PathRelation {
  readonly relation: Relation
  readonly from: PathTarget
  readonly column: number
}

export interface ResolvedPath extends PathTarget {
  /** A single property of the record: a primitive or a complex one. */
  readonly field: NamedField | null
  readonly complexProperty: NamedComplexProperty | null
  /** The column of its last name. */
  readonly column: number
  /**
   * Returns the records, their number (`/$count`), their references (`/$ref`), or the raw value of a field
   * (`/$value`).
   */
  readonly resultKind: 'records' | 'count' | 'references' | 'value'
}
