// Revenue feed: the revenue log, the newest first, page by page with a bounded scan.
import { sql } from 'kysely'
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { revenueActions } from '../../model/revenue-log.ts'
import { logBlockRows, logBlockStart } from './log-senders.ts'
import { leftJoinEach, statement } from '../statement.ts'
import type { Reader } from '../store.ts'
import type { RevenueLogTable } from '../tables/revenue.ts'

/** The actions of the feed; the log has fewer, because it does not distinguish inserts and imports. */
export const feedActions = ['insert', 'set', 'add', 'delete', 'import'] as const

export type FeedAction = (typeof feedActions)[number]

export interface FeedRow extends Omit<RevenueLogTable, 'companyId' | 'action'> {
  readonly action: FeedAction
  /** The name of the imported file; null for other sources. */
  readonly file: string | null
  /** The current remark of the record. */
  readonly remark: string | null
}

/** Which entries, and how many of them; null does not restrict. */
export interface FeedFilter {
  readonly source: string | null
  readonly departmentId: string | null
  readonly action: FeedAction | null
  /** Ids from `first` on and below `before`. */
  readonly first: number
  readonly before: number
  /** At most `feedRowsMax`. */
  readonly top: number
}

export interface FeedPage {
  readonly rows: readonly FeedRow[]
  /** The next page has ids below this one; null on the last page. */
  readonly before: number | null
}

/**
 * At most `top` entries. A page scans at most twelve blocks of the log, one at a time and only blocks of the sender, so
 * that a page may be empty although the next one is not.
 */
export async function getFeedPage(
  reader: Reader,
  companyId: CompanyId,
  { source, departmentId, action, first, before, top }: FeedFilter,
): Promise<FeedPage> {
  const next = (await findLastEntry(reader, companyId)) + 1
  const values = { companyId, source: source ?? '', departmentId: departmentId ?? '', action: action ?? '' }
  const rows: FeedRow[] = []
  let below = Math.min(before, next)
  for (let blocks = 0; blocks < blocksMax; blocks += 1) {
    if (blocks > 0) await yieldToEventLoop()
    if (source !== null && below <= logBlockStart(next)) {
      const end = logBlockStart(below - 1) + logBlockRows
      below = Math.min(below, ((await reader.first(lastOfSenderStatement, { ...values, end }))?.id ?? 0) + 1)
    }
    if (below <= first) return { rows, before: null }
    const start = logBlockStart(below - 1)
    const range = { first: Math.max(start, first), before: below, top: top - rows.length }
    rows.push(...(await reader.all(rowsStatement, { ...values, ...range })))
    if (rows.length === top) return { rows, before: rows.at(-1)?.id ?? null }
    below = start
  }
  return { rows, before: below }
}

export interface FeedSource {
  readonly source: string
  readonly lastAt: number
}

/** Every sender, at most 200, with the time of their last entry. */
export async function listFeedSources(reader: Reader, companyId: CompanyId): Promise<FeedSource[]> {
  const complete = logBlockStart((await findLastEntry(reader, companyId)) + 1)
  return reader.all(sourcesStatement, { companyId, complete })
}

/** The first entry at or after a time, in microseconds: timestamps of the log grow with its ids. */
export async function findFirstEntrySince(reader: Reader, companyId: CompanyId, at: number): Promise<number> {
  let low = 0
  let high = (await findLastEntry(reader, companyId)) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const entry = await reader.first(nextStatement, { companyId, middle })
    if (entry === undefined || entry.at >= at) high = middle
    else low = entry.id + 1
  }
  return low
}

export const feedRowsMax = 5_000

const blocksMax = 12

/** The id of the last entry; 0 without any. */
async function findLastEntry(reader: Reader, companyId: CompanyId): Promise<number> {
  return (await reader.first(lastStatement, { companyId }))?.id ?? 0
}

const rowsStatement = statement<FeedRow>((build) => {
  const { value } = build
  const itsRun = sql`"importRun"."companyId" = log."companyId" and "importRun"."requestId" = log."requestId"`
  const itsRecord = sql`revenue."companyId" = log."companyId" and revenue.id = log."revenueId"`
  return sql`
    select log.id, log.at, log."revenueId", log.date, log."departmentId", log.kind, log."feedAction" as action, log.amount,
      log."before", log."after", log.reference, log.actor, log."requestId", log.file, revenue.remark
    from (
      select log.*, "importRun".file, case when "importRun".id is not null then 'import'
        when log.action = ${sql.lit(revenueActions.add)} then 'add'
        when log.action = ${sql.lit(revenueActions.delete)} then 'delete'
        when log."before" is null then 'insert' else 'set' end as "feedAction"
      from (
        select * from "revenueLog"
        where "companyId" = ${value('companyId')} and id >= ${value('first')} and id < ${value('before')}
          and (${value('source')} = '' or actor = ${value('source')})
          and (${value('departmentId')} = '' or "departmentId" = ${value('departmentId')})
      ) as log ${leftJoinEach(build, 'importRun', itsRun)}
    ) as log ${leftJoinEach(build, 'revenue', itsRecord)}
    where ${value('action')} = '' or log."feedAction" = ${value('action')}
    order by log.id desc limit ${value('top')}`
})

/** The last entry of a sender in complete blocks that begin below `end`. */
const lastOfSenderStatement = statement<{ id: number }>(
  ({ value }) => sql`
    select "lastId" as id from "revenueLogSender"
    where "companyId" = ${value('companyId')} and actor = ${value('source')} and "lastId" < ${value('end')}
    order by "lastId" desc limit 1`,
)

/** The last entry of each sender, in complete blocks and in the one after them. */
const sourcesStatement = statement<FeedSource>(
  ({ value }) => sql`
    select log.actor as source, max(log.at) as "lastAt" from "revenueLog" as log
    where log."companyId" = ${value('companyId')} and log.id in (
      select max("lastId") from "revenueLogSender" where "companyId" = ${value('companyId')} group by actor
      union all
      select max(id) from "revenueLog"
      where "companyId" = ${value('companyId')} and id >= ${value('complete')} group by actor
    )
    group by log.actor order by log.actor limit 200`,
)

const lastStatement = statement<{ id: number }>(
  ({ value }) => sql`
    select log.id from "revenueLog" as log where log."companyId" = ${value('companyId')}
    order by log.id desc limit 1`,
)

const nextStatement = statement<{ id: number; at: number }>(
  ({ value }) => sql`
    select log.id, log.at from "revenueLog" as log where log."companyId" = ${value('companyId')}
      and log.id >= ${value('middle')} order by log.id limit 1`,
)
