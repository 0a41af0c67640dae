// Manual actions on export lines: undo an export, close, retry, or send back to approval.
import type { Fault } from '../errors/catalog.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import { audit, told, type Deed } from '../material/action-context.ts'
import { nextState } from '../material/lifecycle.ts'
import { decideOn } from '../material/decide.ts'
import { states } from '../model/transaction.ts'
import type { Destination } from '../store/export/destinations.ts'
import { writeLedger, type NewEntry } from '../store/material/ledger.ts'
import { closeLines } from '../store/export/acknowledgements.ts'
import type { Transaction } from '../store/store.ts'
import { offerAgain, retryLines, undoables, type Undoable } from '../store/export/export-undo.ts'

/** A reason: a code and a free text. */
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
  /** The line before the action. */
  readonly met?: Undoable
  /** Why it is not allowed, when the line's own state would allow it. */
  readonly fault?: Fault | undefined
}

/** An action on a line, by its name in the ledger. */
export type ReturnAct = 'undone' | 'closed' | 'retried' | 'sent_back'

interface Return {
  readonly isAllowed: (line: Undoable) => boolean
  /** Returns the lines that it could not change after all, with the error. */
  readonly apply: (doing: Doing, lines: readonly Returning[]) => Promise<Refused | void>
}

interface Doing {
  readonly transaction: Transaction
  readonly destination: Destination
  readonly deed: Deed
}

type Returning = Undoable & { readonly at: number }

type Refused = ReadonlyMap<number, Fault | undefined>

/**
 * The states that each action requires, and its effect. An undone line gets a new generation and a new export key, so
 * that the receiver does not drop it as a repeat. A closed line was handled elsewhere: it is no longer exported, and can
 * be undone like an exported one.
 */
const returns: Readonly<Record<ReturnAct, Return>> = {
  undone: {
    isAllowed: ({ state, isCorrected }) =>
      (state === 'exported' || state === 'closed') && isCorrected === 0,
    apply: ({ transaction, destination }, lines) => {
      const to = nextState(states.exported, 'undo') ?? states.approved
      return offerAgain(transaction, destination.id, lines, { from: states.exported, to })
    },
  },
  closed: {
    isAllowed: ({ state }) => state === 'ready',
    apply: ({ transaction, destination, deed }, lines) =>
      closeLines(transaction, destination.id, lines, {
        actor: deed.actor,
        from: states.approved,
        to: states.exported,
      }),
  },
  // The cause is fixed: clears the failure count, so that claims include the lines again.
  retried: {
    isAllowed: ({ state, failures }) => state === 'ready' && failures > 0,
    apply: ({ transaction, destination }, lines) => retryLines(transaction, destination.id, lines),
  },
  // The receiver cannot store them as they are. A reversal has no approval of its own, so it cannot be sent back.
  sent_back: {
    isAllowed: ({ state, materialId }) => state === 'ready' && materialId !== null,
    apply: (doing, lines) => withdrawn(doing, lines),
  },
}

/** A preview: the result each line would have, with nothing changed. */
export async function judgeReturns(
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  act: ReturnAct,
): Promise<readonly Returned[]> {
  const found = await undoables(transaction, destination.id, ids)
  return ids.map((id): Returned => {
    const met = found.get(id)
    if (met === undefined) return { id, code: 'not_found' }
    return { id, code: returns[act].isAllowed(met) ? act : 'not_allowed', met }
  })
}

export interface Deciding {
  readonly act: ReturnAct
  readonly reason: Reason
  readonly deed: Deed
}

/** Applies the action to every line it can; returns one result per line, and writes the ledger. */
export async function returnLines(
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  { act: action, reason, deed }: Deciding,
): Promise<readonly Returned[]> {
  const outcomes: Returned[] = []
  await inSlices(ids, 2000, async (slice) => {
    const judged = await judgeReturns(transaction, destination, slice, action)
    const allowed = judged.flatMap(({ code, met }) => (code === action && met ? met : []))
    const first = transaction.counters.takeStamps(deed.now, allowed.length)
    const lines = allowed.map((line, index) => ({ ...line, at: first + index }))
    const refused = await returns[action].apply({ transaction, destination, deed }, lines)
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
        act: action,
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
  const done = outcomes.filter(({ code }) => code === action).map(({ id }) => id)
  await audit(transaction, deed, action, done, { destination: destination.id, code: reason.code })
  if (action === 'undone') {
    const where = { destination: destination.name }
    await told(transaction, deed, 'export.undone', done, where)
    await told(transaction, deed, 'export.ready', done, where)
  }
  return outcomes
}

/** Withdraws the approval at every destination. Lines that a worker has claimed are left out. */
async function withdrawn(
  { transaction, deed }: Doing,
  lines: readonly Returning[],
): Promise<Refused> {
  const materialIds = lines.flatMap(({ materialId }) => materialId ?? [])
  const outcomes = await decideOn(transaction, materialIds, { act: 'withdraw', reason: null }, deed)
  const refused = new Map(
    outcomes.filter(({ code }) => code !== 'withdrawn').map((one) => [one.id, one.fault]),
  )
  return new Map(
    lines.flatMap(({ id, materialId }) =>
      materialId !== null && refused.has(materialId) ? [[id, refused.get(materialId)]] : [],
    ),
  )
}
