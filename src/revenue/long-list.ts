// Processes long lists in chunks within one transaction, so that other requests run in between.
import { forEachChunk, yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { publishChange } from '../notifications/webhooks/publish.ts'
import type { RevenueWriteHandler, RevenueRowOutcome, StoredRevenueRow } from './types.ts'

/**
 * Chunks long lists; several rows of one record still all get its final values. Publishes the change. `threadChunkRows` is the
 * length of a chunk whose statements run on a thread of their own.
 */
export function inChunks(handler: RevenueWriteHandler, threadChunkRows = chunkRows): RevenueWriteHandler {
  return async (transaction, rows, context) => {
    const outcomes: RevenueRowOutcome[] = []
    const applied: number[] = []
    let stored = 0
    let isAscending = true
    let last = 0
    const length = transaction.hasOwnThread ? threadChunkRows : chunkRows
    for (let start = 0; start < rows.length; start += length) {
      if (start > 0) await yieldToEventLoop()
      for (const outcome of await handler(transaction, rows.slice(start, start + length), context)) {
        outcomes.push(outcome)
        if ('problem' in outcome) continue
        stored += 1
        const { id } = outcome.record
        isAscending &&= id > last
        last = id
        if (outcome.isApplied) applied.push(id)
      }
    }
    // Where ids ascend, as they often do in a list by date, none is there twice, which a set takes longer to find out.
    const changed = isAscending ? applied : await listDistinct(applied)
    // Fewer ids than rows: several rows of one record, or rows that changed nothing.
    const mayRepeat = !isAscending && changed.length < stored
    if (mayRepeat && rows.length > chunkRows) await replaceWithLatest(outcomes)
    await publishChange(transaction, context, 'revenue.changed', changed)
    return outcomes
  }
}

/** Small enough that a concurrent read waits only some 1.5 ms; whole statements of twenty rows. */
export const chunkRows = 120

/** Each id once. A set of 100,000 takes 15 ms each time that it grows, so there are many. */
async function listDistinct(ids: readonly number[]): Promise<number[]> {
  const sets = Array.from({ length: 64 }, () => new Set<number>())
  const distinct: number[] = []
  await forEachChunk(ids, 10 * chunkRows, (chunk) => {
    for (const id of chunk) {
      const seen = sets[id % sets.length]
      if (seen?.has(id) !== false) continue
      seen.add(id)
      distinct.push(id)
    }
  })
  return distinct
}

async function replaceWithLatest(outcomes: RevenueRowOutcome[]): Promise<void> {
  const latest = new Map<number, StoredRevenueRow>()
  await forEachChunk(outcomes, 10 * chunkRows, (chunk) => {
    for (const outcome of chunk) {
      if ('problem' in outcome) continue
      const { id } = outcome.record
      latest.set(id, latest.get(id)?.isNew === true ? { ...outcome, isNew: true } : outcome)
    }
  })
  await forEachChunk(outcomes, 10 * chunkRows, (chunk, start) => {
    chunk.forEach((outcome, index) => {
      if ('problem' in outcome) return
      const last = latest.get(outcome.record.id)
      if (last !== undefined) outcomes[start + index] = { ...last, isApplied: outcome.isApplied }
    })
  })
}
