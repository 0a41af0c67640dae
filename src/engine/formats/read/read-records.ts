// Parses a JSON or XML body into rows of a resource, with the errors of each row.
import type { ErrorDetail } from '../../../errors/api-error.ts'
import { yieldToEventLoop } from '../../../lib/yield-to-event-loop.ts'
import type { Resource, Row } from '../../model/resource.ts'
import { readJsonRows } from '../json/json-rows.ts'
import { bodyMediaKind, type MediaKind } from '../negotiation/media-type.ts'
import { RowBinder, type BoundBody } from './row-binder.ts'
import type { BodyShape } from './row-sink.ts'
import { readXmlRows } from '../xml/xml-rows.ts'

export interface ParseRecordsOptions<R extends Resource> {
  readonly contentType: string | undefined
  readonly resource: R
  readonly shape: BodyShape
  /** The company's time zone, a valid IANA name. */
  readonly zone: string
  /** Whether the company rejects dates with a zone or offset. */
  readonly refuseZones: boolean
  /** `Prefer: handling=strict`: unknown fields are rejected, not ignored. */
  readonly isStrict: boolean
  /**
   * OData semantics: null is a value, read-only and unknown fields are rejected, annotations are ignored (ADR 0028).
   */
  readonly isExact?: boolean
  /** Default: both. */
  readonly acceptedKinds?: readonly MediaKind[]
  readonly rowsMax?: number
  /** The member that holds the list where an object is sent in place of a list. */
  readonly listMember?: string
}

export interface ParsedBody<R extends Resource = Resource> {
  readonly rows: readonly ParsedRow<R>[]
  readonly isList: boolean
  /** The first ignored names, truncated; they come from the client, so encode them for headers. */
  readonly ignoredFields: readonly string[]
  /** The number of all problems; of a row with several, only the first may be listed. */
  readonly problems: number
}

export interface ParsedRow<R extends Resource = Resource> {
  /** `[3]` in a list, '' for one object. */
  readonly location: string
  /** The valid values that were sent; null counts as not sent (ADR 0006), unless `isExact`. */
  readonly values: Partial<Row<R>>
  /** The errors of the row with their locations; empty for a valid row. */
  readonly details: readonly ErrorDetail[]
  /** The number of known fields that were sent, without the key. */
  readonly knownFieldCount: number
  /** The first unknown names with a value, truncated; empty where unknown fields are rejected. */
  readonly unknownFields: readonly string[]
}

/** The maximum number of rows in a list (interface 8). */
export const listRowsMax = 100_000

/**
 * Parses JSON or XML. A long list is read in chunks, yielding to the event loop between them.
 *
 * Throws an `ApiError` for errors of the body as a whole: `UnsupportedMediaType`, `InvalidUtf8`,
 * `EmptyBody`, `MalformedJson`, `JsonTooDeep`, `MalformedXml`, `XmlNotAllowed`, `InvalidBodyType`,
 * `TooManyItems`. Errors of a row are in its `details`.
 */
export function parseRecords<R extends Resource>(
  body: Buffer,
  options: ParseRecordsOptions<R>,
): Promise<ParsedBody<R>>
export async function parseRecords(
  body: Buffer,
  options: ParseRecordsOptions<Resource>,
): Promise<BoundBody> {
  const { isExact = false } = options
  const kind = bodyMediaKind(options.contentType, body, options.acceptedKinds ?? ['json', 'xml'])
  const binder = new RowBinder({
    ...options,
    isExact,
    rowsMax: options.rowsMax ?? listRowsMax,
    trimsValues: kind === 'xml',
  })
  const { shape, listMember } = options
  const reading =
    kind === 'json'
      ? readJsonRows(body, shape, binder, listMember)
      : readXmlRows(body, shape, binder)
  let step = reading.next()
  while (!step.done) {
    await yieldToEventLoop()
    step = reading.next()
  }
  return { ...binder.body, isList: step.value }
}
