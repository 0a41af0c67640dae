// Line details: a line with its corrections and retrievals.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { DestinationKey } from './export-log.ts'
import { readyLinesTable } from './export-overview.ts'
import { statement, type Build } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'
import type {
  ClaimTable,
  ExportLineTable,
  RetrievalTable,
  DestinationLineTable,
} from '../tables/exports.ts'
import type { MaterialTable } from '../tables/materials.ts'

/** A line as it was last approved, with its state at a destination. */
export type ExportLineDetails = Omit<ExportLineTable, 'companyId' | 'createdAt' | 'externalId'> & {
  /** The external id that its source gave it. */
  readonly sourceExternalId: string | null
} & Omit<DestinationLineTable, 'companyId' | 'destinationId' | 'lineId' | 'materialId' | 'batchId'>

/** All lines of the transaction of a line, by id: the original and its corrections. */
export function listLinesOfTransaction(
  reader: Reader,
  destination: DestinationKey,
  lineId: number,
): Awaitable<ExportLineDetails[]> {
  return reader.all(linesOfTransactionStatement, { ...destination, lineId })
}

/** The transaction that a line was made from. */
export type LineOrigin = Pick<
  MaterialTable,
  'id' | 'state' | 'createdAt' | 'registeredBy' | 'decidedAt' | 'decidedBy'
>

export function findLineOrigin(
  reader: Reader,
  companyId: CompanyId,
  materialId: number,
): Awaitable<LineOrigin | undefined> {
  return reader.first(originStatement, { companyId, materialId })
}

/** A retrieval, with its claim if it has one. */
export type ExportRetrievalDetails = Omit<RetrievalTable, 'companyId'> & {
  readonly batchState: ClaimTable['state'] | null
  readonly expiresAt: number | null
}

export function findRetrieval(
  reader: Reader,
  companyId: CompanyId,
  id: number,
): Awaitable<ExportRetrievalDetails | undefined> {
  return reader.first(retrievalStatement, { companyId, id })
}

/**
 * The lines of a retrieval, the highest ids first: of a claim all of them; of a partial retrieval those that no earlier one
 * contained; of a full retrieval those that have not been requeued since, among the 100,000 below its highest id.
 */
export function listLinesOfRetrieval(
  reader: Reader,
  companyId: CompanyId,
  { id, destinationId, at, query, upperLineId, batchId }: ExportRetrievalDetails,
  page: { readonly before: number; readonly top: number },
): Awaitable<ExportLineDetails[]> {
  const common = { companyId, destinationId, ...page }
  if (batchId !== null) return reader.all(claimedStatement, { ...common, batchId })
  if (query !== null) return reader.all(partialStatement, { ...common, handOutId: id })
  return reader.all(fullStatement, { ...common, at, upperLineId })
}

/** Lines of a destination that have been ready since before a time. */
export interface OverdueLines {
  readonly destinationId: number
  readonly count: number
  /** Ten-thousandths. */
  readonly amount: number
  readonly oldestAt: number
}

/** By destination; `before` in microseconds. */
export async function listOverdueLines(
  reader: Reader,
  companyId: CompanyId,
  before: number,
): Promise<OverdueLines[]> {
  return (await reader.all(overdueStatement, { companyId, before })).map(
    ({ whole, part, ...late }) => ({
      ...late,
      amount: whole * 10_000 + part,
    }),
  )
}

const lineColumns =
  sql.raw(`line.id, line.revision, line."materialId", line."lineKind", line."reversesId",
  line."replacesId", line.date, line."employeeId", line."departmentId", line."projectId", line."siteId",
  line."itemId", line."itemName", line.quantity, line.unit, line."costPrice", line."salesPrice", line.amount,
  line."isBillable", line.remark, line.source, line."externalId" as "sourceExternalId"`)

const destinationLineColumns =
  sql.raw(`offer.generation, offer.state, offer."readyAt", offer."postingDate",
  offer."approvedAt", offer."approvedBy", offer.failures, offer."markedAt", offer."markedBy", offer."externalId",
  case when offer.generation = 1 then line."exportKey"
    else line."exportKey" || '.g' || offer.generation end as "exportKey"`)

function itsDestinationLine({ value }: Build): RawBuilder<unknown> {
  return sql`
  offer."companyId" = line."companyId" and offer."destinationId" = ${value('destinationId')}
  and offer."lineId" = line.id and offer.revision = line.revision`
}

