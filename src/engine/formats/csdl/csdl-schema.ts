// CSDL schema: metadata as data, from which XML and JSON are serialized (OData CSDL 4.01).
import type { Annotations } from './capabilities.ts'

export interface CsdlSchema {
  readonly namespace: string
  readonly version: string
  readonly structuredTypes: readonly CsdlStructuredType[]
  readonly enumTypes: readonly CsdlEnumType[]
  readonly entitySets: readonly CsdlEntitySet[]
  readonly container: Annotations
}

export interface CsdlStructuredType {
  readonly kind: 'EntityType' | 'ComplexType'
  readonly name: string
  /** Empty for a complex type, and so are its relations. */
  readonly key: readonly string[]
  readonly properties: readonly CsdlProperty[]
  readonly relations: readonly CsdlNavigationProperty[]
  readonly annotations: Annotations
}

export interface CsdlEnumType {
  readonly name: string
  readonly isFlags: boolean
  readonly members: Readonly<Record<string, number>>
  readonly annotations: Annotations
}

export interface CsdlProperty {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** `MaxLength`, `Precision`, `Scale` and `DefaultValue`. */
  readonly facets: Readonly<Record<string, number | string>>
  readonly annotations: Annotations
}

export interface CsdlNavigationProperty {
  readonly name: string
  readonly type: string
  readonly isMany: boolean
  readonly partner: string | null
  /** Referential constraint: the other type's property by this type's property. */
  readonly referentialConstraint: Readonly<Record<string, string>>
}

export interface CsdlEntitySet {
  readonly name: string
  readonly type: string
  /** Navigation property bindings: the target entity set of each relation. */
  readonly bindings: Readonly<Record<string, string>>
  readonly annotations: Annotations
}
