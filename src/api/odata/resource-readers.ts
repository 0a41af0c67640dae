// How each kind of resource path is read: its query options, and its reader.
import type { ReadRequest, ReadReply } from './read-request.ts'
import { readCount, readReferences, readCollection } from './read-collection.ts'
import type { ResolvedPath } from '../../engine/planner/path/resolved-path.ts'
import { referenceOptions, entityOptions, setOptions } from '../../engine/planner/plan-read.ts'
import { parametersOf } from '../operation.ts'
import { readEntityReference, readProperty, readRawValue, readEntity } from './read-entity.ts'
import type { RouteParameters } from '../../engine/odata/options/query.ts'

/** How one kind of resource path is read. */
export interface ResourceReader {
  readonly parameters: RouteParameters
  readonly isText?: true
  readonly read: (readRequest: ReadRequest) => Promise<ReadReply>
}

export function readerFor({ resultKind, field, complexProperty, isSingle }: ResolvedPath): ResourceReader {
  if (resultKind === 'count') return resourceReaders.count
  if (resultKind === 'value') return resourceReaders.value
  if (resultKind === 'references') return isSingle ? resourceReaders.reference : resourceReaders.references
  if (field !== null) return resourceReaders.field
  if (complexProperty !== null) return resourceReaders.complex
  return isSingle ? resourceReaders.record : resourceReaders.set
}

export const resourceReaders = {
  set: { parameters: withFormat([...setOptions, '$skiptoken', '$deltatoken']), read: readCollection },
  record: { parameters: withFormat(entityOptions), read: readEntity },
  identified: { parameters: withFormat(['$id', ...entityOptions]), read: readEntity },
  references: { parameters: withFormat(referenceOptions), read: readReferences },
  reference: { parameters: withFormat([]), read: readEntityReference },
  field: { parameters: withFormat([]), read: readProperty },
  complex: { parameters: withFormat(['$select']), read: readProperty },
  count: { parameters: withFormat(['$filter', '$search']), isText: true, read: readCount },
  value: { parameters: withFormat([]), isText: true, read: readRawValue },
} as const satisfies Record<string, ResourceReader>

function withFormat(names: readonly string[]) {
  return parametersOf([...names, '$format', '$schemaversion'])
}
