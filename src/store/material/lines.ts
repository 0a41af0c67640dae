// Frozen lines: approved content, line by line and revision by revision.
import { sql } from 'kysely'
import { rowsFromJson, statement } from '../statement.ts'
import type { Awaitable, Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import { columnNames } from '../tables/define-table.ts'
import type { ExportLineTable, DestinationLineTable } from '../tables/exports.ts'

export interface FrozenLine
  extends Omit<ExportLineTable, 'companyId'>, Pick<DestinationLineTable, 'approvedAt' | 'approvedBy'> {
  /** The last known revision of its transaction. */
  readonly lastRevision: number
}

/** Lines by id and revision, with their last approval. */
export function listFrozenLines(
  transaction: Transaction,
  lines: readonly { readonly id: number; readonly revision: number }[],
): Awaitable<FrozenLine[]> {
  return transaction.all(linesStatement, { companyId: transaction.companyId, lines: JSON.stringify(lines) })
}

const selected = sql.join(columnNames(tables.exportLine).map((name) => sql.ref(`line.${name}`)))

const linesStatement = statement<FrozenLine>(
  (build) => sql`
    select ${selected}, "destinationLine"."approvedAt", "destinationLine"."approvedBy",
      coalesce((select max(past.revision) from "materialRevision" as past
        where past."companyId" = line."companyId" and past."materialId" = line."materialId"), 1) as "lastRevision"
    from ${rowsFromJson(build, 'lines', { id: 'integer', revision: 'integer' })}
    cross join "exportLine" as line
    cross join "destinationLine"
    where line."companyId" = ${build.value('companyId')} and line.id = r.id and line.revision = r.revision
      and "destinationLine"."companyId" = ${build.value('companyId')} and "destinationLine"."lineId" = r.id
      and "destinationLine"."destinationId" = (select min(destination.id) from destination cross join "destinationLine" as one
        where destination."companyId" = ${build.value('companyId')} and one."companyId" = destination."companyId"
          and one."destinationId" = destination.id and one."lineId" = r.id)`,
)
