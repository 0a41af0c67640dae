// The view `exportable`: lines that a destination may retrieve.
import { contentColumns } from './field-columns.ts'

/**
 * The lines that a destination may retrieve, as `TransaksjonsEksport` shows them: the line as it was approved, its state
 * at the destination, and who has claimed it. From the second generation on, the export key has the generation behind it.
 */
export const exportableView = `
  select "destinationLine"."companyId", "destinationLine"."destinationId", "destinationLine"."lineId" as id, "destinationLine"."readyAt",
    ${Object.keys(contentColumns)
      .map((name) => `line."${name}"`)
      .join(', ')},
    'Godkjent' as state, null as "rejectionReason", "destinationLine"."approvedAt", "destinationLine"."approvedBy",
    cast(null as bigint) as "exportedAt", "destinationLine"."readyAt" as "changedAt", line."createdAt",
    line."materialId" as "transactionId", line.revision, line."lineKind", line."reversesId", line."replacesId",
    case when "destinationLine".generation = 1 then line."exportKey"
      else line."exportKey" || '.g' || "destinationLine".generation end as "exportKey",
    "destinationLine"."postingDate", claim.holder as "claimedBy", claim."expiresAt" as "claimedUntil", "destinationLine".failures, "destinationLine"."parkedAt"
  from "destinationLine"
  join "exportLine" as line on line."companyId" = "destinationLine"."companyId" and line.id = "destinationLine"."lineId"
    and line.revision = "destinationLine".revision
  left join claim on claim."companyId" = "destinationLine"."companyId" and claim.id = "destinationLine"."claimId"
    and claim.state = 'open'
  where "destinationLine".state = 'ready'`
