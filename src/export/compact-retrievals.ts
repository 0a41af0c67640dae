// Retrieval log compaction: after 400 days the retrievals of a day are merged into one row.
import { createHash } from 'node:crypto'
import { openedByOperator } from '../auth/caller.ts'
import { writeLargeDecimal } from '../lib/decimal.ts'
import { microsecondsPerDay } from '../lib/timestamp.ts'
import { listCompanies } from '../store/accounts/companies.ts'
import {
  foldables,
  noteFolded,
  replaceHandOuts,
  unfoldedBefore,
  type Foldable,
  type Unfolded,
} from '../store/export/compact-retrievals.ts'
import type { Store, Transaction } from '../store/store.ts'

/**
 * Merges older retrievals, at most `rowsMax` for each destination; the rest is left to the next run. `now` is in
 * microseconds; tests set `rowsMax`.
 */
export async function foldHandOuts(store: Store, now: number, most = 5000): Promise<void> {
  const before = startOfDay(now) - keptDays * microsecondsPerDay
  for (const company of await listCompanies(store)) {
    const companyId = openedByOperator(company)
    for (const unfolded of await unfoldedBefore(store, companyId, before))
      await store.inTransaction(companyId, (transaction) =>
        foldSome(transaction, unfolded, { before, limit: most }),
      )
  }
}

const keptDays = 400

function startOfDay(at: number): number {
  return at - (at % microsecondsPerDay)
}

async function foldSome(
  transaction: Transaction,
  unfolded: Unfolded,
  range: { readonly before: number; readonly limit: number },
): Promise<void> {
  const found = await foldables(transaction, unfolded, range)
  const days = [...Map.groupBy(found, ({ at }) => startOfDay(at))]
  const isAll = found.length < range.limit
  const [last] = days.at(-1) ?? [range.before]
  // The last day may be incomplete, so it waits for the next run. A day that alone exceeds the limit is merged in parts.
  const whole = isAll || days.length === 1 ? days : days.slice(0, -1)
  for (const [, day] of whole)
    if (day.length > 1)
      await replaceHandOuts(
        transaction,
        day.map(({ id }) => id),
        folded(day),
      )
  await noteFolded(transaction, unfolded.destinationId, isAll ? range.before : last)
}

/** A retrieval of the whole list proves more than a filtered one: all that was ready by then was retrieved. */
function folded(day: readonly Foldable[]): Foldable {
  const ids = day.map(({ id, throughId }) => [id, throughId ?? id]).flat()
  const whole = day.findLast(({ query }) => query === null)
  const actors = new Set(day.map(({ actor }) => actor))
  const [actor] = actors
  return {
    id: Math.min(...ids),
    throughId: Math.max(...ids),
    at: whole?.at ?? day.at(-1)?.at ?? 0,
    actor: actors.size === 1 && actor !== undefined ? actor : 'several',
    requestId: '',
    query: whole === undefined ? 'folded' : null,
    upperLineId: Math.max(...day.map(({ upperLineId }) => upperLineId)),
    count: day.reduce((sum, { count }) => sum + count, 0),
    quantity: sumOf(day.map(({ quantity }) => quantity)),
    amount: sumOf(day.map(({ amount }) => amount)),
    hash: createHash('sha256')
      .update(day.map(({ hash }) => hash).join(','))
      .digest('base64url'),
    batchId: null,
    retrievals: day.reduce((sum, { retrievals }) => sum + retrievals, 0),
  }
}

/** Sums are decimal text with four places. */
function sumOf(texts: readonly string[]): string {
  return writeLargeDecimal(texts.reduce((sum, text) => sum + BigInt(text.replace('.', '')), 0n))
}
