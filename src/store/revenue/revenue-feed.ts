// Revenue feed: the revenue log, the newest first, page by page with a bounded scan.
import { sql, type RawBuilder } from 'kysely'
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { revenueActions } from '../../model/revenue-log.ts'
import { leftJoinEach, statement, type Build } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'
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
 * At most `top` entries. A page scans at most 50,000 entries, 5,000 at a time, so that a page may be empty although the
 * next one is not.
 */
export async function getFeedPage(
  reader: Reader,
  companyId: CompanyId,
  { source, departmentId, action, first, before, top }: FeedFilter,
): Promise<FeedPage> {
  const { rowsStatement, endStatement } = source === null ? ofAll : ofSource
  const common = { companyId, source: source ?? '', first }
  const rows: FeedRow[] = []
  let below = before
  for (let windows = 0; windows < windowsMax; windows += 1) {
    if (windows > 0) await yieldToEventLoop()
    const values = { ...common, before: below, departmentId: departmentId ?? '', action: action ?? '', top }
    rows.push(...(await reader.all(rowsStatement, values)))
    if (rows.length >= top) {
      const page = rows.slice(0, top)
      return { rows: page, before: page.at(-1)?.id ?? null }
    }
    const end = await reader.first(endStatement, { ...common, before: below })
    if (end === undefined) return { rows, before: null }
    below = end.id
  }
  return { rows, before: below }
}

export interface FeedSource {
  readonly source: string
  readonly lastAt: number
}

/** Every sender, at most 200, with the time of their last entry. */
export function listFeedSources(reader: Reader, companyId: CompanyId): Awaitable<FeedSource[]> {
  return reader.all(sourcesStatement, { companyId })
}

/** The first entry at or after a time, in microseconds: timestamps of the log grow with its ids. */
export async function findFirstEntrySince(reader: Reader, companyId: CompanyId, at: number): Promise<number> {
  let low = 0
  let high = ((await reader.first(lastStatement, { companyId }))?.id ?? 0) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const entry = await reader.first(nextStatement, { companyId, middle })
    if (entry === undefined || entry.at >= at) high = middle
    else low = entry.id + 1
  }
  return low
}

const windowRows = 5_000

/** A page of the feed is at most what is read at a time. */
export const feedRowsMax = windowRows

const windowsMax = 10

function feedStatements(isOfSource: boolean) {
  /** The order of the index that contains only these entries, so that the planner chooses it. */
  const order = isOfSource ? sql`log.actor desc, log.id desc` : sql`log.id desc`
  const log = (build: Build) => (isOfSource ? logByActor(build) : sql`"revenueLog" as log`)
  const inRange = ({ value }: Build) => sql`
    log."companyId" = ${value('companyId')} and log.id >= ${value('first')} and log.id < ${value('before')}
    ${isOfSource ? sql`and log.actor = ${value('source')}` : sql``}`
  return {
    rowsStatement: statement<FeedRow>((build) => {
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
            select * from ${log(build)} where ${inRange(build)}
            order by ${order} limit ${sql.lit(windowRows)}
          ) as log ${leftJoinEach(build, 'importRun', itsRun)}
        ) as log ${leftJoinEach(build, 'revenue', itsRecord)}
        where (${value('departmentId')} = '' or log."departmentId" = ${value('departmentId')})
          and (${value('action')} = '' or log."feedAction" = ${value('action')})
        order by log.id desc limit ${value('top')}`
    }),
    /** The last entry of a full window. */
    endStatement: statement<{ id: number }>(
      (build) => sql`
        select log.id from ${log(build)} where ${inRange(build)}
        order by ${order} limit 1 offset ${sql.lit(windowRows - 1)}`,
    ),
  }
}

/** SQLite, with its fixed statistics, would otherwise choose the order of the table. */
function logByActor({ dialect }: Build) {
  return dialect === 'sqlite' ? sql`"revenueLog" as log indexed by "revenueLogActor"` : sql`"revenueLog" as log`
}

const ofAll = feedStatements(false)
const ofSource = feedStatements(true)

/** Skip scan of the index: one lookup per sender. */
const sourcesStatement = statement<FeedSource>((build) => {
  const { value } = build
  const nextAfter = (known: RawBuilder<unknown>) => sql`
    (select log.actor from ${logByActor(build)} where log."companyId" = ${value('companyId')}
      and log.actor > ${known} order by log.actor limit 1)`
  return sql`
    with recursive sender(name) as (
      select ${nextAfter(sql`''`)}
      union all
      select ${nextAfter(sql`sender.name`)} from sender where sender.name is not null
    )
    select sender.name as source,
      (select log.at from ${logByActor(build)} where log."companyId" = ${value('companyId')}
        and log.actor = sender.name order by log.actor desc, log.id desc limit 1) as "lastAt"
    from sender where sender.name is not null limit 200`
})

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
