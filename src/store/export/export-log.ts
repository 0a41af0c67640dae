// Export log: retrievals and ledger entries, to explain a line, a day or a difference.
import { rowsQuery } from '../queries.ts'
import { sql } from 'kysely'
import { itsExportLine } from './destination-line-sql.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { RetrievalTable, LedgerEntryTable, DestinationLineTable } from '../tables/exports.ts'

export interface DestinationKey {
  readonly companyId: CompanyId
  readonly destinationId: number
}

export type LedgerEntry = Omit<LedgerEntryTable, 'companyId' | 'destinationId'>

/** The ledger entries of a line, the oldest first. */
export const listLedgerEntries = rowsQuery<DestinationKey & { lineId: number }, LedgerEntry>(({ value }) => {
  const ofLine = sql`select id, "lineId", revision, generation, action, at, actor, "requestId", "externalId", "externalUrl",
    "externalBatchId", "claimId", code, reason from "ledgerEntry"
    where "companyId" = ${value('companyId')} and "destinationId" = ${value('destinationId')} and "lineId" = ${value('lineId')}`
  // Each part by its index.
  return sql`${ofLine} and action = 'acknowledged' union all ${ofLine} and action <> 'acknowledged' order by id`
})

const retrievalColumns = ['id', 'at', 'actor', 'requestId', 'query', 'count', 'quantity', 'amount', 'hash'] as const

export type Retrieval = Pick<RetrievalTable, (typeof retrievalColumns)[number]>

const selectedRetrieval = sql.join(retrievalColumns.map((name) => sql.ref(`retrieval.${name}`)))

/** The retrievals of a line since it was last ready, the oldest first: full ones, and the first partial one. */
export const listRetrievalsOfLine = rowsQuery<DestinationKey & { lineId: number }, Retrieval>(
  ({ value }) => sql`
    select ${selectedRetrieval} from "destinationLine"
    join retrieval on retrieval."companyId" = "destinationLine"."companyId"
      and retrieval."destinationId" = "destinationLine"."destinationId" and retrieval.at >= "destinationLine"."readyAt"
      and ("destinationLine"."acknowledgedAt" is null or retrieval.at <= "destinationLine"."acknowledgedAt")
    where "destinationLine"."companyId" = ${value('companyId')} and "destinationLine"."destinationId" = ${value('destinationId')}
      and "destinationLine"."lineId" = ${value('lineId')} and (retrieval.query is null or exists (
        select 1 from "retrievedLine" as retrieved where retrieved."companyId" = "destinationLine"."companyId"
          and retrieved."destinationId" = "destinationLine"."destinationId" and retrieved."lineId" = "destinationLine"."lineId"
          and retrieved."firstRetrievalId" between retrieval.id and coalesce(retrieval."lastRetrievalId", retrieval.id)))
    order by retrieval.at, retrieval.id limit 10000`,
)

/** From a time, included, to a time, excluded; microseconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The retrievals in a time range, the oldest first; at most 10,000. */
export const listRetrievals = rowsQuery<DestinationKey & TimeRange, Retrieval>(
  ({ value }) => sql`
    select ${selectedRetrieval} from retrieval
    where retrieval."companyId" = ${value('companyId')} and retrieval."destinationId" = ${value('destinationId')}
      and retrieval.at >= ${value('from')} and retrieval.at < ${value('to')}
    order by retrieval.at, retrieval.id limit 10000`,
)

/** The ledger entries of one action in one request. */
export type LedgerSummary = Pick<
  LedgerEntryTable,
  'action' | 'at' | 'actor' | 'requestId' | 'externalBatchId' | 'reason'
> & { readonly count: number; readonly firstLineId: number; readonly lastLineId: number }

/** Ledger entries in a time range, summed by request and action, the oldest first; at most 10,000. */
export const listLedgerSummaries = rowsQuery<DestinationKey & TimeRange, LedgerSummary>(
  ({ value }) => sql`
    ${ledgerSummaryColumns}
    from "ledgerEntry"
    where "companyId" = ${value('companyId')} and "destinationId" = ${value('destinationId')}
      and at >= ${value('from')} and at < ${value('to')}
    group by action, actor, "requestId" order by max(id) limit 10000`,
)

/** The state of a line, with every id that a receiver may know it by. */
export type ReconcileLine = Pick<
  DestinationLineTable,
  'lineId' | 'state' | 'revision' | 'acknowledgedAt' | 'externalId'
> & { readonly exportKey: string }

/** The next lines after an id, ascending. */
export const listReconcileLines = rowsQuery<DestinationKey & { after: number; limit: number }, ReconcileLine>(
  ({ value }) => sql`
    select "destinationLine"."lineId", "destinationLine".state, "destinationLine".revision, "destinationLine"."acknowledgedAt", "destinationLine"."externalId",
      case when "destinationLine".generation = 1 then line."exportKey"
        else line."exportKey" || '.g' || "destinationLine".generation end as "exportKey"
    from "destinationLine"
    join "exportLine" as line on ${itsExportLine}
    where "destinationLine"."companyId" = ${value('companyId')} and "destinationLine"."destinationId" = ${value('destinationId')}
      and "destinationLine"."lineId" > ${value('after')} order by "destinationLine"."lineId" limit ${value('limit')}`,
)

/** An alert for a person: what happened to which line, and who had acknowledged it before. */
export type LineAlert = Pick<LedgerEntryTable, 'id' | 'lineId' | 'at' | 'actor' | 'requestId' | 'code' | 'externalId'> &
  Pick<DestinationLineTable, 'acknowledgedAt' | 'acknowledgedBy'> & {
    readonly firstExternalId: string | null
    readonly exportKey: string
  }

/** The next alerts after a ledger id, the oldest first; at most 1,000. */
export const listAlerts = rowsQuery<DestinationKey & { after: number }, LineAlert>(
  ({ value }) => sql`
    select entry.id, entry."lineId", entry.at, entry.actor, entry."requestId", entry.code, entry."externalId",
      "destinationLine"."acknowledgedAt", "destinationLine"."acknowledgedBy", "destinationLine"."externalId" as "firstExternalId",
      case when entry.generation = 1 then line."exportKey"
        else line."exportKey" || '.g' || entry.generation end as "exportKey"
    from "ledgerEntry" as entry
    cross join "destinationLine"
    cross join "exportLine" as line
    where entry."companyId" = ${value('companyId')} and entry."destinationId" = ${value('destinationId')}
      and entry.action = 'alert' and entry.id > ${value('after')}
      and "destinationLine"."companyId" = entry."companyId" and "destinationLine"."destinationId" = entry."destinationId"
      and "destinationLine"."lineId" = entry."lineId"
      and line."companyId" = entry."companyId" and line.id = entry."lineId" and line.revision = "destinationLine".revision
    order by entry.id limit 1000`,
)

/** Of ledger entries that are grouped by action, actor and request. */
export const ledgerSummaryColumns = sql`
    select action, max(at) as at, actor, "requestId", max("externalBatchId") as "externalBatchId",
      max(reason) as reason, cast(count(*) as bigint) as count, min("lineId") as "firstLineId",
      max("lineId") as "lastLineId"`
