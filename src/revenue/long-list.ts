// A long list is worked on in slices of one transaction, so that other callers have their turn in between.
import { inSlices } from '#lib/next-tick.ts'
import type { RevenueAct, RowOutcome, StoredRow } from '#revenue/act.ts'

/** The same act for lists of any length; rows of one record still all show it as it is stored in the end. */
export const forLongLists =
  (act: RevenueAct): RevenueAct =>
  async (transaction, rows, deed) => {
    if (rows.length <= sliceRows) return act(transaction, rows, deed)
    const outcomes: RowOutcome[] = []
    await inSlices(rows, sliceRows, async (slice) => {
      outcomes.push(...(await act(transaction, slice, deed)))
    })
    return withLatest(outcomes)
  }

const sliceRows = 500

const withLatest = async (outcomes: readonly RowOutcome[]): Promise<RowOutcome[]> => {
  const latest = new Map<number, StoredRow>()
  await inSlices(outcomes, 10 * sliceRows, (slice) => {
    for (const outcome of slice) {
      if ('refused' in outcome) continue
      const isNew = outcome.isNew || latest.get(outcome.record.id)?.isNew === true
      latest.set(outcome.record.id, { ...outcome, isNew })
    }
  })
  const shown: RowOutcome[] = []
  await inSlices(outcomes, 10 * sliceRows, (slice) => {
    for (const outcome of slice) {
      if ('refused' in outcome) shown.push(outcome)
      else
        shown.push({
          ...(latest.get(outcome.record.id) ?? outcome),
          isApplied: outcome.isApplied,
        })
    }
  })
  return shown
}
