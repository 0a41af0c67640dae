// The feed of received revenue, newest first, and each sender's last call.
import type { NamedFeedPage } from '../contract/revenue.ts'
import { createActorNames } from '../actors.ts'
import { parseDay } from '../date-range.ts'
import { plusDays } from '../../lib/calendar.ts'
import { countIn, parseChoice, parseId, queryIn } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import { startOfDate } from '../../lib/calendar-date.ts'
import {
  feedActions,
  feedRowsMax,
  findFirstEntrySince,
  getFeedPage,
  listFeedSources,
} from '../../store/revenue/revenue-feed.ts'

/**
 * Amounts are ten-thousandths, timestamps microseconds; actors have display names. A page has at most fifty entries, or
 * `top` of them, and the next one starts below `before`. With few matches a page may be empty and still have a next one.
 */
export async function getRevenueFeed(appRequest: AppRequest): Promise<NamedFeedPage> {
  const { store, request, companyId, company } = appRequest
  const query = queryIn(request, parameters)
  const named = query.get('action')
  const action = named === undefined ? null : parseChoice(named, feedActions, 'action')
  const sent = query.get('before')
  const below = sent === undefined ? Number.MAX_SAFE_INTEGER : parseId(sent, 'before')
  const entryOf = async (day: string | undefined, name: string, later: number) =>
    day === undefined
      ? null
      : findFirstEntrySince(store, companyId, startOfDate(company.zone, plusDays(parseDay(day, name), later)))
  const behind = await entryOf(query.get('to'), 'to', 1)
  const { rows, before } = await getFeedPage(store, companyId, {
    source: query.get('source') ?? null,
    departmentId: query.get('department') ?? null,
    action,
    first: (await entryOf(query.get('from'), 'from', 0)) ?? 0,
    before: Math.min(below, behind ?? Number.MAX_SAFE_INTEGER),
    top: Math.min(Math.max(countIn(query, 'top', 50), 1), feedRowsMax),
  })
  const nameActor = await createActorNames(store, companyId)
  return {
    rows: rows.map((row) => ({ ...row, actor: nameActor(row.actor) })),
    before,
    sources: (sent === undefined ? await listFeedSources(store, companyId) : []).map((one) => ({
      ...one,
      actor: nameActor(one.source),
    })),
  }
}

const parameters = ['source', 'department', 'action', 'from', 'to', 'before', 'top'] as const
