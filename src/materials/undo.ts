// A person puts exported lines back on the list, takes waiting ones off it, tries parked ones again, or sends lines back to approval.
import type { Fault } from '#faults.ts'
import { inSlices } from '#lib/next-tick.ts'
import { audit, told, type Deed } from '#materials/deed.ts'
import { nextState } from '#materials/lifecycle.ts'
import { decideOn } from '#materials/decide.ts'
import { states } from '#model/transaction.ts'
import type { Destination } from '#store/destinations.ts'
import { writeLedger, type NewEntry } from '#store/ledger.ts'
import { closeLines } from '#store/marks.ts'
import type { Transaction } from '#store/store.ts'
import { offerAgain, retryLines, undoables, type Undoable } from '#store/undo.ts'

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
  readonly code: ReturnAct | 'not_found' | 'not_allowed'
  /** The line as it stood. */
  readonly met?: Undoable
  /** Why it is not allowed, where its own state would. */
  readonly fault?: Fault | undefined
}

/** What is done to a line, as the ledger calls it. */
export type ReturnAct = 'undone' | 'closed' | 'retried' | 'sent_back'

const isAllowed: Readonly<Record<ReturnAct, (line: Undoable) => boolean>> = {
  undone: ({ state, isCorrected }) =>
    (state === 'exported' || state === 'closed') && isCorrected === 0,
  closed: ({ state }) => state === 'ready',
  retried: ({ state, failures }) => state === 'ready' && failures > 0,
  // A reversal puts right what was exported: nobody approves it.
  sent_back: ({ state, materialId }) => state === 'ready' && materialId !== null,
}

/** What would become of each, with nothing done: for a person who looks first. */
export const judgeReturns = async (
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  act: ReturnAct,
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
  why: Why,
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
  why: Why,
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

/** The cause is away: failures are forgotten, and claims take the lines again. */
export const retryExports = (
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  why: Why,
): Promise<readonly Returned[]> =>
  returned(transaction, destination, ids, {
    ...why,
    act: 'retried',
    apply: (retried) => retryLines(transaction, destination.id, retried),
  })

/**
 * The receiver cannot take them as they are: their approval is withdrawn, everywhere, and they await another. What
 * a worker holds stays where it is.
 */
export const sendBack = (
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  why: Why,
): Promise<readonly Returned[]> =>
  returned(transaction, destination, ids, {
    ...why,
    act: 'sent_back',
    apply: async (lines) => {
      const materialIds = lines.flatMap(({ materialId }) => materialId ?? [])
      const decision = { act: 'withdraw', reason: null } as const
      const outcomes = await decideOn(transaction, materialIds, decision, why.deed)
      const refused = new Map(
        outcomes.filter(({ code }) => code !== 'withdrawn').map((one) => [one.id, one.fault]),
      )
      return new Map(
        lines.flatMap(({ id, materialId }) =>
          materialId !== null && refused.has(materialId) ? [[id, refused.get(materialId)]] : [],
        ),
      )
    },
  })

interface Why {
  readonly reason: Reason
  readonly deed: Deed
}

interface Returning extends Why {
  readonly act: ReturnAct
  /** Answers which lines it could not do after all, and why. */
  readonly apply: (
    lines: readonly { id: number; materialId: number | null; revision: number; at: number }[],
  ) => Promise<ReadonlyMap<number, Fault | undefined> | void>
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
    const allowed = judged.flatMap(({ code, met }) => (code === act && met ? met : []))
    const first = transaction.counters.takeStamps(deed.now, allowed.length)
    const refused = await apply(allowed.map((line, index) => ({ ...line, at: first + index })))
    const done = allowed.filter(({ id }) => refused?.has(id) !== true)
    for (const one of judged)
      outcomes.push(
        refused?.has(one.id) ? { ...one, code: 'not_allowed', fault: refused.get(one.id) } : one,
      )
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
        batchId: line.batchId,
        code: reason.code,
        reason: reason.text === '' ? null : reason.text,
      })),
    )
  })
  const done = outcomes.filter(({ code }) => code === act).map(({ id }) => id)
  await audit(transaction, deed, act, done, { destination: destination.id, code: reason.code })
  if (act === 'undone') {
    const where = { destination: destination.name }
    await told(transaction, deed, 'export.undone', done, where)
    await told(transaction, deed, 'export.ready', done, where)
  }
  return outcomes
}
