// Frozen lines: approved content, line by line and revision by revision.
import { sql } from 'kysely'
import { tables } from '../tables.ts'
import { columnNames } from '../tables/define-table.ts'
import type { ExportLineTable, DestinationLineTable } from '../tables/exports.ts'
import { listQuery, type NoValues } from '../queries.ts'

export interface FrozenLine
  extends Omit<ExportLineTable, 'companyId'>, Pick<DestinationLineTable, 'approvedAt' | 'approvedBy'> {
  /** The last known revision of its transaction. */
  readonly lastRevision: number
}

const selected = sql.join(columnNames(tables.exportLine).map((name) => sql.ref(`line.${name}`)))

/** Lines by id and revision, with their last approval. */
export const listFrozenLines = listQuery<{ id: number; revision: number }, NoValues, FrozenLine>(
  { id: 'integer', revision: 'integer' },
  ({ value }, lines) => sql`
    select ${selected}, "destinationLine"."approvedAt", "destinationLine"."approvedBy",
      coalesce((select max(past.revision) from "materialRevision" as past
        where past."companyId" = line."companyId" and past."materialId" = line."materialId"), 1) as "lastRevision"
    from ${lines}
    cross join "exportLine" as line
    cross join "destinationLine"
    where line."companyId" = ${value('companyId')} and line.id = r.id and line.revision = r.revision
      and "destinationLine"."companyId" = ${value('companyId')} and "destinationLine"."lineId" = r.id
      and "destinationLine"."destinationId" = (select min(destination.id) from destination cross join "destinationLine" as one
        where destination."companyId" = ${value('companyId')} and one."companyId" = destination."companyId"
          and one."destinationId" = destination.id and one."lineId" = r.id)`,
)
