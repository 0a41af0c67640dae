// Line details: a line with its corrections and retrievals.
import { selectWhere } from '../row-statements.ts'
import { rowsQuery, rowQuery } from '../queries.ts'
import { sql, type RawBuilder } from 'kysely'
import { itsExportLine } from './destination-line-sql.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { DestinationKey } from './export-log.ts'
import { statement, type Build } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'
import type { ClaimTable, ExportLineTable, RetrievalTable, DestinationLineTable } from '../tables/exports.ts'
import type { MaterialTable } from '../tables/materials.ts'

/** A line as it was last approved, with its state at a destination. */
export type ExportLineDetails = Omit<ExportLineTable, 'companyId' | 'createdAt' | 'externalId'> & {
  /** The external id that its source gave it. */
  readonly sourceExternalId: string | null
} & Omit<DestinationLineTable, 'companyId' | 'destinationId' | 'lineId' | 'materialId' | 'claimId'>

/** Of records that the directory has. */
export type NamedExportLine = ExportLineDetails & {
  readonly projectName: string | null
  readonly departmentName: string | null
}

/** All lines of the transaction of a line, by id: the original and its corrections. */
export const listLinesOfTransaction = rowsQuery<DestinationKey & { lineId: number }, NamedExportLine>((build) => {
  const linesWhere = (condition: RawBuilder<unknown>) => sql`
    select ${lineColumns}, ${destinationLineColumns}, project.name as "projectName", department.name as "departmentName"
    from (select "materialId" from "exportLine" where "companyId" = ${build.value('companyId')}
        and id = ${build.value('lineId')} limit 1) as requested
    cross join "exportLine" as line
    cross join "destinationLine"
    left join project on project."companyId" = line."companyId" and project.id = line."projectId"
    left join department on department."companyId" = line."companyId" and department.id = line."departmentId"
    where line."companyId" = ${build.value('companyId')} and ${condition} and ${itsDestinationLine(build)}`
  const original = sql`line.id = requested."materialId"`
  const corrections = sql`line."materialId" = requested."materialId" and line."lineKind" <> 'Original'`
  return sql`${linesWhere(original)} union all ${linesWhere(corrections)} order by 1`
})

/** The transaction that a line was made from. */
export type LineOrigin = Pick<MaterialTable, 'id' | 'state' | 'createdAt' | 'registeredBy' | 'decidedAt' | 'decidedBy'>

export const findLineOrigin = rowQuery(
  selectWhere('material', ['companyId', 'id'], {
    columns: ['id', 'state', 'createdAt', 'registeredBy', 'decidedAt', 'decidedBy'],
  }),
)

/** A retrieval, with its claim if it has one. */
export type ExportRetrievalDetails = Omit<RetrievalTable, 'companyId'> & {
  readonly claimState: ClaimTable['state'] | null
  readonly expiresAt: number | null
}

export const findRetrieval = rowQuery<{ companyId: CompanyId; id: number }, ExportRetrievalDetails>(
  ({ value }) => sql`
    select retrieval.id, retrieval."destinationId", retrieval.actor, retrieval."requestId", retrieval.at,
      retrieval.query, retrieval."lastLineId", retrieval.count, retrieval.quantity, retrieval.amount,
      retrieval.hash, retrieval."claimId", claim.state as "claimState", claim."expiresAt"
    from retrieval
    left join claim on claim."companyId" = retrieval."companyId" and claim.id = retrieval."claimId"
    where retrieval."companyId" = ${value('companyId')} and retrieval.id = ${value('id')}`,
)

/**
 * The lines of a retrieval, the highest ids first: of a claim all of them; of a partial retrieval those that no earlier one
 * contained; of a full retrieval those that have not been requeued since, among the 100,000 below its highest id.
 */
export function listLinesOfRetrieval(
  reader: Reader,
  companyId: CompanyId,
  { id, destinationId, at, query, lastLineId, claimId }: ExportRetrievalDetails,
  page: { readonly before: number; readonly top: number },
): Awaitable<ExportLineDetails[]> {
  const common = { companyId, destinationId, ...page }
  if (claimId !== null) return reader.all(claimedStatement, { ...common, claimId })
  if (query !== null) return reader.all(partialStatement, { ...common, retrievalId: id })
  return reader.all(fullStatement, { ...common, at, lastLineId })
}

const lineColumns = sql.raw(`line.id, line.revision, line."materialId", line."lineKind", line."reversesId",
  line."replacesId", line.date, line."employeeId", line."departmentId", line."projectId", line."siteId",
  line."itemId", line."itemName", line.quantity, line.unit, line."costPrice", line."salesPrice", line.amount,
  line."isBillable", line.remark, line.source, line."externalId" as "sourceExternalId"`)

const destinationLineColumns =
  sql.raw(`"destinationLine".generation, "destinationLine".state, "destinationLine"."readyAt", "destinationLine"."postingDate",
  "destinationLine"."approvedAt", "destinationLine"."approvedBy", "destinationLine".failures, "destinationLine"."acknowledgedAt", "destinationLine"."acknowledgedBy", "destinationLine"."externalId",
  case when "destinationLine".generation = 1 then line."exportKey"
    else line."exportKey" || '.g' || "destinationLine".generation end as "exportKey"`)

function itsDestinationLine({ value }: Build): RawBuilder<unknown> {
  return sql`
  "destinationLine"."companyId" = line."companyId" and "destinationLine"."destinationId" = ${value('destinationId')}
  and "destinationLine"."lineId" = line.id and "destinationLine".revision = line.revision`
}

/** The lines that a table lists, in the revision that it names. */
function listedLines(table: 'claimLine' | 'retrievedLine', condition: (build: Build) => RawBuilder<unknown>) {
  return statement<ExportLineDetails>(
    (build) => sql`
    select ${lineColumns}, ${destinationLineColumns}
    from ${sql.table(table)} as listed
    cross join "exportLine" as line
    cross join "destinationLine"
    where listed."companyId" = ${build.value('companyId')} and ${condition(build)}
      and listed."lineId" < ${build.value('before')}
      and line."companyId" = listed."companyId" and line.id = listed."lineId" and line.revision = listed.revision
      and "destinationLine"."companyId" = line."companyId"
      and "destinationLine"."destinationId" = ${build.value('destinationId')}
      and "destinationLine"."lineId" = line.id
    order by listed."lineId" desc limit ${build.value('top')}`,
  )
}

const claimedStatement = listedLines('claimLine', ({ value }) => sql`listed."claimId" = ${value('claimId')}`)

const partialStatement = listedLines(
  'retrievedLine',
  ({ value }) => sql`listed."destinationId" = ${value('destinationId')}
      and listed."firstRetrievalId" = ${value('retrievalId')}`,
)

const fullStatement = statement<ExportLineDetails>(
  (build) => sql`
    select ${lineColumns}, ${destinationLineColumns}
    from (
      select * from "destinationLine" where "companyId" = ${build.value('companyId')}
        and "destinationId" = ${build.value('destinationId')}
        and "lineId" < ${build.value('before')} and "lineId" <= ${build.value('lastLineId')}
      order by "lineId" desc limit 100000) as "destinationLine"
    cross join "exportLine" as line
    where "destinationLine"."readyAt" <= ${build.value('at')} and "destinationLine".state <> 'withdrawn'
      and ("destinationLine"."acknowledgedAt" is null or "destinationLine"."acknowledgedAt" >= ${build.value('at')})
      and ${itsExportLine}
    order by "destinationLine"."lineId" desc limit ${build.value('top')}`,
)
