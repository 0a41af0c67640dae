// Retrieval log compaction: after 400 days the retrievals of a day are merged into one row.
import { createHash } from 'node:crypto'
import { companyIdForOperator } from '../auth/caller.ts'
import { formatLargeDecimal } from '../lib/decimal.ts'
import { microsecondsPerDay } from '../lib/timestamp.ts'
import { forEachCompany } from '../store/accounts/companies.ts'
import {
  listCompactableRetrievals,
  recordCompaction,
  replaceRetrievals,
  listPendingCompactions,
  type CompactableRetrieval,
  type PendingCompaction,
} from '../store/export/compact-retrievals.ts'
import type { Store, Transaction } from '../store/store.ts'

/**
 * Merges older retrievals, at most `rowsMax` for each destination; the rest is left to the next run. `now` is in
 * microseconds; tests set `rowsMax`.
 */
export async function compactRetrievals(store: Store, now: number, rowsMax = 5000): Promise<void> {
  const before = startOfDay(now) - retentionDays * microsecondsPerDay
  await forEachCompany(store, async (company) => {
    const companyId = companyIdForOperator(company)
    for (const pending of await listPendingCompactions(store, { companyId, before }))
      await store.inTransaction(companyId, (transaction) =>
        compactChunk(transaction, pending, { before, limit: rowsMax }),
      )
  })
}

const retentionDays = 400

function startOfDay(at: number): number {
  return at - (at % microsecondsPerDay)
}

async function compactChunk(
  transaction: Transaction,
  pending: PendingCompaction,
  range: { readonly before: number; readonly limit: number },
): Promise<void> {
  const found = await listCompactableRetrievals(transaction, { ...pending, ...range })
  const days = [...Map.groupBy(found, ({ at }) => startOfDay(at))]
  const isAll = found.length < range.limit
  const [last] = days.at(-1) ?? [range.before]
  // The last day may be incomplete, so it waits for the next run. A day that alone exceeds the limit is merged in parts.
  const completeDays = isAll || days.length === 1 ? days : days.slice(0, -1)
  for (const [, day] of completeDays) {
    const ids = day.map(({ id }) => id)
    if (day.length > 1) await replaceRetrievals(transaction, ids, compactDay(day, pending.destinationId))
  }
  const compactedUntil = isAll ? range.before : last
  await recordCompaction(transaction, { id: pending.destinationId, compactedUntil })
}

/** A retrieval of the whole list proves more than a filtered one: all that was ready by then was retrieved. */
function compactDay(day: readonly CompactableRetrieval[], destinationId: number): CompactableRetrieval {
  const ids = day.map(({ id, lastRetrievalId }) => [id, lastRetrievalId ?? id]).flat()
  const fullRetrieval = day.findLast(({ query }) => query === null)
  const actors = new Set(day.map(({ actor }) => actor))
  const [actor] = actors
  return {
    id: Math.min(...ids),
    destinationId,
    lastRetrievalId: Math.max(...ids),
    at: fullRetrieval?.at ?? day.at(-1)?.at ?? 0,
    actor: actors.size === 1 && actor !== undefined ? actor : 'several',
    requestId: '',
    query: fullRetrieval === undefined ? 'compacted' : null,
    lastLineId: Math.max(...day.map(({ lastLineId }) => lastLineId)),
    count: day.reduce((sum, { count }) => sum + count, 0),
    quantity: sumDecimals(day.map(({ quantity }) => quantity)),
    amount: sumDecimals(day.map(({ amount }) => amount)),
    hash: createHash('sha256')
      .update(day.map(({ hash }) => hash).join(','))
      .digest('base64url'),
    claimId: null,
    retrievalCount: day.reduce((sum, { retrievalCount }) => sum + retrievalCount, 0),
  }
}

/** Sums are decimal text with four places. */
function sumDecimals(texts: readonly string[]): string {
  return formatLargeDecimal(texts.reduce((sum, text) => sum + BigInt(text.replace('.', '')), 0n))
}
