// SQL of destination lines: their update by a list of ids, and the join to the content of the line.
import { sql, type RawBuilder } from 'kysely'
import { updateEach, type Build, type UpdateEachOptions } from '../statement.ts'
import type { DestinationLineTable } from '../tables/exports.ts'

interface UpdateDestinationLinesOptions extends Pick<UpdateEachOptions, 'set' | 'columns'> {
  /** Lines in other states are left as they are. */
  readonly states: readonly DestinationLineTable['state'][]
}

/** The line of the destination `destinationId` whose id is that of the list `r`. */
export function lineOfListedId({ value }: Build): RawBuilder<unknown> {
  return sql`"destinationLine"."companyId" = ${value('companyId')}
    and "destinationLine"."destinationId" = ${value('destinationId')} and "destinationLine"."lineId" = r.id`
}

/** Updates the lines of the destination `destinationId` whose ids are in the list `rows`. */
export function updateDestinationLines(
  build: Build,
  { states, ...update }: UpdateDestinationLinesOptions,
): RawBuilder<unknown> {
  return updateEach(build, {
    ...update,
    table: 'destinationLine',
    where: sql`"destinationLine"."companyId" = r."companyId" and "destinationLine"."destinationId" = ${build.value('destinationId')}
      and "destinationLine"."lineId" = r.id and "destinationLine".state in (${sql.join(states.map((state) => sql.lit(state)))})`,
  })
}

/** The condition that joins `exportLine`, as `line`, to a destination line: the revision that was approved last. */
export const itsExportLine =
  sql.raw(`line."companyId" = "destinationLine"."companyId" and line.id = "destinationLine"."lineId"
  and line.revision = "destinationLine".revision`)
