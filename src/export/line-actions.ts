// Manual actions on export lines: undo an export, close, retry, or send back to approval.
import type { ApiError } from '../errors/api-error.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { auditMaterial } from '../material/audit-and-events.ts'
import { publishChange } from '../notifications/webhooks/publish.ts'
import { decideTransactions } from '../material/decide.ts'
import type { Destination } from '../store/export/destinations.ts'
import { insertLedgerEntries, type NewLedgerEntry } from '../store/material/ledger.ts'
import { closeLines } from '../store/export/acknowledgements.ts'
import type { Transaction } from '../store/store.ts'
import { requeueLines, retryLines, findActionCandidates, type ActionCandidate } from '../store/export/line-actions.ts'

export interface CodedReason {
  readonly code: string
  readonly text: string
}

export const reasonCodes: readonly string[] = ['wrong_destination', 'target_restored', 'test', 'other']

export interface EvaluatedLineAction {
  readonly id: number
  readonly code: LineAction | 'not_found' | 'not_allowed'
  /** The line before the action. */
  readonly line?: ActionCandidate
  /** Why it is not allowed, when the line's own state would allow it. */
  readonly error?: ApiError | undefined
}

/** An action on a line, by its name in the ledger. */
export type LineAction = 'undone' | 'closed' | 'retried' | 'sent_back'

interface LineActionRule {
  readonly isAllowed: (line: ActionCandidate) => boolean
  /** Returns the lines that it could not change after all, with the error. */
  readonly apply: (on: DestinationWrite, lines: readonly TimestampedLine[]) => Promise<RejectedLines | void>
}

/** A write at a destination. */
export interface DestinationWrite {
  readonly transaction: Transaction
  readonly destination: Destination
  readonly context: WriteContext
}

type TimestampedLine = ActionCandidate & { readonly at: number }

type RejectedLines = ReadonlyMap<number, ApiError | undefined>

/**
 * The states that each action requires, and its effect. An undone line gets a new generation and a new export key, so
 * that the receiver does not drop it as a repeat. A closed line was handled elsewhere: it is no longer exported, and can
 * be undone like an exported one.
 */
const lineActionRules: Readonly<Record<LineAction, LineActionRule>> = {
  undone: {
    isAllowed: ({ state, isCorrected }) => (state === 'exported' || state === 'closed') && isCorrected === 0,
    apply: ({ transaction, destination }, lines) => requeueLines(transaction, destination.id, lines),
  },
  closed: {
    isAllowed: ({ state }) => state === 'ready',
    apply: ({ transaction, destination, context }, lines) =>
      closeLines(transaction, destination.id, lines, context.actor),
  },
  // The cause is fixed: clears the failure count, so that claims include the lines again.
  retried: {
    isAllowed: ({ state, failures }) => state === 'ready' && failures > 0,
    apply: async ({ transaction, destination: { id: destinationId } }, lines) => {
      const ids = lines.map(({ id }) => id)
      await retryLines(transaction, ids, { destinationId })
    },
  },
  // The receiver cannot store them as they are. A reversal has no approval of its own, so it cannot be sent back.
  sent_back: {
    isAllowed: ({ state, materialId }) => state === 'ready' && materialId !== null,
    apply: withdrawApprovals,
  },
}

/** A preview: the result each line would have, with nothing changed. */
export async function evaluateLineAction(
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  action: LineAction,
): Promise<readonly EvaluatedLineAction[]> {
  const evaluated: EvaluatedLineAction[] = []
  await forEachChunk(ids, chunkLines, async (chunk) => {
    const found = await findActionCandidates(transaction, destination.id, chunk)
    for (const id of chunk) {
      const line = found.get(id)
      const isAllowed = line !== undefined && lineActionRules[action].isAllowed(line)
      if (line === undefined) evaluated.push({ id, code: 'not_found' })
      else evaluated.push({ id, code: isAllowed ? action : 'not_allowed', line })
    }
  })
  return evaluated
}

/** Few enough that the statements of a chunk take some milliseconds each. */
const chunkLines = 250

export interface LineActionDecision {
  readonly action: LineAction
  readonly reason: CodedReason
  readonly context: WriteContext
}

/** Applies the action to every line it can; returns one result per line, and writes the ledger. */
export async function applyLineAction(
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  { action, reason, context }: LineActionDecision,
): Promise<readonly EvaluatedLineAction[]> {
  const outcomes: EvaluatedLineAction[] = []
  const ready: number[] = []
  await forEachChunk(ids, chunkLines, async (chunk) => {
    const previewed = await evaluateLineAction(transaction, destination, chunk, action)
    const allowed = previewed.flatMap(({ code, line }) => (code === action && line ? line : []))
    const first = transaction.sequences.nextStamps(context.now, allowed.length)
    const lines = allowed.map((line, index) => ({ ...line, at: first + index }))
    const rejected = await lineActionRules[action].apply({ transaction, destination, context }, lines)
    const done = allowed.filter(({ id }) => rejected?.has(id) !== true)
    for (const one of previewed)
      outcomes.push(rejected?.has(one.id) ? { ...one, code: 'not_allowed', error: rejected.get(one.id) } : one)
    await insertLedgerEntries(
      transaction,
      done.map((line, index): NewLedgerEntry => ({
        destinationId: destination.id,
        lineId: line.id,
        revision: line.revision,
        generation: line.generation,
        action,
        at: first + index,
        actor: context.actor,
        requestId: context.requestId,
        externalId: line.externalId,
        claimId: line.claimId,
        code: reason.code,
        reason: reason.text === '' ? null : reason.text,
      })),
    )
    if (action !== 'undone') return
    // An undone line waits where its transaction has a change to approve, or no content yet.
    const doneIds = done.map(({ id }) => id)
    for (const { id, state } of (await findActionCandidates(transaction, destination.id, doneIds)).values())
      if (state === 'ready') ready.push(id)
  })
  const done = outcomes.filter(({ code }) => code === action).map(({ id }) => id)
  await auditMaterial(transaction, context, action, done, { destination: destination.id, code: reason.code })
  if (action === 'undone') {
    const destinationData = { destination: destination.name }
    await publishChange(transaction, context, 'export.undone', done, destinationData)
    await publishChange(transaction, context, 'export.ready', ready, destinationData)
  }
  return outcomes
}

/** Withdraws the approval at every destination. Lines that a worker has claimed are left out. */
async function withdrawApprovals(
  { transaction, context }: DestinationWrite,
  lines: readonly TimestampedLine[],
): Promise<RejectedLines> {
  const materialIds = lines.flatMap(({ materialId }) => materialId ?? [])
  const outcomes = await decideTransactions(transaction, materialIds, { action: 'withdraw', reason: null }, context)
  const errorsById = new Map(outcomes.filter(({ code }) => code !== 'withdrawn').map((one) => [one.id, one.error]))
  return new Map(
    lines.flatMap(({ id, materialId }) =>
      materialId !== null && errorsById.has(materialId) ? [[id, errorsById.get(materialId)]] : [],
    ),
  )
}
