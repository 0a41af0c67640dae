// What was received of revenue, as the journal has it, the newest first: page by page, however long the journal is.
import { sql, type RawBuilder } from 'kysely'
import { nextTick } from '../../lib/yield-to-event-loop.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { actions } from '../../model/revenue-log.ts'
import { eachIfAny, statement, type Build } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'
import type { RevenueLogTable } from '../tables/revenue.ts'

/** What was done to a record, told apart further than the journal does. */
export const feedActs = ['insert', 'set', 'add', 'delete', 'import'] as const

export type FeedAct = (typeof feedActs)[number]

export interface FeedRow extends Omit<RevenueLogTable, 'companyId' | 'action'> {
  readonly act: FeedAct
  /** How whoever imported it called the file; null for what came otherwise. */
  readonly file: string | null
  /** What the record says now. */
  readonly remark: string | null
}

/** Which entries; null leaves nothing out. */
export interface FeedAsked {
  readonly source: string | null
  readonly departmentId: string | null
  readonly act: FeedAct | null
  /** Ids: from this one on, and below that one. */
  readonly first: number
  readonly before: number
}

export interface FeedPage {
  readonly rows: readonly FeedRow[]
  /** Below which the next page begins; null where nothing is left. */
  readonly before: number | null
}

/**
 * At most fifty entries. Whatever is asked for, fifty thousand entries are looked at, five thousand at a time: a page may
 * be empty, and the next one not.
 */
export async function feedPage(
  reader: Reader,
  companyId: CompanyId,
  { source, departmentId, act, first, before }: FeedAsked,
): Promise<FeedPage> {
  const { rowsStatement, endStatement } = source === null ? ofAll : ofSource
  const asked = { companyId, source: source ?? '', first }
  const rows: FeedRow[] = []
  let below = before
  for (let looked = 0; looked < windowsMost; looked += 1) {
    if (looked > 0) await nextTick()
    const values = { ...asked, before: below, departmentId: departmentId ?? '', act: act ?? '' }
    rows.push(...(await reader.all(rowsStatement, values)))
    if (rows.length >= pageRows) {
      const page = rows.slice(0, pageRows)
      return { rows: page, before: page.at(-1)?.id ?? null }
    }
    const end = await reader.first(endStatement, { ...asked, before: below })
    if (end === undefined) return { rows, before: null }
    below = end.id
  }
  return { rows, before: below }
}

export interface FeedSource {
  readonly source: string
  readonly lastAt: number
}

/** Everybody who ever sent something, two hundred at most, with when they did it last. */
export function feedSources(reader: Reader, companyId: CompanyId): Awaitable<FeedSource[]> {
  return reader.all(sourcesStatement, { companyId })
}

/** The first entry of a moment, in microseconds, or after it: stamps of the journal rise with its ids. */
export async function firstEntrySince(
  reader: Reader,
  companyId: CompanyId,
  at: number,
): Promise<number> {
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

const pageRows = 50
const windowRows = 5_000
const windowsMost = 10

function among(isOfSource: boolean) {
  /** In the order of an index that holds no others, so that no planner walks through another. */
  const order = isOfSource ? sql`log.actor desc, log.id desc` : sql`log.id desc`
  const log = (build: Build) => (isOfSource ? logByActor(build) : sql`"revenueLog" as log`)
  const within = ({ value }: Build) => sql`
    log."companyId" = ${value('companyId')} and log.id >= ${value('first')} and log.id < ${value('before')}
    ${isOfSource ? sql`and log.actor = ${value('source')}` : sql``}`
  return {
    rowsStatement: statement<FeedRow>((build) => {
      const { value } = build
      const itsRun = sql`"importRun"."companyId" = log."companyId" and "importRun"."requestId" = log."requestId"`
      const itsRecord = sql`revenue."companyId" = log."companyId" and revenue.id = log."revenueId"`
      return sql`
        select log.id, log.at, log."revenueId", log.date, log."departmentId", log.kind, log.act, log.amount,
          log."before", log."after", log.reference, log.actor, log."requestId", log.file, revenue.remark
        from (
          select log.*, "importRun".file, case when "importRun".id is not null then 'import'
            when log.action = ${sql.lit(actions.add)} then 'add'
            when log.action = ${sql.lit(actions.delete)} then 'delete'
            when log."before" is null then 'insert' else 'set' end as act
          from (
            select * from ${log(build)} where ${within(build)}
            order by ${order} limit ${sql.lit(windowRows)}
          ) as log ${eachIfAny(build, 'importRun', itsRun)}
        ) as log ${eachIfAny(build, 'revenue', itsRecord)}
        where (${value('departmentId')} = '' or log."departmentId" = ${value('departmentId')})
          and (${value('act')} = '' or log.act = ${value('act')})
        order by log.id desc limit ${sql.lit(pageRows)}`
    }),
    /** The last of the entries that were looked at, where there are as many as may be. */
    endStatement: statement<{ id: number }>(
      (build) => sql`
        select log.id from ${log(build)} where ${within(build)}
        order by ${order} limit 1 offset ${sql.lit(windowRows - 1)}`,
    ),
  }
}

/** SQLite, which has counted nothing, takes the order of the table for as good. */
function logByActor({ dialect }: Build) {
  return dialect === 'sqlite'
    ? sql`"revenueLog" as log indexed by "revenueLogActor"`
    : sql`"revenueLog" as log`
}

const ofAll = among(false)
const ofSource = among(true)

/** From one sender to the next, by the index: as many steps as there are senders. */
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
