// What every answer below a service root has in common: its version, its form, and what it depends on.
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

/** Throws `NotAcceptable` where no JSON is taken, `NotFound` for a version of the schema that there is not. */
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

/**
 * For what a write answers: numbers are printed as such, and no more metadata than an answer needs. Throws
 * `NotAcceptable` where no JSON is taken.
 */
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

/** The same for what comes as plain text: a number, or a lone value. */
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

/** The absolute address of the service root that was called. */
export function serviceAddress({ origin, path }: Request): string {
  return `${origin}/${rootOf(path)}`
}

/** Throws `NotFound` for another version than the one that metadata tells of (OData 4.01 part 1, 11.2.12). */
export function requireSchemaVersion(query: Query): void {
  const asked = query.get('$schemaversion') ?? '*'
  if (asked !== '*' && asked !== schemaVersion)
    throw new Fault('NotFound', {
      target: '$schemaversion',
      says: { what: phrase('theSchemaVersion') },
    })
}

/** Counted up when something is taken from the schema, or means something else. */
export const schemaVersion = '1'
