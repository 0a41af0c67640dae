// The feed of received revenue, newest first, and each sender's last call.
import { actorNames } from '../actors.ts'
import { dayAt, plusDays } from '../date-range.ts'
import { json, type Asked } from '../route.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { dayStart } from '../../lib/civil-date.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import {
  feedActs,
  feedPage,
  feedSources,
  firstEntrySince,
} from '../../store/revenue/revenue-feed.ts'

/**
 * Amounts are ten-thousandths, timestamps microseconds; actors have display names. A page has at most fifty entries, and
 * the next one starts below `before`. With few matches a page may be empty and still have a next one.
 */
export async function revenueFeed({ store, request, visitor }: Asked): Promise<Reply> {
  const { companyId, company } = visitor.caller
  const query = parseQuery(request.search, knownParameters(parameters, 'refused'))
  const named = query.get('act')
  const act = named === undefined ? null : (feedActs.find((one) => one === named) ?? null)
  if (named !== undefined && act === null) throw noChoice('act')
  const entryOf = async (day: string | undefined, name: string, later: number) =>
    day === undefined
      ? null
      : firstEntrySince(store, companyId, dayStart(company.zone, plusDays(dayAt(day, name), later)))
  const behind = await entryOf(query.get('to'), 'to', 1)
  const { rows, before } = await feedPage(store, companyId, {
    source: query.get('source') ?? null,
    departmentId: query.get('department') ?? null,
    act,
    first: (await entryOf(query.get('from'), 'from', 0)) ?? 0,
    before: Math.min(beforeIn(query.get('before')), behind ?? Number.MAX_SAFE_INTEGER),
  })
  const name = await actorNames(store, visitor)
  const isFirst = query.get('before') === undefined
  return json({
    rows: rows.map((row) => ({ ...row, actor: name(row.actor) })),
    before,
    sources: (isFirst ? await feedSources(store, companyId) : []).map((one) => ({
      ...one,
      actor: name(one.source),
    })),
  })
}

const parameters = ['source', 'department', 'act', 'from', 'to', 'before'] as const

function beforeIn(text: string | undefined): number {
  if (text === undefined) return Number.MAX_SAFE_INTEGER
  if (!/^\d{1,15}$/.test(text)) throw noChoice('before')
  return Number(text)
}

function noChoice(field: string): Fault {
  return new Fault('InvalidValue', {
    target: field,
    says: { field, problem: phrase('noSuchChoice') },
  })
}
