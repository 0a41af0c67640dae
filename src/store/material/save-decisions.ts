// Saving decisions: the state of transactions, with what depends on it (ADR 0049).
import type { Transaction } from '../store.ts'
import { updateDecided, type StateChange, type DecidedTransaction, type DecisionCandidate } from './approvals.ts'
import { saveLineChanges } from './line-changes.ts'
import { findMaterials } from './materials.ts'
import { WaitingDayChanges } from './waiting-days.ts'

/** Any decision on transactions in any state. */
export async function saveDecision(
  transaction: Transaction,
  decided: readonly DecidedTransaction[],
  decision: StateChange,
): Promise<void> {
  const ids = decided.map(({ id }) => id)
  const stored = await findMaterials(transaction, ids)
  const changes = Array.from(stored.values(), (before) => ({ before, after: { ...before, state: decision.state } }))
  await saveLineChanges(transaction, changes, () => updateDecided(transaction, decided, decision))
}

/** The approval of transactions that wait: they are compared with others as before, so that counting them is enough. */
export async function saveApproval(
  transaction: Transaction,
  decided: readonly DecidedTransaction[],
  decision: StateChange,
  waiting: readonly DecisionCandidate[],
): Promise<void> {
  const days = new WaitingDayChanges()
  for (const line of waiting) days.count(line, -1)
  await updateDecided(transaction, decided, decision)
  await days.save(transaction)
}
