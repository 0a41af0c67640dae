// Approval decisions (interface 3): approve, reject with a reason, or withdraw an approval.
import { ApiError } from '../errors/api-error.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import { publishChange, type EventType } from '../notifications/webhooks/publish.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { auditMaterial } from './audit-and-events.ts'
import { nextState, nextCorrectedState } from './lifecycle.ts'
import { findCorrectable, applyCorrections } from './apply-corrections.ts'
import { findClaimed, lineClaimedError } from './claimed-lines.ts'
import { transactionStates, type TransactionState } from '../model/transaction.ts'
import {
  findOwn,
  listDecisionCandidates,
  offerLines,
  saveApproval,
  saveDecision,
  withdrawLines,
  type DecisionCandidate,
  type DecidedTransaction,
} from '../store/material/approvals.ts'
import { revisionUnknown } from '../store/material/materials.ts'
import type { ClaimedLine } from '../store/export/claims.ts'
import { listDestinations } from '../store/export/destinations.ts'
import type { Transaction } from '../store/store.ts'

export interface Decision {
  readonly action: 'approve' | 'reject' | 'withdraw'
  /** The reason for a rejection; null otherwise. */
  readonly reason: string | null
}

export interface DecisionOutcome {
  readonly id: number
  readonly code:
    | 'approved'
    | 'already_approved'
    | 'rejected'
    | 'already_rejected'
    | 'withdrawn'
    | 'not_found'
    | 'not_allowed'
  /** The current state and who set it, when the decision was not applied. */
  readonly current?: DecisionCandidate
  /** Why it is not allowed, when the state alone would allow it. */
  readonly error?: ApiError
}

/**
 * Applies the decision to every id it can (ADR 0007); each id must occur once. Of two concurrent decisions the second
 * gets the state that the first one set, and by whom.
 */
export async function decideTransactions(
  transaction: Transaction,
  ids: readonly number[],
  decision: Decision,
  context: WriteContext,
): Promise<readonly DecisionOutcome[]> {
  const outcomes: DecisionOutcome[] = []
  // Under four-eyes approval somebody else must approve it.
  const excludesOwn = decision.action === 'approve' && context.settings.requiresFourEyes
  await forEachChunk(ids, chunkIds, async (chunk) => {
    // In one message to PostgreSQL.
    const [candidates, correctable, own] = await Promise.all([
      listDecisionCandidates(transaction, chunk),
      findCorrectable(transaction, chunk),
      excludesOwn ? findOwn(transaction, transaction.companyId, chunk, context.actor) : new Set<number>(),
    ])
    const found = new Map(candidates.map((one) => [one.id, one]))
    const claimed = decision.action === 'withdraw' ? await findClaimed(transaction, chunk, context) : undefined
    const evaluated = chunk.map((id) =>
      evaluateDecision(id, found.get(id), {
        ...decision,
        isCorrectable: correctable.has(id),
        claimed: claimed?.get(id),
        isOwn: own.has(id),
      }),
    )
    outcomes.push(...evaluated)
    const applied = evaluated
      .filter(({ code }) => code === appliedCodes[decision.action])
      .flatMap(({ id }) => found.get(id) ?? [])
    if (applied.length > 0) await saveDecisions(transaction, applied, decision, context)
  })
  const applied = outcomes.filter(({ code }) => code === appliedCodes[decision.action]).map(({ id }) => id)
  await auditMaterial(transaction, context, decision.action, applied)
  for (const type of events[decision.action]) await publishChange(transaction, context, type, applied)
  return outcomes
}

/** Approved transactions are ready for export at once. */
const events: Readonly<Record<Decision['action'], readonly EventType[]>> = {
  approve: ['transaction.approved', 'export.ready'],
  reject: ['transaction.rejected'],
  withdraw: [],
}

const chunkIds = 500

/** The code of a decision that was applied. */
export const appliedCodes = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const

function evaluateDecision(
  id: number,
  current: DecisionCandidate | undefined,
  { action, isCorrectable, claimed, isOwn }: EvaluationOptions,
): DecisionOutcome {
  if (current === undefined) return { id, code: 'not_found' }
  if (action === 'approve' && current.state === transactionStates.approved)
    return { id, code: 'already_approved', current }
  if (action === 'reject' && current.state === transactionStates.rejected)
    return { id, code: 'already_rejected', current }
  const next = isCorrectable ? nextCorrectedState(current.state, action) : nextState(current.state, action)
  // A line without content would be offered with quantity 0.
  if (next === null || current.revision === revisionUnknown) return { id, code: 'not_allowed', current }
  if (isOwn) return { id, code: 'not_allowed', current, error: new ApiError('SelfApprovalForbidden') }
  if (claimed === undefined) return { id, code: appliedCodes[action] }
  return { id, code: 'not_allowed', current, error: lineClaimedError(claimed) }
}

interface EvaluationOptions extends Decision {
  readonly isCorrectable: boolean
  readonly claimed: ClaimedLine | undefined
  readonly isOwn: boolean
}

async function saveDecisions(
  transaction: Transaction,
  candidates: readonly DecisionCandidate[],
  { action, reason }: Decision,
  context: WriteContext,
): Promise<void> {
  const { actor, now } = context
  const ids = candidates.map(({ id }) => id)
  const first = transaction.sequences.nextStamps(now, ids.length)
  const decided = ids.map((id, index): DecidedTransaction => ({ id, at: first + index }))
  const state = stateAfter[action]
  const isApproval = action === 'approve'
  const decision = { state, rejectionReason: reason, actor, isApproval }
  if (isApproval) await saveApproval(transaction, decided, decision, candidates)
  else await saveDecision(transaction, decided, decision)
  if (action === 'reject') return
  const destinations = await listDestinations(transaction)
  if (isApproval) await offerLines(transaction, decided, destinations)
  else await withdrawLines(transaction, ids, destinations)
  await applyCorrections(transaction, destinations, ids, context)
}

const stateAfter: Readonly<Record<Decision['action'], TransactionState>> = {
  approve: transactionStates.approved,
  reject: transactionStates.rejected,
  withdraw: transactionStates.registered,
}
