// Server-driven paging: `Prefer: maxpagesize` and next links (OData 4.01 part 1, 11.2.6.7).
import { notOurLink, requireStart, type Answer, type Asked } from './read-request.ts'
import { followedFrom, linkToChanges, trackedHeaders } from './delta.ts'
import { linkTo } from './continuation-link.ts'
import {
  afterPosition,
  withPositions,
  type Position,
} from '../../engine/planner/select/after-position.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { setClosing, setOpening, type Link } from '../../engine/formats/write/envelope.ts'
import { readPreferences } from '../../engine/formats/negotiation/preferences.ts'

/** The requested page. */
export interface PageWish {
  readonly rows: number
  /** The sort position of the previous page's last record; null for the first page. */
  readonly position: Position | null
  /** Whether the page size is the caller's preference. */
  readonly isPreferred: boolean
  /** The timestamp from which changes are tracked; null when they are not. */
  readonly since: number | null
}

/** Null for a reply without paging. Throws `InvalidQueryOption` for a token that this service did not issue. */
export async function pageWish(asked: Asked): Promise<PageWish | null> {
  const { request, admitted, address } = asked
  const preferred = readPreferences(request.header('prefer')).get('maxpagesize') ?? ''
  const isPreferred = /^0*[1-9]\d*$/.test(preferred)
  const rows = isPreferred ? Math.min(Number(preferred), pageRowsMax) : null
  const token = admitted.query.get('$skiptoken')
  // A retrieval of export lines is logged as a whole, so it is not paged (ADR 0040).
  if (address.resource.isUnmarked && token === undefined) return null
  if (token !== undefined) {
    const place = opened(asked, token)
    return { ...place, rows: rows ?? place.rows, isPreferred }
  }
  if (rows === null) return null
  return { rows, position: null, isPreferred, since: await followedFrom(asked) }
}

export async function answerPage(asked: Asked, wish: PageWish): Promise<Answer> {
  const { plan, counted, serving, request } = asked
  const count = plan.count ? await serving.store.count(counted, request) : null
  const { rows, next } = await fetchPage(plan, wish, asked)
  if (plan.apply !== null || rows.length === 0) await requireStart(asked)
  const link = next === null ? lastLink(asked, wish) : { nextLink: nextLink(asked, wish, next) }
  const body = `${setOpening(plan, count)}[${rows.join(',')}${setClosing(plan.form, link)}`
  return { status: 200, headers: wish.isPreferred ? appliedTo(plan, wish) : {}, body }
}

/** The delta link after the last page. */
function lastLink(asked: Asked, { since }: PageWish): Link | null {
  return since === null ? null : { deltaLink: linkToChanges(asked, since) }
}

function appliedTo(plan: ReadPlan, { rows, since }: PageWish) {
  const size = `${plan.form.version === '4.0' ? 'odata.' : ''}maxpagesize=${rows}`
  const name = 'Preference-Applied'
  return { [name]: since === null ? size : `${size}, ${trackedHeaders(plan)[name]}` }
}

/** A page is held in memory. */
const pageRowsMax = 5000

interface Page {
  readonly rows: readonly string[]
  /** The position where the next page starts; null for the last page. */
  readonly next: Position | null
}

/** Reads one record more than the page size to know whether there is a next page. */
async function fetchPage(
  plan: ReadPlan,
  { rows: wanted, position }: PageWish,
  { serving: { store }, request }: Asked,
): Promise<Page> {
  const from = position === null ? plan : afterPosition(plan, position)
  const top = Math.min(wanted + 1, plan.top ?? Infinity)
  const read = await store.readRows({ ...withPositions(from), top }, 'json', request)
  const found = 'whole' in read ? read.whole : []
  const page = found.slice(0, wanted)
  const last = page.at(-1)
  return {
    rows: page.map(([record]) => String(record)),
    next: found.length <= wanted || last === undefined ? null : last.slice(1).map(toPlace),
  }
}

function toPlace(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** The content of a `$skiptoken`: page size, tracking timestamp, sort values of the last record. */
type Place = Pick<PageWish, 'rows' | 'since' | 'position'>

/** The token is encrypted, because it contains values of a record. */
function nextLink(asked: Asked, { rows, since }: PageWish, next: Position): string {
  const { plan, serving, request } = asked
  const token = serving.seal.close(JSON.stringify([rows, since, ...next]), aboutOf(plan))
  const top: Record<string, string> = plan.top === null ? {} : { $top: String(plan.top - rows) }
  return linkTo(request, { ...top, $skiptoken: token }, carried)
}

function opened({ plan, serving }: Asked, token: string): Place {
  const text = serving.seal.open(token, aboutOf(plan))
  if (text === null) throw notOurLink('$skiptoken')
  const [rows, since, ...position]: [number, number | null, ...Position] = JSON.parse(text)
  return { rows, since, position }
}

/** The options that the next link repeats; `$skip` is already consumed. */
const carried = 'filter select expand orderby top count search compute apply format schemaversion'

/** A token is bound to the company, the set and its order. */
function aboutOf({ companyId, resource, orderBy }: ReadPlan): string {
  return JSON.stringify([companyId, resource.wire, orderBy])
}
