// Export log: retrievals and ledger entries, to explain a line, a day or a difference.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'
import type { RetrievalTable, LedgerEntryTable, DestinationLineTable } from '../tables/exports.ts'

/** One destination of a company. */
export interface DestinationKey {
  readonly companyId: CompanyId
  readonly destinationId: number
}

export type LedgerEntry = Omit<LedgerEntryTable, 'companyId' | 'destinationId' | 'wasServed'>

/** The ledger entries of a line, the oldest first. */
export function listLedgerEntries(
  reader: Reader,
  destination: DestinationKey,
  lineId: number,
): Awaitable<LedgerEntry[]> {
  return reader.all(entriesOfLineStatement, { ...destination, lineId })
}

export type Retrieval = Pick<
  RetrievalTable,
  'id' | 'at' | 'actor' | 'requestId' | 'query' | 'count' | 'quantity' | 'amount' | 'hash'
>

/** The retrievals of a line since it was last ready, the oldest first: full ones, and the first partial one. */
export function listRetrievalsOfLine(
  reader: Reader,
  destination: DestinationKey,
  lineId: number,
): Awaitable<Retrieval[]> {
  return reader.all(retrievalsOfLineStatement, { ...destination, lineId })
}

/** From a time, included, to a time, excluded; microseconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The retrievals in a time range, the oldest first; at most 10,000. */
export function listRetrievals(
  reader: Reader,
  destination: DestinationKey,
  range: TimeRange,
): Awaitable<Retrieval[]> {
  return reader.all(retrievalsStatement, { ...destination, ...range })
}

/** The ledger entries of one action in one request. */
export type LedgerSummary = Pick<
  LedgerEntryTable,
  'act' | 'at' | 'actor' | 'requestId' | 'externalBatchId' | 'reason'
> & { readonly count: number; readonly firstLineId: number; readonly lastLineId: number }

/** Ledger entries in a time range, summed by request and action, the oldest first; at most 10,000. */
export function listLedgerSummaries(
  reader: Reader,
  destination: DestinationKey,
  range: TimeRange,
): Awaitable<LedgerSummary[]> {
  return reader.all(ledgerSummaryStatement, { ...destination, ...range })
}

/** The state of a line, with every id that a receiver may know it by. */
export type ReconcileLine = Pick<
  DestinationLineTable,
  'lineId' | 'state' | 'revision' | 'markedAt' | 'externalId'
> & { readonly exportKey: string }

/** The next lines after an id, ascending. */
export function listReconcileLines(
  reader: Reader,
  destination: DestinationKey,
  after: number,
  limit: number,
): Awaitable<ReconcileLine[]> {
  return reader.all(reconcileStatement, { ...destination, after, limit })
}

/** An alert for a person: what happened to which line, and who had acknowledged it before. */
export type LineAlert = Pick<
  LedgerEntryTable,
  'id' | 'lineId' | 'at' | 'actor' | 'requestId' | 'code' | 'externalId'
> &
  Pick<DestinationLineTable, 'markedAt' | 'markedBy'> & {
    readonly firstExternalId: string | null
    readonly exportKey: string
  }

/** The next alerts after a ledger id, the oldest first; at most 1,000. */
export function listAlerts(
  reader: Reader,
  destination: DestinationKey,
  after: number,
): Awaitable<LineAlert[]> {
  return reader.all(alertsStatement, { ...destination, after })
}

const entriesOfLineStatement = statement<LedgerEntry>(({ db, value }) =>
  db
    .selectFrom('ledgerEntry')
    .select([
      'id',
      'lineId',
      'revision',
      'generation',
      'act',
      'at',
      'actor',
      'requestId',
      'externalId',
      'externalUrl',
      'externalBatchId',
      'batchId',
      'code',
      'reason',
    ])
    .where('companyId', '=', value('companyId'))
    .where('destinationId', '=', value('destinationId'))
    .where('lineId', '=', value('lineId'))
    .orderBy('id'),
)

const retrievalColumns = sql`"handOut".id, "handOut".at, "handOut".actor, "handOut"."requestId", "handOut".query,
  "handOut".count, "handOut".quantity, "handOut".amount, "handOut".hash`

const retrievalsOfLineStatement = statement<Retrieval>(
  ({ value }) => sql`
    select ${retrievalColumns} from offer
    join "handOut" on "handOut"."companyId" = offer."companyId"
      and "handOut"."destinationId" = offer."destinationId" and "handOut".at >= offer."readyAt"
      and (offer."markedAt" is null or "handOut".at <= offer."markedAt")
    where offer."companyId" = ${value('companyId')} and offer."destinationId" = ${value('destinationId')}
      and offer."lineId" = ${value('lineId')} and ("handOut".query is null or exists (
        select 1 from "servedLine" as served where served."companyId" = offer."companyId"
          and served."destinationId" = offer."destinationId" and served."lineId" = offer."lineId"
          and served."firstHandOutId" between "handOut".id and coalesce("handOut"."throughId", "handOut".id)))
    order by "handOut".id limit 10000`,
)

const retrievalsStatement = statement<Retrieval>(
  ({ value }) => sql`
    select ${retrievalColumns} from "handOut"
    where "handOut"."companyId" = ${value('companyId')} and "handOut"."destinationId" = ${value('destinationId')}
      and "handOut".at >= ${value('from')} and "handOut".at < ${value('to')}
    order by "handOut".id limit 10000`,
)

const ledgerSummaryStatement = statement<LedgerSummary>(
  ({ value }) => sql`
    select act, max(at) as at, actor, "requestId", max("externalBatchId") as "externalBatchId",
      max(reason) as reason, cast(count(*) as bigint) as count, min("lineId") as "firstLineId",
      max("lineId") as "lastLineId"
    from "ledgerEntry"
    where "companyId" = ${value('companyId')} and "destinationId" = ${value('destinationId')}
      and at >= ${value('from')} and at < ${value('to')}
    group by act, actor, "requestId" order by max(id) limit 10000`,
)

const reconcileStatement = statement<ReconcileLine>(
  ({ value }) => sql`
    select offer."lineId", offer.state, offer.revision, offer."markedAt", offer."externalId",
      case when offer.generation = 1 then line."exportKey"
        else line."exportKey" || '.g' || offer.generation end as "exportKey"
    from offer
    join "exportLine" as line on line."companyId" = offer."companyId" and line.id = offer."lineId"
      and line.revision = offer.revision
    where offer."companyId" = ${value('companyId')} and offer."destinationId" = ${value('destinationId')}
      and offer."lineId" > ${value('after')} order by offer."lineId" limit ${value('limit')}`,
)

const alertsStatement = statement<LineAlert>(
  ({ value }) => sql`
    select entry.id, entry."lineId", entry.at, entry.actor, entry."requestId", entry.code, entry."externalId",
      offer."markedAt", offer."markedBy", offer."externalId" as "firstExternalId",
      case when entry.generation = 1 then line."exportKey"
        else line."exportKey" || '.g' || entry.generation end as "exportKey"
    from "ledgerEntry" as entry
    cross join offer
    cross join "exportLine" as line
    where entry."companyId" = ${value('companyId')} and entry."destinationId" = ${value('destinationId')}
      and entry.act = 'alarm' and entry.id > ${value('after')}
      and offer."companyId" = entry."companyId" and offer."destinationId" = entry."destinationId"
      and offer."lineId" = entry."lineId"
      and line."companyId" = entry."companyId" and line.id = entry."lineId" and line.revision = offer.revision
    order by entry.id limit 1000`,
)
