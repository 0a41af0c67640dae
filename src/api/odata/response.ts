// Response format of OData replies: version, record format, common headers.
import { serviceRootOf } from './resource-url.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import type { Query } from '../../engine/odata/options/query.ts'
import { message } from '../../errors/messages.ts'
import { defaultRecordFormat, preferencePrefix, type RecordFormat } from '../../engine/planner/record-format.ts'
import {
  negotiateJsonFormat,
  requirePlainText,
  type FormatRequest,
} from '../../engine/formats/negotiation/odata-format.ts'
import { negotiateVersion } from '../../engine/formats/negotiation/odata-version.ts'
import { parsePreferences } from '../../engine/formats/negotiation/preferences.ts'

export interface ResponseFormat {
  readonly recordFormat: RecordFormat
  readonly headers: Readonly<Record<string, string>>
}

/** The JSON format of a read. Throws `NotAcceptable`, and `NotFound` for an unknown schema version. */
export function responseFormat(request: Request, query: Query): ResponseFormat {
  requireSchemaVersion(query)
  const { contentType, ...json } = negotiateJsonFormat(requestedFormat(request, query))
  const omitsNulls = parsePreferences(request.header('prefer')).get('omit-values') === 'nulls'
  return {
    recordFormat: {
      ...json,
      nulls: omitsNulls ? 'omitted' : 'kept',
      etags: json.metadata === 'none' ? 'omitted' : 'written',
      root: serviceRootUrl(request),
    },
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Prefer, OData-Version, X-Api-Version',
      ...(omitsNulls ? { 'Preference-Applied': `${preferencePrefix(json)}omit-values=nulls` } : {}),
    },
  }
}

/** The JSON format of the reply to a write, which has all nulls. Throws as `responseFormat`, before anything is written. */
export function writeResponseFormat(request: Request, query: Query = new Map()): ResponseFormat {
  const { recordFormat, headers } = responseFormat(request, query)
  const { 'Preference-Applied': _, ...others } = headers
  return { recordFormat: { ...recordFormat, nulls: 'kept' }, headers: { ...others, 'Cache-Control': 'no-store' } }
}

/** The plain text format of `$count` and `$value`. */
export function textResponseFormat(request: Request, query: Query): ResponseFormat {
  requireSchemaVersion(query)
  requirePlainText(requestedFormat(request, query))
  return {
    recordFormat: { ...defaultRecordFormat, root: serviceRootUrl(request) },
    headers: { 'Content-Type': 'text/plain;charset=utf-8', 'Cache-Control': 'no-cache', Vary: 'Accept' },
  }
}

export function requestedFormat(request: Request, query: Query): FormatRequest {
  return {
    accept: request.header('accept'),
    format: query.get('$format'),
    version: negotiateVersion(request.header('odata-maxversion')),
  }
}

/** The absolute URL of the service root in the request. */
export function serviceRootUrl({ origin, path }: Request): string {
  return `${origin}/${serviceRootOf(path)}`
}

/** Throws `NotFound` for another version than that of `$metadata` (OData 4.01 part 1, 11.2.12). */
export function requireSchemaVersion(query: Query): void {
  const requested = query.get('$schemaversion') ?? '*'
  if (requested !== '*' && requested !== schemaVersion)
    throw new ApiError('NotFound', { target: '$schemaversion', params: { what: message('theSchemaVersion') } })
}

/** Incremented for breaking changes of the schema. */
export const schemaVersion = '1'
