// Server-driven paging: `Prefer: maxpagesize` and next links (OData 4.01 part 1, 11.2.6.7).
import { invalidTokenError, requireStartEntity, type ReadReply, type ReadRequest } from './read-request.ts'
import { getTrackingStart, buildDeltaLink, trackChangesHeaders } from './delta.ts'
import { buildLink } from './continuation-link.ts'
import { afterPosition, type KeysetPosition } from '../../engine/planner/after-position.ts'
import { allRows } from '../../store/read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { preferencePrefix } from '../../engine/planner/record-format.ts'
import { collectionEnd, collectionStart } from '../../engine/formats/write/envelope.ts'
import { parsePreferences } from '../../engine/formats/negotiation/preferences.ts'

export interface PageRequest {
  readonly pageSize: number
  /** The sort position of the previous page's last record; null for the first page. */
  readonly position: KeysetPosition | null
  /** Whether the page size is the caller's preference. */
  readonly isPreferred: boolean
  /** The timestamp from which changes are tracked; null when they are not. */
  readonly since: number | null
}

/** Null for a reply without paging. Throws `InvalidQueryOption` for a token that this service did not issue. */
export async function parsePageRequest(readRequest: ReadRequest): Promise<PageRequest | null> {
  const { request, authorized, resolved } = readRequest
  const preferred = parsePreferences(request.header('prefer')).get('maxpagesize') ?? ''
  const isPreferred = /^0*[1-9]\d*$/.test(preferred)
  const pageSize = isPreferred ? Math.min(Number(preferred), pageRowsMax) : null
  const token = authorized.query.get('$skiptoken')
  // A retrieval of export lines is logged as a whole, so it is not paged (ADR 0031).
  if (resolved.resource.isReadLogged && token === undefined) return null
  if (token !== undefined) {
    const content = readSkipToken(readRequest, token)
    return { ...content, pageSize: pageSize ?? content.pageSize, isPreferred }
  }
  if (pageSize === null) return null
  return { pageSize, position: null, isPreferred, since: await getTrackingStart(readRequest) }
}

/** A page of the records, with a next link unless it is the last one, which has the delta link if changes are tracked. */
export async function readPage(readRequest: ReadRequest, pageRequest: PageRequest): Promise<ReadReply> {
  const { plan, countPlan, api, request } = readRequest
  const count = plan.count ? await api.store.count(countPlan, request) : null
  const { rows, next } = await fetchPage(plan, pageRequest, readRequest)
  if (plan.apply !== null || rows.length === 0) await requireStartEntity(readRequest)
  const { since } = pageRequest
  const lastLink = since === null ? null : { deltaLink: buildDeltaLink(readRequest, since) }
  const link = next === null ? lastLink : { nextLink: buildNextLink(readRequest, pageRequest, next) }
  const body = `${collectionStart(plan, count)}[${rows.join(',')}${collectionEnd(plan.recordFormat, link)}`
  const name = 'Preference-Applied'
  const size = `${preferencePrefix(plan.recordFormat)}maxpagesize=${pageRequest.pageSize}`
  const applied = since === null ? size : `${size}, ${trackChangesHeaders(plan)[name]}`
  return { status: 200, headers: pageRequest.isPreferred ? { [name]: applied } : {}, body }
}

/** A page is held in memory. */
const pageRowsMax = 5000

/**
 * Reads one record more than the page size to know whether there is a next page; `next` is the position where that starts,
 * null for the last page.
 */
async function fetchPage(
  plan: ReadPlan,
  { pageSize, position }: PageRequest,
  { api: { store }, request }: ReadRequest,
) {
  const from = position === null ? plan : afterPosition(plan, position)
  const top = Math.min(pageSize + 1, plan.top ?? Infinity)
  const extraColumns = from.orderBy.map(({ value }) => value)
  const found = await allRows(await store.readRows({ ...from, extraColumns, top }, 'json', request))
  const page = found.slice(0, pageSize)
  const last = page.at(-1)
  const sortValues = last?.slice(1).map((value) => (Buffer.isBuffer(value) ? null : value))
  return { rows: page.map(([record]) => String(record)), next: found.length <= pageSize ? null : (sortValues ?? null) }
}

/** The token is encrypted, because it contains values of a record. */
function buildNextLink(readRequest: ReadRequest, { pageSize, since }: PageRequest, next: KeysetPosition): string {
  const { plan, api, request } = readRequest
  const token = api.encryptor.encrypt(JSON.stringify([pageSize, since, ...next]), tokenContext(plan))
  const top: Record<string, string> = plan.top === null ? {} : { $top: String(plan.top - pageSize) }
  return buildLink(request, { ...top, $skiptoken: token }, carriedOptions)
}

/** Page size, tracking timestamp and sort values of the last record. */
function readSkipToken({ plan, api }: ReadRequest, token: string): Omit<PageRequest, 'isPreferred'> {
  const text = api.encryptor.decrypt(token, tokenContext(plan))
  if (text === null) throw invalidTokenError('$skiptoken')
  const [pageSize, since, ...position]: [number, number | null, ...KeysetPosition] = JSON.parse(text)
  return { pageSize, since, position }
}

/** The options that the next link repeats; `$skip` is already consumed. */
const carriedOptions = 'filter select expand orderby top count search compute apply format schemaversion'

/** A token is bound to the company, the set and its order. */
function tokenContext({ companyId, resource, orderBy }: ReadPlan): string {
  return JSON.stringify([companyId, resource.wire, orderBy])
}
