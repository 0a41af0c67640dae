// A set page by page: as many records as the caller prefers, and a link that goes on behind the last of them
// (OData 4.01 part 1, 11.2.6.7).
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

/** Which page is asked for. */
export interface PageWish {
  readonly rows: number
  /** The last record of the page before; null for the first page. */
  readonly position: Position | null
  /** Whether the caller's preference made it so. */
  readonly isPreferred: boolean
  /** The stamp from which on changes are followed; null where they are not. */
  readonly since: number | null
}

/** Null where all is to come at once. Throws `InvalidQueryOption` for a link that was not given by this service. */
export async function pageWish(asked: Asked): Promise<PageWish | null> {
  const { request, admitted, address } = asked
  const preferred = readPreferences(request.header('prefer')).get('maxpagesize') ?? ''
  const isPreferred = /^0*[1-9]\d*$/.test(preferred)
  const rows = isPreferred ? Math.min(Number(preferred), pageRowsMax) : null
  const token = admitted.query.get('$skiptoken')
  // What is handed out is noted as a whole, and given as one (ADR 0040).
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
  const { rows, next } = await readPage(plan, wish, asked)
  if (plan.apply !== null || rows.length === 0) await requireStart(asked)
  const link = next === null ? lastLink(asked, wish) : { nextLink: nextLink(asked, wish, next) }
  const body = `${setOpening(plan, count)}[${rows.join(',')}${setClosing(plan.form, link)}`
  return { status: 200, headers: wish.isPreferred ? appliedTo(plan, wish) : {}, body }
}

/** Behind the last page. */
function lastLink(asked: Asked, { since }: PageWish): Link | null {
  return since === null ? null : { deltaLink: linkToChanges(asked, since) }
}

function appliedTo(plan: ReadPlan, { rows, since }: PageWish) {
  const size = `${plan.form.version === '4.0' ? 'odata.' : ''}maxpagesize=${rows}`
  const name = 'Preference-Applied'
  return { [name]: since === null ? size : `${size}, ${trackedHeaders(plan)[name]}` }
}

/** Longer pages would be long in memory. */
const pageRowsMax = 5000

interface Page {
  readonly rows: readonly string[]
  /** Where the next page begins; null behind the last. */
  readonly next: Position | null
}

/** One record more than wanted tells whether there is a next page. */
async function readPage(
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

/** Where a page ended: how many rows it had, since when changes are followed, and the values of its last record. */
type Place = Pick<PageWish, 'rows' | 'since' | 'position'>

/** Sealed, because the values of a record are nobody's business in an address. */
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

/** What was counted off is behind the reader: `$skip` is not said again. */
const carried = 'filter select expand orderby top count search compute apply format schemaversion'

/** A link goes on with what it was made for: the company, the set and its order. */
function aboutOf({ companyId, resource, orderBy }: ReadPlan): string {
  return JSON.stringify([companyId, resource.wire, orderBy])
}
