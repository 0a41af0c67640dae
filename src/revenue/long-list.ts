// Processes long lists in chunks within one transaction, so that other requests run in between.
import { inSlices } from '../lib/yield-to-event-loop.ts'
import type { RevenueAct, RowOutcome, StoredRow } from './types.ts'

/** Chunks long lists; several rows of one record still all get its final values. */
export function forLongLists(act: RevenueAct): RevenueAct {
  return async (transaction, rows, deed) => {
    if (rows.length <= sliceRows) return act(transaction, rows, deed)
    const outcomes: RowOutcome[] = []
    const latest = new Map<number, StoredRow>()
    let isRepeated = false
    await inSlices(rows, sliceRows, async (slice) => {
      for (const outcome of await act(transaction, slice, deed)) {
        outcomes.push(outcome)
        if ('refused' in outcome) continue
        const { id } = outcome.record
        const earlier = latest.get(id)
        isRepeated ||= earlier !== undefined
        latest.set(id, earlier?.isNew === true ? { ...outcome, isNew: true } : outcome)
      }
    })
    if (isRepeated) await showLatest(outcomes, latest)
    return outcomes
  }
}

/** Small enough that a concurrent read waits only some 4 ms. */
const sliceRows = 250

function showLatest(outcomes: RowOutcome[], latest: ReadonlyMap<number, StoredRow>): Promise<void> {
  return inSlices(outcomes, 10 * sliceRows, (slice, start) => {
    slice.forEach((outcome, index) => {
      if ('refused' in outcome) return
      const last = latest.get(outcome.record.id)
      if (last !== undefined) outcomes[start + index] = { ...last, isApplied: outcome.isApplied }
    })
  })
}