/** An original has the id of its transaction; corrections refer to it. */
const linesOfTransactionStatement = statement<ExportLineDetails>(
  (build) => sql`
    select ${lineColumns}, ${destinationLineColumns}
    from (select "materialId" from "exportLine" where "companyId" = ${build.value('companyId')}
        and id = ${build.value('lineId')} limit 1) as requested
    cross join "exportLine" as line
    cross join offer
    where line."companyId" = ${build.value('companyId')} and line.id = requested."materialId"
      and ${itsDestinationLine(build)}
    union all
    select ${lineColumns}, ${destinationLineColumns}
    from (select "materialId" from "exportLine" where "companyId" = ${build.value('companyId')}
        and id = ${build.value('lineId')} limit 1) as requested
    cross join "exportLine" as line
    cross join offer
    where line."companyId" = ${build.value('companyId')} and line."materialId" = requested."materialId"
      and line."lineKind" <> 'Original' and ${itsDestinationLine(build)}
    order by 1`,
)

const originStatement = statement<LineOrigin>(
  ({ value }) => sql`
    select id, state, "createdAt", "registeredBy", "decidedAt", "decidedBy" from material
    where "companyId" = ${value('companyId')} and id = ${value('materialId')}`,
)

const retrievalStatement = statement<ExportRetrievalDetails>(
  ({ value }) => sql`
    select "handOut".id, "handOut"."destinationId", "handOut".actor, "handOut"."requestId", "handOut".at,
      "handOut".query, "handOut"."upperLineId", "handOut".count, "handOut".quantity, "handOut".amount,
      "handOut".hash, "handOut"."batchId", batch.state as "batchState", batch."expiresAt"
    from "handOut"
    left join batch on batch."companyId" = "handOut"."companyId" and batch.id = "handOut"."batchId"
    where "handOut"."companyId" = ${value('companyId')} and "handOut".id = ${value('id')}`,
)

const claimedStatement = statement<ExportLineDetails>(
  (build) => sql`
    select ${lineColumns}, ${destinationLineColumns}
    from "batchLine" as claimed
    cross join "exportLine" as line
    cross join offer
    where claimed."companyId" = ${build.value('companyId')} and claimed."batchId" = ${build.value('batchId')}
      and claimed."lineId" < ${build.value('before')}
      and line."companyId" = claimed."companyId" and line.id = claimed."lineId"
      and line.revision = claimed.revision
      and offer."companyId" = line."companyId" and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = line.id
    order by claimed."lineId" desc limit ${build.value('top')}`,
)

const partialStatement = statement<ExportLineDetails>(
  (build) => sql`
    select ${lineColumns}, ${destinationLineColumns}
    from "servedLine" as served
    cross join "exportLine" as line
    cross join offer
    where served."companyId" = ${build.value('companyId')}
      and served."destinationId" = ${build.value('destinationId')}
      and served."lineId" < ${build.value('before')}
      and served."firstHandOutId" = ${build.value('handOutId')}
      and line."companyId" = served."companyId" and line.id = served."lineId"
      and line.revision = served.revision
      and offer."companyId" = line."companyId" and offer."destinationId" = served."destinationId"
      and offer."lineId" = line.id
    order by served."lineId" desc limit ${build.value('top')}`,
)

const fullStatement = statement<ExportLineDetails>(
  (build) => sql`
    select ${lineColumns}, ${destinationLineColumns}
    from (
      select * from offer where "companyId" = ${build.value('companyId')}
        and "destinationId" = ${build.value('destinationId')}
        and "lineId" < ${build.value('before')} and "lineId" <= ${build.value('upperLineId')}
      order by "lineId" desc limit 100000) as offer
    cross join "exportLine" as line
    where offer."readyAt" <= ${build.value('at')} and offer.state <> 'withdrawn'
      and (offer."markedAt" is null or offer."markedAt" >= ${build.value('at')})
      and line."companyId" = offer."companyId" and line.id = offer."lineId"
      and line.revision = offer.revision
    order by offer."lineId" desc limit ${build.value('top')}`,
)

const overdueStatement = statement<Omit<OverdueLines, 'amount'> & { whole: number; part: number }>(
  (build) => sql`
    select offer."destinationId", cast(count(*) as bigint) as count,
      cast(coalesce(sum(line.amount / 10000), 0) as bigint) as whole,
      cast(coalesce(sum(line.amount % 10000), 0) as bigint) as part, min(offer."readyAt") as "oldestAt"
    from ${readyLinesTable(build)}
    cross join "exportLine" as line
    where offer."companyId" = ${build.value('companyId')} and offer.state = 'ready'
      and offer."readyAt" < ${build.value('before')}
      and line."companyId" = offer."companyId" and line.id = offer."lineId"
      and line.revision = offer.revision
    group by offer."destinationId" order by offer."destinationId"`,
)
