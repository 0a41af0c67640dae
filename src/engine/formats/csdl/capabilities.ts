// Annotations of a service's capabilities, with the vocabularies Core, Capabilities and Aggregation.
import type { Resource } from '../../model/resource.ts'
import type { Relation } from '../../model/schema.ts'

/** Metadata that does not follow from the schema. */
export interface ServiceCapabilities {
  readonly schemaVersion: string
  /** Functions supported in `$filter`. */
  readonly filterFunctions: readonly string[]
  readonly expandLevelsMax: number
  /** The `$apply` transformations that an entity set supports; empty if it supports none. */
  readonly transformationsOf: (resource: Resource) => readonly string[]
  readonly writeCapabilitiesOf: (resource: Resource) => WriteCapabilities
  /** Whether an entity set supports delta links. */
  readonly tracksChanges: (resource: Resource) => boolean
}

/** The writes that an entity set supports. */
export interface WriteCapabilities {
  readonly insertable: boolean
  /** The methods that change a record; empty for a set whose records cannot be changed. */
  readonly updateMethods: readonly ('PATCH' | 'PUT')[]
  readonly deletable: boolean
}

/**
 * An element of CSDL JSON: its attributes (`$Type`), its members by their names, and its annotations, by the terms of a
 * vocabulary (`@Core.Description`). What is undefined is left out.
 */
export interface CsdlElement {
  readonly [name: string]: CsdlValue | undefined
}

/** The value of an attribute or of an annotation, or an element. */
export type CsdlValue = boolean | number | string | TypedText | readonly CsdlValue[] | CsdlElement

/** A text in JSON, which XML writes with its kind. */
export class TypedText {
  readonly kind: 'EnumMember' | 'PropertyPath' | 'NavigationPropertyPath'
  readonly #json: string
  readonly xml: string

  constructor(kind: TypedText['kind'], json: string, xml = json) {
    this.kind = kind
    this.#json = json
    this.xml = xml
  }

  toJSON(): string {
    return this.#json
  }
}

/** Members of an enumeration, which only XML qualifies with its type. */
function enumMembers(type: string, names: readonly string[]): TypedText {
  const qualified = names.map((name) => `${type}/${name}`)
  return new TypedText('EnumMember', names.join(','), qualified.join(' '))
}

export const vocabularies = {
  Core: 'Org.OData.Core.V1',
  Capabilities: 'Org.OData.Capabilities.V1',
  Aggregation: 'Org.OData.Aggregation.V1',
} as const

/** The URL where a vocabulary is published; clients need not fetch it. */
export function vocabularyUrl(namespace: string, extension: 'xml' | 'json'): string {
  return `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/${namespace}.${extension}`
}

export function containerAnnotations(service: ServiceCapabilities): CsdlElement {
  return {
    '@Core.ODataVersions': '4.0 4.01',
    '@Capabilities.ConformanceLevel': enumMembers('Capabilities.ConformanceLevelType', ['Advanced']),
    '@Capabilities.SupportedFormats': [false, true].flatMap((isCompatible) =>
      ['none', 'minimal', 'full'].map(
        (level) => `application/json;odata.metadata=${level};IEEE754Compatible=${isCompatible};odata.streaming=true`,
      ),
    ),
    '@Capabilities.SupportedMetadataFormats': ['application/xml', 'application/json'],
    '@Capabilities.AsynchronousRequestsSupported': false,
    '@Capabilities.CrossJoinSupported': false,
    '@Capabilities.KeyAsSegmentSupported': true,
    '@Capabilities.QuerySegmentSupported': true,
    '@Capabilities.FilterFunctions': service.filterFunctions,
    '@Capabilities.ModificationQueryOptions': {
      ExpandSupported: true,
      SelectSupported: true,
      ComputeSupported: false,
      FilterSupported: false,
      SearchSupported: false,
      SortSupported: false,
    },
    '@Capabilities.DeepInsertSupport': { Supported: false, ContentIDSupported: false },
    '@Capabilities.DeepUpdateSupport': { Supported: false, ContentIDSupported: false },
  }
}

export function entitySetAnnotations(
  resource: Resource,
  relations: readonly Relation[],
  service: ServiceCapabilities,
): CsdlElement {
  const { insertable, updateMethods, deletable } = service.writeCapabilitiesOf(resource)
  const updatable = updateMethods.length > 0
  const methods = enumMembers('Capabilities.HttpMethod', updateMethods)
  return {
    '@Capabilities.InsertRestrictions': { Insertable: insertable, MaxLevels: 1 },
    '@Capabilities.UpdateRestrictions': {
      Updatable: updatable,
      Upsertable: false,
      ...(updatable ? { UpdateMethod: methods } : {}),
      ...ofOneRecord,
    },
    '@Capabilities.DeleteRestrictions': { Deletable: deletable, ...ofOneRecord },
    ...(updatable || deletable ? concurrencyAnnotations(resource) : {}),
    ...(relations.length === 0 ? {} : navigationAnnotations(relations, service)),
    '@Capabilities.ChangeTracking': { Supported: service.tracksChanges(resource) },
    '@Capabilities.ExpandRestrictions': { Expandable: true, MaxLevels: service.expandLevelsMax },
    '@Capabilities.SearchRestrictions': { Searchable: true },
    ...aggregationAnnotations(service.transformationsOf(resource)),
  }
}

/** Without it, set-based writes (`/$each`) and writes behind relations count as supported. */
const ofOneRecord = { FilterSegmentSupported: false, TypecastSegmentSupported: false, MaxLevels: 0 }

/** The property that the ETags of a set with writes depend on. */
function concurrencyAnnotations({ fields, etagField = '' }: Resource): CsdlElement {
  const wire = fields[etagField]?.wire
  if (wire === undefined) return {}
  return { '@Core.OptimisticConcurrency': [new TypedText('PropertyPath', wire)] }
}

/** Behind a relation records are read, and behind one to many inserted; they are changed and deleted in their set. */
function navigationAnnotations(
  relations: readonly Relation[],
  { writeCapabilitiesOf }: ServiceCapabilities,
): CsdlElement {
  const restricted = relations.map(({ wire, to, isMany = false }) => ({
    NavigationProperty: new TypedText('NavigationPropertyPath', wire),
    InsertRestrictions: { Insertable: isMany && writeCapabilitiesOf(to).insertable },
    UpdateRestrictions: { Updatable: false },
    DeleteRestrictions: { Deletable: false },
  }))
  return { '@Capabilities.NavigationRestrictions': { RestrictedProperties: restricted } }
}

/** Rollup over several hierarchies is supported, which is the default of the term. */
function aggregationAnnotations(transformations: readonly string[]): CsdlElement {
  return transformations.length === 0
    ? {}
    : { '@Aggregation.ApplySupported': { Transformations: transformations, From: true } }
}
