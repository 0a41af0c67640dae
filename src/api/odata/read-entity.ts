// Reads of one entity: itself, its `$ref`, a property, or a property's `$value`.
import { recordNotFoundError, requireStartEntity, type ReadReply, type ReadRequest } from './read-request.ts'
import { etagHeader, etagOf, matchesEtag } from '../../engine/model/etag.ts'
import { pathOf } from '../../engine/planner/expressions/resource-fields.ts'
import { valueName, withExtraColumns } from '../../engine/planner/plan-read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { controlInformationName } from '../../engine/planner/record-format.ts'
import { entityBody, fieldContextUrl, withContext } from '../../engine/formats/write/envelope.ts'
import { recordUrl } from '../../engine/formats/write/record-url.ts'
import type { StoredValue } from '../../engine/formats/write/row-serializer.ts'

/** `Set(key)`, `Set/key`, `Set(key)/Nav`. */
export async function readEntity(readRequest: ReadRequest): Promise<ReadReply> {
  const { plan, request } = readRequest
  const { resource } = plan
  // The ETag does not cover expanded records.
  const etagField = plan.expand.length === 0 ? resource.etagField : undefined
  const found = await findEntity(readRequest, etagField === undefined ? [] : [etagField])
  if (found === null) return noContent
  const etag = etagField === undefined ? null : etagOf(resource, found.extraFields)
  const headers = etagHeader(etag)
  const list = request.header('if-none-match')
  return etag !== null && list !== undefined && matchesEtag(list, etag)
    ? { status: 304, headers, body: null }
    : { status: 200, headers, body: entityBody(plan, found.json) }
}

/** `Set(key)/$ref`. */
export async function readEntityReference(readRequest: ReadRequest): Promise<ReadReply> {
  const { resource, recordFormat } = readRequest.plan
  const found = await findEntity(readRequest, resource.key)
  if (found === null) return noContent
  const id = recordUrl(resource, keyOf(readRequest.plan, found))
  const object = `{"${controlInformationName(recordFormat, 'id')}":${JSON.stringify(id)}}`
  const body = withContext(recordFormat, `${recordFormat.root}/$metadata#$ref`, object)
  return { status: 200, headers: {}, body }
}

/** `Set(key)/Prop`; 204 when it is null. */
export async function readProperty(readRequest: ReadRequest): Promise<ReadReply> {
  const { plan, resolved } = readRequest
  const { resource, recordFormat } = plan
  const found = await findEntity(readRequest, resource.key)
  const value = found === null ? null : unwrapValue(readRequest, found)
  if (found === null || value === null) return noContent
  const of = { resource, key: keyOf(plan, found) }
  const context = fieldContextUrl(recordFormat.root, of, contextPath(readRequest))
  const object = resolved.complexProperty === null ? `{"${valueName}":${value}}` : value
  return { status: 200, headers: {}, body: withContext(recordFormat, context, object) }
}

/** `Set(key)/Prop/$value` as plain text; numbers as in JSON. */
export async function readRawValue(readRequest: ReadRequest): Promise<ReadReply> {
  const found = await findEntity(readRequest, [])
  const json = found === null ? null : unwrapValue(readRequest, found)
  if (json === null) return noContent
  const body = json.startsWith('"') ? String(JSON.parse(json)) : json
  return { status: 200, headers: {}, body }
}

/** Unwraps the value from one object per segment of its path; null when one of them is null. */
function unwrapValue({ resolved }: ReadRequest, { json }: FoundEntity): string | null {
  const depth = propertyPath(resolved).length
  const start = `{"${valueName}":`.repeat(depth)
  const value = json.startsWith(start) ? json.slice(start.length, -depth) : 'null'
  return value === 'null' ? null : value
}

function propertyPath({ field, complexProperty }: ReadRequest['resolved']): readonly string[] {
  return field === null ? (complexProperty?.path ?? []) : pathOf(field)
}

/** The property path for the context URL, with the selected fields. */
function contextPath({ resolved, plan }: ReadRequest): string {
  const path = propertyPath(resolved).join('/')
  const isPart = resolved.complexProperty !== null && plan.selected !== null
  return isPart ? `${path}(${plan.selected.join(',')})` : path
}

const noContent: ReadReply = { status: 204, headers: {}, body: null }

interface FoundEntity {
  readonly json: string
  readonly extraFields: Readonly<Record<string, StoredValue>>
}

/** Null when a relation has no record. Throws `NotFound` when the path names a record that does not exist. */
async function findEntity(readRequest: ReadRequest, extraFields: readonly string[]): Promise<FoundEntity | null> {
  const { plan, resolved, api } = readRequest
  const rows = await api.store.readRows(withExtraColumns(plan, extraFields), 'json', readRequest.request)
  const [json, ...values] = ('whole' in rows ? rows.whole[0] : undefined) ?? []
  if (typeof json === 'string')
    return { json, extraFields: Object.fromEntries(extraFields.map((name, index) => [name, values[index] ?? null])) }
  if (plan.parent === null || resolved.key.length > 0) throw recordNotFoundError(resolved)
  await requireStartEntity(readRequest)
  return null
}

function keyOf({ resource }: ReadPlan, { extraFields }: FoundEntity): readonly StoredValue[] {
  return resource.key.map((name) => extraFields[name] ?? null)
}
