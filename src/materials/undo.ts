// A person puts exported lines back on the list, with a reason; or takes waiting ones off it, because they were handled elsewhere.
import { inSlices } from '#lib/next-tick.ts'
import { audit, type Deed } from '#materials/deed.ts'
import { nextState } from '#materials/lifecycle.ts'
import { states } from '#model/transaction.ts'
import type { Destination } from '#store/destinations.ts'
import { writeLedger, type NewEntry } from '#store/ledger.ts'
import { closeLines } from '#store/marks.ts'
import type { Transaction } from '#store/store.ts'
import { offerAgain, undoables, type Undoable } from '#store/undo.ts'

/** Why: one of a few codes, and a text. */
export interface Reason {
  readonly code: string
  readonly text: string
}

export const reasonCodes: readonly string[] = [
  'wrong_destination',
  'target_restored',
  'test',
  'other',
]

export interface Returned {
  readonly id: number
  readonly code: 'undone' | 'closed' | 'not_found' | 'not_allowed'
  /** The line as it stood. */
  readonly met?: Undoable
}

type Act = 'undone' | 'closed'

const isAllowed: Readonly<Record<Act, (line: Undoable) => boolean>> = {
  undone: ({ state, isCorrected }) =>
    (state === 'exported' || state === 'closed') && isCorrected === 0,
  closed: ({ state }) => state === 'ready',
}

/** What would become of each, with nothing done: for a person who looks first. */
export const judgeReturns = async (
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  act: Act,
): Promise<readonly Returned[]> => {
  const found = await undoables(transaction, destination.id, ids)
  return ids.map((id): Returned => {
    const met = found.get(id)
    if (met === undefined) return { id, code: 'not_found' }
    return { id, code: isAllowed[act](met) ? act : 'not_allowed', met }
  })
}

/** A new generation with a new export key, so that the receiver does not drop it as a repeat; the ledger keeps all. */
export const undoExports = (
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  why: { readonly reason: Reason; readonly deed: Deed },
): Promise<readonly Returned[]> =>
  returned(transaction, destination, ids, {
    ...why,
    act: 'undone',
    apply: (undone) => {
      const to = nextState(states.exported, 'undo') ?? states.approved
      return offerAgain(transaction, destination.id, undone, { from: states.exported, to })
    },
  })

/** Handled elsewhere: not delivered, not offered any more, and undone like an export. */
export const closeExports = (
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  why: { readonly reason: Reason; readonly deed: Deed },
): Promise<readonly Returned[]> =>
  returned(transaction, destination, ids, {
    ...why,
    act: 'closed',
    apply: (closed) =>
      closeLines(transaction, destination.id, closed, {
        actor: why.deed.actor,
        from: states.approved,
        to: states.exported,
      }),
  })

interface Returning {
  readonly act: Act
  readonly reason: Reason
  readonly deed: Deed
  readonly apply: (
    lines: readonly { id: number; materialId: number | null; revision: number; at: number }[],
  ) => Promise<void>
}

const returned = async (
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  { act, reason, deed, apply }: Returning,
): Promise<readonly Returned[]> => {
  const outcomes: Returned[] = []
  await inSlices(ids, 2000, async (slice) => {
    const judged = await judgeReturns(transaction, destination, slice, act)
    outcomes.push(...judged)
    const done = judged.flatMap(({ code, met }) => (code === act && met ? met : []))
    const first = transaction.counters.takeStamps(deed.now, done.length)
    await apply(done.map((line, index) => ({ ...line, at: first + index })))
    await writeLedger(
      transaction,
      done.map((line, index): NewEntry => ({
        destinationId: destination.id,
        lineId: line.id,
        revision: line.revision,
        generation: line.generation,
        act,
        at: first + index,
        actor: deed.actor,
        requestId: deed.requestId,
        wasServed: 1,
        externalId: line.externalId,
        externalUrl: null,
        externalBatchId: null,
        batchId: null,
        code: reason.code,
        reason: reason.text,
      })),
    )
  })
  const done = outcomes.filter(({ code }) => code === act).map(({ id }) => id)
  await audit(transaction, deed, act, done, { destination: destination.id, code: reason.code })
  return outcomes
}
