// Correction pairs: a reversal and its replacement are retrieved together.
import { sql } from 'kysely'
import { forEachChunk } from '../../lib/yield-to-event-loop.ts'
import { rowsFromJson, statement, toIdRows } from '../statement.ts'
import type { Reader } from '../store.ts'

/** The other line of a correction pair that is ready at the destination. */
export interface PairedLine {
  /** The id of the requested line. */
  readonly id: number
  readonly pairedId: number
  /** Whether the paired line can be claimed: it is in no open claim, and not parked. */
  readonly isFree: number
  /** How often the paired line was reported as failed. */
  readonly failures: number
  /** Whether the requested line is the replacement. */
  readonly isReplacement: number
}

/** For those of the lines that belong to a correction pair: the other line, where it is ready too. */
export async function findPairedLines(
  reader: Reader,
  at: { readonly companyId: number; readonly destinationId: number },
  ids: readonly number[],
): Promise<PairedLine[]> {
  const pairs: PairedLine[] = []
  await forEachChunk(ids, chunkLines, async (chunk) => {
    pairs.push(...(await reader.all(pairsStatement, { ...at, ids: toIdRows(chunk) })))
  })
  return pairs
}

/** Lines per statement: some milliseconds. */
const chunkLines = 2000

/** The reversal and its replacement have consecutive ids. */
const pairsStatement = statement<PairedLine>(
  (build) => sql`
    select r.id, paired."lineId" as "pairedId", paired.failures,
      case when paired."parkedAt" is null and claim.id is null then 1 else 0 end as "isFree",
      case when line."lineKind" = 'Erstatning' then 1 else 0 end as "isReplacement"
    from ${rowsFromJson(build, 'ids', { id: 'integer' })}
    cross join "exportLine" as line
    cross join "exportLine" as other
    cross join "destinationLine" as paired
    left join claim on claim."companyId" = paired."companyId" and claim.id = paired."claimId"
      and claim.state = 'open'
    where line."companyId" = ${build.value('companyId')} and line.id = r.id and line."lineKind" <> 'Original'
      and other."companyId" = ${build.value('companyId')} and other."materialId" = line."materialId"
      and other.id = r.id + case when line."lineKind" = 'Reversering' then 1 else -1 end
      and other."lineKind" <> 'Original' and other."lineKind" <> line."lineKind"
      and paired."companyId" = ${build.value('companyId')}
      and paired."destinationId" = ${build.value('destinationId')} and paired."lineId" = other.id
      and paired.state = 'ready'`,
)
