// Resource paths below a service root: `/prosjekt/Avdeling('10')/Ansatte`, `/ansatt/Ansatt/$count`.
import { message } from '../../errors/messages.ts'
import { ApiError, notFoundError } from '../../errors/api-error.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import type { RecordKey, Resource } from '../../engine/model/resource.ts'
import type { Schema } from '../../engine/model/schema.ts'
import { standardDialect, type Dialect } from '../../engine/odata/dialect.ts'
import type { KeyPredicateValue } from '../../engine/odata/expressions/syntax.ts'
import { parseResourcePath, type PathSegment } from '../../engine/odata/path/resource-path.ts'
import { resolveResourcePath } from '../../engine/planner/path/resolve-path.ts'
import type { ResolvedPath } from '../../engine/planner/path/resolved-path.ts'

/** The first segment of a path, in the caller's spelling. */
export function serviceRootOf(path: string): string {
  return /^\/*([^/]*)/.exec(path)?.[1] ?? ''
}

/** The segments after the service root. Throws `InvalidPath` and `NotSupported`. */
export function parseSegments(path: string, dialect: Dialect = standardDialect): readonly PathSegment[] {
  return parseResourcePath(path.replace(/^\/*[^/]*\/*/, ''), dialect)
}

/** The resource that a path resolves to; null when there is none. */
export function resolvePath(schema: Schema, path: string, dialect?: Dialect): ResolvedPath | null {
  return resolveResourcePath(schema, parseSegments(path, dialect))
}

/** The key in a path, typed by the model; null when it is no valid key of the resource. */
export function parseRecordKey(path: string, resource: Resource): RecordKey | null {
  return toRecordKey(resolvePath(serviceSchema, path)?.key ?? [], resource)
}

/** The same; throws `NotFound` for a path without a valid key. */
export function requireRecordKey(path: string, resource: Resource): RecordKey {
  const key = parseRecordKey(path, resource)
  if (key === null) throw notFoundError(message('theRecord'))
  return key
}

/** The same for a key that is parsed already. */
export function toRecordKey([only, more]: readonly KeyPredicateValue[], resource: Resource): RecordKey | null {
  const field = resource.fields[resource.key[0] ?? '']
  if (only === undefined || more !== undefined || field === undefined) return null
  if (only.name !== null && only.name.toLowerCase() !== field.wire.toLowerCase()) return null
  const { type, value } = only.value
  if (field.type === 'text') return type === 'text' ? value : null
  return type === 'number' && /^\d{1,15}$/.test(value) ? Number(value) : null
}

/** The key of the record of this resource that a path addresses, by its set; null for any other path. */
export function parseEntityKey(path: string, resource: Resource): RecordKey | null {
  const resolved = resolvePathOrNull(path)
  const isEntity =
    resolved?.via === null &&
    resolved.resource === resource &&
    resolved.field === null &&
    resolved.complexProperty === null &&
    resolved.resultKind === 'records'
  return isEntity ? toRecordKey(resolved.key, resource) : null
}

/** For a path in a body, whose errors have no column of the request's own path. */
function resolvePathOrNull(path: string): ResolvedPath | null {
  try {
    return resolvePath(serviceSchema, path)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** The id in `Transaksjon(17)/Godkjenn`: of the record that the last segment acts on. Throws as `requireRecordKey`. */
export function parseActionId(path: string, resource: Resource): number {
  return Number(requireRecordKey(segmentsOf(path).slice(0, -1).join('/'), resource))
}

/** The id in `Batch/7/Forleng`. Throws `NotFound`. */
export function parseClaimPathId(path: string): number {
  const digits = segmentsOf(path).at(-2) ?? ''
  if (!/^\d{1,15}$/.test(digits)) throw notFoundError(message('thisUrl'))
  return Number(digits)
}

/** Without doubled and trailing slashes. */
export function segmentsOf(path: string): string[] {
  return path.replace(/\/+/g, '/').replace(/\/$/, '').split('/')
}
