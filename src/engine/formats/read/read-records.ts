// Parses a JSON or XML body into rows of a resource, with the errors of each row.
import type { Detail } from '../../../errors/catalog.ts'
import { nextTick } from '../../../lib/yield-to-event-loop.ts'
import type { Resource, Row } from '../../model/resource.ts'
import { readJsonRows } from '../json/json-rows.ts'
import { mediaKind, type MediaKind } from '../negotiation/media-type.ts'
import { RowBinder, type BoundBody } from './row-binder.ts'
import type { Shape } from './row-sink.ts'
import { readXmlRows } from '../xml/xml-rows.ts'

export interface ReadOptions<R extends Resource> {
  readonly contentType: string | undefined
  readonly resource: R
  readonly shape: Shape
  /** The company's time zone, a valid IANA name. */
  readonly zone: string
  /** Whether the company rejects dates with a zone or offset. */
  readonly refuseZones: boolean
  /** `Prefer: handling=strict`: unknown fields are rejected, not ignored. */
  readonly isStrict: boolean
  /**
   * OData semantics: null is a value, read-only and unknown fields are rejected, annotations are ignored (ADR 0035).
   */
  readonly isExact?: boolean
  /** Default: both. */
  readonly takes?: readonly MediaKind[]
  readonly rowsMax?: number
  /** The member that holds the list where an object is sent in place of a list. */
  readonly listIn?: string
}

export interface ReadBody<R extends Resource = Resource> {
  readonly rows: readonly ReadRow<R>[]
  readonly isList: boolean
  /** The first ignored names, truncated; they come from the client, so encode them for headers. */
  readonly ignored: readonly string[]
  /** The number of all problems; of a row with several, only the first may be listed. */
  readonly problems: number
}

export interface ReadRow<R extends Resource = Resource> {
  /** `[3]` in a list, '' for one object. */
  readonly place: string
  /** The valid values that were sent; null counts as not sent (ADR 0006), unless `isExact`. */
  readonly values: Partial<Row<R>>
  /** The errors of the row with their locations; empty for a valid row. */
  readonly details: readonly Detail[]
  /** The number of known fields that were sent, without the key. */
  readonly known: number
  /** The first unknown names with a value, truncated; empty where unknown fields are rejected. */
  readonly unknown: readonly string[]
}

/** The maximum number of rows in a list (interface 8). */
export const listRowsMax = 100_000

/**
 * Parses JSON or XML. A long list is read in chunks, yielding to the event loop between them.
 *
 * Throws an `ApiError` for errors of the body as a whole: `UnsupportedMediaType`, `InvalidUtf8`,
 * `EmptyBody`, `MalformedJson`, `JsonTooDeep`, `MalformedXml`, `XmlNotAllowed`, `WrongBodyShape`,
 * `TooManyItems`. Errors of a row are in its `details`.
 */
export function readRecords<R extends Resource>(
  body: Buffer,
  options: ReadOptions<R>,
): Promise<ReadBody<R>>
export async function readRecords(
  body: Buffer,
  options: ReadOptions<Resource>,
): Promise<BoundBody> {
  const { isExact = false } = options
  const kind = mediaKind(options.contentType, body, options.takes ?? ['json', 'xml'])
  const binder = new RowBinder({
    ...options,
    isExact,
    rowsMax: options.rowsMax ?? listRowsMax,
    trims: kind === 'xml',
  })
  const { shape, listIn } = options
  const reading =
    kind === 'json' ? readJsonRows(body, shape, binder, listIn) : readXmlRows(body, shape, binder)
  let step = reading.next()
  while (!step.done) {
    await nextTick()
    step = reading.next()
  }
  return { ...binder.body, isList: step.value }
}
