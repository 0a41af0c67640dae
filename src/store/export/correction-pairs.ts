// A reversal and the replacement behind it belong together: one is not handed out without the other.
import { sql } from 'kysely'
import { rowsOf, statement } from '../statement.ts'
import type { Awaitable, Transaction } from '../store.ts'

/** The other half of a correction, as it waits at the destination. */
export interface OtherHalf {
  /** Of the line that was asked about. */
  readonly id: number
  readonly otherId: number
  /** Whether a claim may take it: nobody holds it, and it is not parked. */
  readonly isFree: number
  /** How often the other was reported as failed. */
  readonly failures: number
  /** Whether the line that was asked about is the replacement. */
  readonly isReplacement: number
}

/** Of those of the lines that are half of a correction whose other half waits too. */
export function otherHalves(
  transaction: Transaction,
  destinationId: number,
  ids: readonly number[],
): Awaitable<OtherHalf[]> {
  return transaction.all(halvesStatement, {
    companyId: transaction.companyId,
    destinationId,
    ids: JSON.stringify(ids.map((id) => ({ id }))),
  })
}

/** The two get their numbers one after the other, the reversal first. */
const halvesStatement = statement<OtherHalf>(
  (build) => sql`
    select r.id, beside."lineId" as "otherId", beside.failures,
      case when beside."parkedAt" is null and batch.id is null then 1 else 0 end as "isFree",
      case when line."lineKind" = 'Erstatning' then 1 else 0 end as "isReplacement"
    from ${rowsOf(build, 'ids', { id: 'integer' })}
    cross join "exportLine" as line
    cross join "exportLine" as other
    cross join offer as beside
    left join batch on batch."companyId" = beside."companyId" and batch.id = beside."batchId"
      and batch.state = 'open'
    where line."companyId" = ${build.value('companyId')} and line.id = r.id and line."lineKind" <> 'Original'
      and other."companyId" = ${build.value('companyId')} and other."materialId" = line."materialId"
      and other.id = r.id + case when line."lineKind" = 'Reversering' then 1 else -1 end
      and other."lineKind" <> 'Original' and other."lineKind" <> line."lineKind"
      and beside."companyId" = ${build.value('companyId')}
      and beside."destinationId" = ${build.value('destinationId')} and beside."lineId" = other.id
      and beside.state = 'ready'`,
)
