// What a service can do, in the words of the vocabularies Core and Capabilities.
import type { Resource } from '../../model/resource.ts'

/** What metadata tells beyond the model. */
export interface Service {
  readonly schemaVersion: string
  readonly conformance: 'Minimal' | 'Intermediate' | 'Advanced'
  /** What an expression in `$filter` may call. */
  readonly filterFunctions: readonly string[]
  readonly expandLevelsMax: number
  readonly isSearchable: boolean
  /** The transformations that `$apply` of a set takes; none where it takes no `$apply`. */
  readonly transformationsOf: (resource: Resource) => readonly string[]
  readonly writesOf: (resource: Resource) => Writes
  /** Whether changes of a set are followed by delta links. */
  readonly isFollowed: (resource: Resource) => boolean
}

/** Which writes a set takes. */
export interface Writes {
  readonly insertable: boolean
  readonly updatable: boolean
  readonly deletable: boolean
}

/** By term, with the alias of its vocabulary. */
export type Annotations = Readonly<Record<string, AnnotationValue>>

export type AnnotationValue =
  | boolean
  | number
  | string
  | EnumMember
  | readonly string[]
  | { readonly [property: string]: AnnotationValue }

export class EnumMember {
  readonly type: string
  readonly name: string

  constructor(type: string, name: string) {
    this.type = type
    this.name = name
  }
}

export const vocabularies = {
  Core: 'Org.OData.Core.V1',
  Capabilities: 'Org.OData.Capabilities.V1',
  Aggregation: 'Org.OData.Aggregation.V1',
} as const

/** Where a vocabulary is published; nobody needs to fetch it. */
export function vocabularyAddress(namespace: string, extension: 'xml' | 'json'): string {
  return `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/${namespace}.${extension}`
}

export function containerTold(service: Service): Annotations {
  return {
    'Core.ODataVersions': '4.0 4.01',
    'Capabilities.ConformanceLevel': new EnumMember(
      'Capabilities.ConformanceLevelType',
      service.conformance,
    ),
    'Capabilities.SupportedFormats': [
      'application/json;odata.metadata=none;IEEE754Compatible=false;odata.streaming=true',
      'application/json;odata.metadata=minimal;IEEE754Compatible=false;odata.streaming=true',
      'application/json;odata.metadata=full;IEEE754Compatible=false;odata.streaming=true',
      'application/json;odata.metadata=none;IEEE754Compatible=true;odata.streaming=true',
      'application/json;odata.metadata=minimal;IEEE754Compatible=true;odata.streaming=true',
      'application/json;odata.metadata=full;IEEE754Compatible=true;odata.streaming=true',
    ],
    'Capabilities.SupportedMetadataFormats': ['application/xml', 'application/json'],
    'Capabilities.AsynchronousRequestsSupported': false,
    'Capabilities.CrossJoinSupported': false,
    'Capabilities.KeyAsSegmentSupported': true,
    'Capabilities.QuerySegmentSupported': true,
    'Capabilities.FilterFunctions': service.filterFunctions,
  }
}

export function setTold(resource: Resource, service: Service): Annotations {
  const { insertable, updatable, deletable } = service.writesOf(resource)
  return {
    'Capabilities.InsertRestrictions': { Insertable: insertable },
    'Capabilities.UpdateRestrictions': { Updatable: updatable, Upsertable: false },
    'Capabilities.DeleteRestrictions': { Deletable: deletable },
    'Capabilities.ChangeTracking': { Supported: service.isFollowed(resource) },
    'Capabilities.ExpandRestrictions': { Expandable: true, MaxLevels: service.expandLevelsMax },
    'Capabilities.SearchRestrictions': { Searchable: service.isSearchable },
    ...aggregationTold(service.transformationsOf(resource)),
  }
}

/** Several hierarchies may be rolled up, which goes without saying. */
function aggregationTold(transformations: readonly string[]): Annotations {
  return transformations.length === 0
    ? {}
    : { 'Aggregation.ApplySupported': { Transformations: transformations, From: true } }
}
