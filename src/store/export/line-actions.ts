// Manual actions on lines: the lines that they are about, requeued, retried and withdrawn lines.
import { sql } from 'kysely'
import { itsExportLine, lineOfListedId, updateDestinationLines } from './destination-line-sql.ts'
import { transactionStates } from '../../model/transaction.ts'
import { revisionUnknown } from '../material/materials.ts'
import { idsCommand } from '../queries.ts'
import { joinEach, updateEach, rowsFromJson, statement, toIdRows } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { ExportLineTable, DestinationLineTable } from '../tables/exports.ts'

/** A line at a destination, with what a person should know before an action. */
export interface ActionCandidate
  extends
    Pick<
      DestinationLineTable,
      'state' | 'revision' | 'generation' | 'materialId' | 'postingDate' | 'externalId' | 'failures' | 'claimId'
    >,
    Pick<ExportLineTable, 'quantity' | 'amount'> {
  readonly id: number
  /** Whether a later line of the same transaction corrects this one. */
  readonly isCorrected: number
}

/** By id; without ids that were never lines there. */
export async function findActionCandidates(
  transaction: Transaction,
  destinationId: number,
  ids: readonly number[],
): Promise<Map<number, ActionCandidate>> {
  const rows = await transaction.all(actionCandidateStatement, {
    companyId: transaction.companyId,
    destinationId,
    ids: toIdRows(ids),
  })
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Sets lines to ready with the next generation; to withdrawn where their transaction was changed and awaits approval, or lacks its
 * content, which makes them ready. A transaction that is exported nowhere any more goes back to approved.
 */
export async function requeueLines(
  transaction: Transaction,
  destinationId: number,
  lines: readonly { readonly id: number; readonly materialId: number | null; readonly at: number }[],
): Promise<void> {
  if (lines.length === 0) return
  const values = { companyId: transaction.companyId, rows: JSON.stringify(lines) }
  await transaction.run(requeueStatement, { ...values, destinationId })
  await transaction.run(approveStatement, values)
}

export const actionCandidateStatement = statement<ActionCandidate>(
  (build) => sql`
    select r.id, "destinationLine".state, "destinationLine".revision, "destinationLine".generation, "destinationLine"."materialId", "destinationLine"."postingDate",
      "destinationLine"."externalId", "destinationLine".failures, "destinationLine"."claimId", line.quantity, line.amount,
      case when exists (select 1 from "exportLine" as later
        cross join "destinationLine" as correction
        where later."companyId" = line."companyId" and later."materialId" = line."materialId"
          and later."lineKind" <> 'Original' and later.id > line.id
          and correction."companyId" = later."companyId" and correction."destinationId" = "destinationLine"."destinationId"
          and correction."lineId" = later.id and correction.state <> 'withdrawn') then 1 else 0 end as "isCorrected"
    from ${rowsFromJson(build, 'ids', { id: 'integer' })}
    ${joinEach(build, 'destinationLine', lineOfListedId(build))}
    ${joinEach(build, 'exportLine', itsExportLine, 'line')}`,
)

const requeuedColumns = { id: 'integer', materialId: 'integer', at: 'integer' } as const

const awaitsApprovalOrContent = sql`exists (select 1 from material where material."companyId" = r."companyId" and material.id = r."materialId"
  and (material.state in (${sql.lit(transactionStates.registered)}, ${sql.lit(transactionStates.rejected)})
    or material.revision = ${sql.lit(revisionUnknown)}))`

const requeueStatement = statement((build) =>
  updateDestinationLines(build, {
    set: sql`state = case when ${awaitsApprovalOrContent} then 'withdrawn' else 'ready' end, generation = generation + 1, "readyAt" = r.at, "acknowledgedAt" = null,
      "acknowledgedBy" = null, "externalId" = null, "claimId" = null, failures = 0, "parkedAt" = null`,
    columns: requeuedColumns,
    states: ['exported', 'closed'],
  }),
)

/** Resets the failures of ready lines, and unparks them. */
export const retryLines = idsCommand<{ destinationId: number }>((build) =>
  updateDestinationLines(build, { set: sql`failures = 0, "parkedAt" = null`, states: ['ready'] }),
)

/** Sets the first revision on lines that were exported before their content was known. */
export const setFirstRevision = idsCommand<{ destinationId: number }>((build) =>
  updateDestinationLines(build, { set: sql`revision = 1`, states: ['exported', 'closed'] }),
)

export const withdrawReadyLines = idsCommand<{ destinationId: number }>((build) =>
  updateDestinationLines(build, { set: sql`state = 'withdrawn'`, states: ['ready'] }),
)

/** Joined by destination, because no index begins with the line: each would scan all lines of the company. */
export const approveStatement = statement((build) =>
  updateEach(build, {
    table: 'material',
    set: sql`state = ${sql.lit(transactionStates.approved)}, "exportedAt" = null, "changedAt" = r.at`,
    columns: requeuedColumns,
    where: sql`material."companyId" = r."companyId" and material.id = r."materialId"
      and material.state = ${sql.lit(transactionStates.exported)}
      and not exists (select 1 from destination cross join "destinationLine"
        where destination."companyId" = r."companyId" and "destinationLine"."companyId" = r."companyId"
          and "destinationLine"."destinationId" = destination.id and "destinationLine"."lineId" = r.id
          and "destinationLine".state in ('exported', 'closed'))`,
  }),
)
