// Response format of OData replies: version, record form, common headers.
import { rootOf } from './resource-url.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import type { Query } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import {
  plainForm,
  preferencePrefix,
  type RecordForm,
} from '../../engine/planner/select/record-form.ts'
import {
  jsonFormFor,
  requireText,
  type Wanted,
} from '../../engine/formats/negotiation/odata-format.ts'
import { versionFor } from '../../engine/formats/negotiation/odata-version.ts'
import { readPreferences } from '../../engine/formats/negotiation/preferences.ts'

export interface Answering {
  readonly form: RecordForm
  readonly headers: Readonly<Record<string, string>>
}

/** The JSON format of a read. Throws `NotAcceptable`, and `NotFound` for an unknown schema version. */
export function answering(request: Request, query: Query): Answering {
  requireSchemaVersion(query)
  const { contentType, ...json } = jsonFormFor(wantedOf(request, query))
  const omitsNulls = readPreferences(request.header('prefer')).get('omit-values') === 'nulls'
  return {
    form: { ...json, nulls: omitsNulls ? 'omitted' : 'kept', root: serviceAddress(request) },
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Prefer, OData-Version, X-Api-Version',
      ...(omitsNulls ? { 'Preference-Applied': `${preferencePrefix(json)}omit-values=nulls` } : {}),
    },
  }
}

/** The JSON format of a write: numbers as numbers, minimal metadata. Throws `NotAcceptable`. */
export function answeringWrite(request: Request): Answering {
  const { form, headers } = answering(request, new Map())
  const { contentType } = jsonFormFor({
    accept: undefined,
    format: undefined,
    version: form.version,
  })
  return {
    form: { ...plainForm, version: form.version, root: form.root },
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'no-store',
      Vary: headers['Vary'] ?? 'Accept',
    },
  }
}

/** The plain text format of `$count` and `$value`. */
export function answeringText(request: Request, query: Query): Answering {
  requireSchemaVersion(query)
  requireText(wantedOf(request, query))
  return {
    form: { ...plainForm, root: serviceAddress(request) },
    headers: {
      'Content-Type': 'text/plain;charset=utf-8',
      'Cache-Control': 'no-cache',
      Vary: 'Accept',
    },
  }
}

export function wantedOf(request: Request, query: Query): Wanted {
  return {
    accept: request.header('accept'),
    format: query.get('$format'),
    version: versionFor(request.header('odata-maxversion')),
  }
}

/** The absolute URL of the service root in the request. */
export function serviceAddress({ origin, path }: Request): string {
  return `${origin}/${rootOf(path)}`
}

/** Throws `NotFound` for another version than that of `$metadata` (OData 4.01 part 1, 11.2.12). */
export function requireSchemaVersion(query: Query): void {
  const asked = query.get('$schemaversion') ?? '*'
  if (asked !== '*' && asked !== schemaVersion)
    throw new Fault('NotFound', {
      target: '$schemaversion',
      says: { what: phrase('theSchemaVersion') },
    })
}

/** Incremented for breaking changes of the schema. */
export const schemaVersion = '1'
