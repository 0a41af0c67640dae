// Export lines of a destination and the open claims on them, for display.
import { rowsQuery } from '../queries.ts'
import { sql, type RawBuilder } from 'kysely'
import { itsExportLine } from './destination-line-sql.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { statementPerScope, type Departments } from '../material/approval-filter.ts'
import type { Awaitable, Reader } from '../store.ts'
import type { ClaimTable, ExportLineTable, DestinationLineTable } from '../tables/exports.ts'

/** Ready lines, those of them that were reported as failed, or exported and closed lines. */
export type LineListName = 'waiting' | 'failed' | 'finished'

export type ListedLine = Pick<
  DestinationLineTable,
  'state' | 'failures' | 'parkedAt' | 'externalId' | 'acknowledgedAt' | 'acknowledgedBy'
> &
  Pick<ExportLineTable, 'id' | 'lineKind' | 'date' | 'itemId' | 'itemName' | 'unit' | 'quantity' | 'amount'> & {
    /** The holder of an open claim; null without one. */
    readonly holder: string | null
    /** The reason of the last reported failure. */
    readonly failure: string | null
  }

export interface LinePage {
  readonly destinationId: number
  /** Only ids below this one. */
  readonly before: number
  readonly top: number
  /** Microseconds; expired claims are ignored. */
  readonly now: number
  readonly departments: Departments
}

/** The lines of a list, the latest first. */
export function listLines(
  reader: Reader,
  companyId: CompanyId,
  list: LineListName,
  { departments, ...page }: LinePage,
): Awaitable<ListedLine[]> {
  return reader.all(statements[list](departments), { companyId, ...page, departments: JSON.stringify(departments) })
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

function linesWhere(condition: RawBuilder<unknown>) {
  return statementPerScope<ListedLine>(
    ({ value }, inScope) => sql`
    select line.id, line."lineKind", line.date, line."itemId", line."itemName", line.unit, line.quantity,
      line.amount, "destinationLine".state, "destinationLine".failures, "destinationLine"."parkedAt", "destinationLine"."externalId", "destinationLine"."acknowledgedAt", "destinationLine"."acknowledgedBy",
      claim.holder, case when "destinationLine".failures > 0 then (select entry.reason from "ledgerEntry" as entry
        where entry."companyId" = "destinationLine"."companyId" and entry."lineId" = "destinationLine"."lineId"
          and entry."destinationId" = "destinationLine"."destinationId" and entry.action = 'failed'
        order by entry.id desc limit 1) end as failure
    from "destinationLine"
    join "exportLine" as line on ${itsExportLine}
    left join claim on claim."companyId" = "destinationLine"."companyId" and claim.id = "destinationLine"."claimId"
      and claim.state = 'open' and claim."expiresAt" > ${value('now')}
    where "destinationLine"."companyId" = ${value('companyId')} and "destinationLine"."destinationId" = ${value('destinationId')}
      and "destinationLine"."lineId" < ${value('before')} and ${condition} and ${inScope}
    order by "destinationLine"."lineId" desc limit ${value('top')}`,
  )
}

const statements: Readonly<Record<LineListName, ReturnType<typeof linesWhere>>> = {
  waiting: linesWhere(sql`"destinationLine".state = 'ready'`),
  failed: linesWhere(sql`"destinationLine".state = 'ready' and "destinationLine".failures > 0`),
  finished: linesWhere(sql`"destinationLine".state in ('exported', 'closed')`),
}
