// OData JSON envelope around records: context, count, links (OData JSON 4.0, 4.5 and 10).
import type { Resource } from '../../model/resource.ts'
import type { Schema } from '../../model/schema.ts'
import type { ReadPlan, SetPlan } from '../../planner/read-plan.ts'
import { recordUrl } from './record-url.ts'
import type { StoredValue } from './row-serializer.ts'
import { controlInformationName, type RecordFormat } from '../../planner/record-format.ts'

/** The start of a collection, up to its array: `{"@odata.context":…,"@odata.count":7,"value":`. */
export function collectionStart(plan: ReadPlan, count: number | null): string {
  return envelopeStart(plan.recordFormat, contextUrl(plan), count)
}

export function envelopeStart(recordFormat: RecordFormat, context: string, count: number | null): string {
  const total = recordFormat.decimals === 'string' ? `"${count}"` : String(count)
  const members = [
    ...contextMember(recordFormat, context),
    ...(count === null ? [] : [`"${controlInformationName(recordFormat, 'count')}":${total}`]),
    '"value":',
  ]
  return `{${members.join(',')}`
}

/** The start of a delta payload (OData JSON 4.0, 15). */
export function deltaStart(plan: ReadPlan): string {
  return envelopeStart(plan.recordFormat, `${contextUrl(plan)}/$delta`, null)
}

export type RemovalReason = 'deleted' | 'changed'

/** A removed entity of a delta payload: deleted, or no longer matching the filter. */
export function removedEntity({ recordFormat, resource }: ReadPlan, id: string, reason: RemovalReason): string {
  if (recordFormat.version !== '4.0') return JSON.stringify({ '@removed': { reason }, '@id': id })
  const context = `${recordFormat.root}/$metadata#${resource.wire}/$deletedEntity`
  return withContext(recordFormat, context, JSON.stringify({ id, reason }))
}

/** The link at the end of a collection: to its next page, or to later changes. */
type CollectionLink = { readonly nextLink: string } | { readonly deltaLink: string }

/** The end of the array and the envelope. */
export function collectionEnd(recordFormat: RecordFormat, link: CollectionLink | null): string {
  const members = Object.entries(link ?? {}).map(
    ([name, address]) => `,"${controlInformationName(recordFormat, name)}":${JSON.stringify(address)}`,
  )
  return `]${members.join('')}}`
}

/** An entity with its context as first member; `object` is the entity as JSON. */
export function entityBody(plan: ReadPlan, object: string): string {
  return withContext(plan.recordFormat, `${contextUrl(plan)}/$entity`, object)
}

/** A JSON object with its context as first member. */
export function withContext(recordFormat: RecordFormat, context: string, object: string): string {
  return withMembers(contextMember(recordFormat, context), object)
}

/** A stored entity as JSON with its ETag in front; null for none. Entities that are read have theirs already. */
export function withEtag(recordFormat: RecordFormat, object: string, etag: string | null): string {
  if (recordFormat.metadata === 'none' || etag === null) return object
  const name = controlInformationName(recordFormat, 'etag')
  return withMembers([`"${name}":${JSON.stringify(etag)}`], object)
}

function withMembers(members: readonly string[], object: string): string {
  if (members.length === 0) return object
  return `{${members.join(',')}${object === '{}' ? '}' : `,${object.slice(1)}`}`
}

/** Omitted with `metadata=none` (OData JSON 4.01, 3.1.3). */
function contextMember(recordFormat: RecordFormat, context: string): string[] {
  return recordFormat.metadata === 'none'
    ? []
    : [`"${controlInformationName(recordFormat, 'context')}":${JSON.stringify(context)}`]
}

/** The entity sets of a service, with URLs relative to its root. */
export function serviceDocument(recordFormat: RecordFormat, { resources }: Schema): string {
  const value = resources.map(({ wire }) => ({ name: wire, kind: 'EntitySet', url: wire }))
  return withContext(recordFormat, `${recordFormat.root}/$metadata`, JSON.stringify({ value }))
}

/** The context URL of a property of the entity with this key. */
export function fieldContextUrl(
  root: string,
  { resource, key }: { readonly resource: Resource; readonly key: readonly StoredValue[] },
  wire: string,
): string {
  return `${root}/$metadata#${recordUrl(resource, key, String)}/${wire}`
}

/** Uses declared names, whatever names the reply has; the fragment is not percent-encoded. */
function contextUrl(plan: ReadPlan): string {
  return `${plan.recordFormat.root}/$metadata#${plan.resource.wire}${selectList(plan, plan.recordFormat)}`
}

/** In 4.0 an expanded relation is listed only with its own select list, in 4.01 always. */
function selectList(plan: SetPlan, recordFormat: RecordFormat): string {
  const expanded = plan.expand
    .filter(({ resultKind }) => resultKind === 'records')
    .map((expand) => ({ name: expand.relation.wire, list: selectList(expand, recordFormat) }))
    .map(({ name, list }) => ({ name, list: list === '' && recordFormat.version !== '4.0' ? '()' : list }))
    .filter(({ list }) => list !== '')
  const whole = new Set(expanded.map(({ name }) => name))
  const parts = [
    ...(plan.selected ?? []).filter((name) => !whole.has(name)),
    ...expanded.map(({ name, list }) => name + list),
  ]
  return parts.length === 0 ? '' : `(${parts.join(',')})`
}
