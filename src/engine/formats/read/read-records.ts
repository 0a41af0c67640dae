// A body becomes rows of a resource, by its description; what is wrong is told row by row, with its place.
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
  /** The company's, an IANA name that exists. */
  readonly zone: string
  /** Whether the company takes no date with a zone or offset. */
  readonly refuseZones: boolean
  /** `Prefer: handling=strict`: unknown fields are refused, not ignored. */
  readonly isStrict: boolean
  /**
   * Taken to the letter: null is a value, fields of the service's own and unknown ones are refused, annotations are
   * passed over (ADR 0035).
   */
  readonly isExact?: boolean
  /** Default: both. */
  readonly takes?: readonly MediaKind[]
  readonly rowsMax?: number
  /** The member of an object that may stand in place of a list, and holds it. */
  readonly listIn?: string
}

export interface ReadBody<R extends Resource = Resource> {
  readonly rows: readonly ReadRow<R>[]
  readonly isList: boolean
  /** The first names that were ignored, shortened; callers' words, so encode them before they leave. */
  readonly ignored: readonly string[]
  /** How many things are wrong in all; of rows with several, only the first may be listed. */
  readonly problems: number
}

export interface ReadRow<R extends Resource = Resource> {
  /** `[3]` in a list, '' for one object. */
  readonly place: string
  /** What was sent and can be taken; null is not sent (ADR 0006), unless the body is taken to the letter. */
  readonly values: Partial<Row<R>>
  /** What is wrong with the row, at its place. Empty: the row is sound. */
  readonly details: readonly Detail[]
  /** How many fields beside the key were sent. */
  readonly known: number
  /** The first unknown names with a value, shortened; empty where unknown fields are refused anyway. */
  readonly unknown: readonly string[]
}

/** How many rows a list may have (interface 8). */
export const listRowsMax = 100_000

/**
 * Reads JSON or XML. A long list is read in slices, with a turn for everybody else between them.
 *
 * Throws a `Fault` for what is wrong with the body as a whole: `UnsupportedMediaType`, `InvalidUtf8`,
 * `EmptyBody`, `MalformedJson`, `JsonTooDeep`, `MalformedXml`, `XmlNotAllowed`, `WrongBodyShape`,
 * `TooManyItems`. What is wrong with a row stands in its `details`.
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
