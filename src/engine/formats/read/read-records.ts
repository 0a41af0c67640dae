// Parses a JSON or XML body into rows of a resource, with the errors of each row.
import { yieldToEventLoop, type Sliceable } from '../../../lib/yield-to-event-loop.ts'
import type { Resource, Row } from '../../model/resource.ts'
import { readJsonRows } from '../json/json-rows.ts'
import { bodyMediaKind, type MediaKind } from '../negotiation/media-type.ts'
import type { BoundRow } from './bound-rows.ts'
import { RowBinder, type BoundBody, type RowBinderOptions } from './row-binder.ts'
import type { BodyShape } from './row-sink.ts'
import { readXmlRows } from '../xml/xml-rows.ts'

export interface ParseRecordsOptions<R extends Resource>
  extends
    Pick<RowBinderOptions, 'zone' | 'refuseZones' | 'isStrict'>,
    Partial<Pick<RowBinderOptions, 'hasODataSemantics' | 'ignoresReadOnly' | 'bindRules' | 'rowsMax' | 'validate'>> {
  readonly contentType: string | undefined
  readonly resource: R
  readonly shape: BodyShape
  /** Default: both. */
  readonly acceptedKinds?: readonly MediaKind[]
  /** The member that holds the list where an object is sent in place of a list. */
  readonly listMember?: string
}

export interface ParsedBody<R extends Resource = Resource> extends Omit<BoundBody, 'rows'> {
  readonly rows: Sliceable<ParsedRow<R>>
}

export interface ParsedRow<R extends Resource = Resource> extends Omit<BoundRow, 'values'> {
  readonly values: Partial<Row<R>>
}

/** The maximum number of rows in a list (interface 8). */
export const listRowsMax = 100_000

/**
 * Parses JSON or XML. A long list is read in chunks, yielding to the event loop between them.
 *
 * Throws an `ApiError` for errors of the body as a whole: `UnsupportedMediaType`, `InvalidUtf8`,
 * `EmptyBody`, `MalformedJson`, `JsonTooDeep`, `ValueTooLong`, `MalformedXml`, `XmlNotAllowed`, `InvalidBodyType`,
 * `TooManyItems`. Errors of a row are in its `details`.
 */
export function parseRecords<R extends Resource>(body: Buffer, options: ParseRecordsOptions<R>): Promise<ParsedBody<R>>
export async function parseRecords(body: Buffer, options: ParseRecordsOptions<Resource>): Promise<BoundBody> {
  const { hasODataSemantics = false } = options
  const kind = bodyMediaKind(options.contentType, body, options.acceptedKinds ?? ['json', 'xml'])
  const binder = new RowBinder({
    ...options,
    hasODataSemantics,
    rowsMax: options.rowsMax ?? listRowsMax,
    trimsValues: kind === 'xml',
  })
  const { shape, listMember } = options
  const reading = kind === 'json' ? readJsonRows(body, shape, binder, listMember) : readXmlRows(body, shape, binder)
  let step = reading.next()
  while (!step.done) {
    await yieldToEventLoop()
    step = reading.next()
  }
  return { ...binder.body, isList: step.value }
}
