// Export lines of a destination and the open claims on them, for display.
import { rowsQuery } from '../queries.ts'
import { sql, type RawBuilder } from 'kysely'
import { itsExportLine } from './destination-line-sql.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { containsSearch, joinSearched, queryPerScope, type Departments } from '../material/approval-filter.ts'
import { orderTerms, type LineSort } from '../material/line-order.ts'
import type { Awaitable, Reader } from '../store.ts'
import type { ClaimTable, ExportLineTable, DestinationLineTable } from '../tables/exports.ts'

/** Ready lines, those of them that were reported as failed, or exported and closed lines. */
export type LineListName = 'waiting' | 'failed' | 'finished'

export type ListedLine = Pick<
  DestinationLineTable,
  'state' | 'failures' | 'parkedAt' | 'externalId' | 'acknowledgedAt' | 'acknowledgedBy'
> &
  Pick<
    ExportLineTable,
    'id' | 'lineKind' | 'date' | 'projectId' | 'itemId' | 'itemName' | 'unit' | 'quantity' | 'amount'
  > & {
    readonly projectName: string | null
    /** The holder of an open claim; null without one. */
    readonly holder: string | null
    /** The reason of the last reported failure. */
    readonly failure: string | null
  }

export interface LinePage {
  readonly destinationId: number
  /** Only ids below this one. */
  readonly before: number
  readonly skip: number
  readonly top: number
  /** Lower-case text in item, project, employee or remark, or the id; '' for all. */
  readonly search: string
  /** The latest first unless given. */
  readonly sort: LineSort | undefined
  /** Microseconds; expired claims are ignored. */
  readonly now: number
  readonly departments: Departments
}

/** The lines of a list, in the order of the page. */
export function listLines(
  reader: Reader,
  companyId: CompanyId,
  list: LineListName,
  { departments, sort, ...page }: LinePage,
): Awaitable<ListedLine[]> {
  const key = JSON.stringify([list, page.search !== '', sort?.by, sort?.isDescending])
  const query = queries.get(key) ?? linesOf(list, page.search !== '', sort)
  queries.set(key, query)
  return query(reader, { companyId, ...page }, departments)
}

export type OpenClaimSummary = Pick<ClaimTable, 'id' | 'destinationId' | 'holder' | 'createdAt' | 'expiresAt'> & {
  readonly count: number
}

/** The open claims; `now` in microseconds. */
export const listOpenClaimSummaries = rowsQuery<{ companyId: CompanyId; now: number }, OpenClaimSummary>(
  ({ value }) => sql`
    select claim.id, claim."destinationId", claim.holder, claim."createdAt", claim."expiresAt",
      (select count(*) from "claimLine" as line where line."companyId" = claim."companyId"
        and line."claimId" = claim.id) as count
    from claim where claim."companyId" = ${value('companyId')} and claim.state = 'open'
      and claim."expiresAt" > ${value('now')} order by claim.id`,
)

function linesOf(list: LineListName, isSearched: boolean, sort: LineSort | undefined) {
  return queryPerScope<ListValues, ListedLine>((build, inScope) => {
    const { value } = build
    const isFound = isSearched
      ? sql`(${containsSearch(build, 'line')} or cast(line.id as text) = ${value('search')})`
      : sql`true`
    const order = sort === undefined ? sql`` : sql`${orderTerms(build, sort, 'line')},`
    return sql`
    select line.id, line."lineKind", line.date, line."projectId", project.name as "projectName", line."itemId", line."itemName", line.unit, line.quantity,
      line.amount, "destinationLine".state, "destinationLine".failures, "destinationLine"."parkedAt", "destinationLine"."externalId", "destinationLine"."acknowledgedAt", "destinationLine"."acknowledgedBy",
      claim.holder, case when "destinationLine".failures > 0 then (select entry.reason from "ledgerEntry" as entry
        where entry."companyId" = "destinationLine"."companyId" and entry."lineId" = "destinationLine"."lineId"
          and entry."destinationId" = "destinationLine"."destinationId" and entry.action = 'failed' and entry.action <> 'acknowledged'
        order by entry.id desc limit 1) end as failure
    from "destinationLine"
    join "exportLine" as line on ${itsExportLine}
    left join claim on claim."companyId" = "destinationLine"."companyId" and claim.id = "destinationLine"."claimId"
      and claim.state = 'open' and claim."expiresAt" > ${value('now')}
    ${joinSearched('line')}
    where "destinationLine"."companyId" = ${value('companyId')} and "destinationLine"."destinationId" = ${value('destinationId')}
      and "destinationLine"."lineId" < ${value('before')} and ${conditions[list]} and ${inScope} and ${isFound}
    order by ${order} "destinationLine"."lineId" desc limit ${value('top')} offset ${value('skip')}`
  })
}

const conditions: Readonly<Record<LineListName, RawBuilder<unknown>>> = {
  waiting: sql`"destinationLine".state = 'ready'`,
  failed: sql`"destinationLine".state = 'ready' and "destinationLine".failures > 0`,
  finished: sql`"destinationLine".state in ('exported', 'closed')`,
}

type ListValues = Omit<LinePage, 'departments' | 'sort'> & { readonly companyId: CompanyId }

/** A query per list, search and order; there are few. */
const queries = new Map<string, ReturnType<typeof linesOf>>()
