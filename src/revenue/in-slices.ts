// A long list is worked on in slices of one transaction, so that other callers have their turn in between.
import { nextTick } from '#lib/next-tick.ts'
import type { RevenueAct, RowOutcome, Stored } from '#revenue/act.ts'

/** The same act for lists of any length; rows of one record still all show it as it is stored in the end. */
export const inSlices =
  (act: RevenueAct): RevenueAct =>
  async (transaction, rows, deed) => {
    if (rows.length <= sliceRows) return act(transaction, rows, deed)
    const outcomes: RowOutcome[] = []
    for (let start = 0; start < rows.length; start += sliceRows) {
      outcomes.push(...(await act(transaction, rows.slice(start, start + sliceRows), deed)))
      await nextTick()
    }
    return withLatest(outcomes)
  }

const sliceRows = 500

const withLatest = (outcomes: readonly RowOutcome[]): RowOutcome[] => {
  const latest = new Map<number, Stored>()
  for (const outcome of outcomes) {
    if ('refused' in outcome) continue
    const isNew = outcome.isNew || latest.get(outcome.record.id)?.isNew === true
    latest.set(outcome.record.id, { ...outcome, isNew })
  }
  return outcomes.map((outcome) => {
    if ('refused' in outcome) return outcome
    const last = latest.get(outcome.record.id) ?? outcome
    return { ...last, isApplied: outcome.isApplied }
  })
}
