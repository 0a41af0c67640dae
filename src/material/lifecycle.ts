// State machine of a transaction, as a table that code and tests read.
import { transactionStates, type TransactionState } from '../model/transaction.ts'

/**
 * A transaction (interface 3). Transitions that are not in the table are not allowed. An edit changes the content,
 * by hand or because the source sent the row again; an exported transaction is locked.
 */
export const transactionTransitions = `
  from        action       to
  –           register     registered
  registered  edit         registered
  registered  delete       –
  registered  approve      approved
  registered  reject       rejected
  rejected    edit         registered
  rejected    delete       –
  approved    withdraw     registered
  approved    acknowledge  exported
  exported    undo         approved
`

/** Additional transitions of an exported transaction when every destination that has it accepts corrections. */
export const correctionTransitions = `
  from        action       to
  exported    edit         registered
  exported    withdraw     registered
  exported    delete       –
`

export type TransactionAction =
  | 'register'
  | 'edit'
  | 'delete'
  | 'approve'
  | 'reject'
  | 'withdraw'
  | 'acknowledge'
  | 'undo'

/** The state after an action; null when the action is not allowed. */
export function nextState(from: TransactionState, action: TransactionAction): TransactionState | null {
  return transitions.get(`${from} ${action}`) ?? null
}

/** The same when every destination that has the transaction accepts corrections. */
export function nextCorrectedState(from: TransactionState, action: TransactionAction): TransactionState | null {
  return correctedTransitions.get(`${from} ${action}`) ?? nextState(from, action)
}

/** The rows of a table: from, action, to. `–` means that the transaction does not exist. */
export function parseTransitions(table: string): readonly (readonly string[])[] {
  return table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
}

function findState(name: string | undefined): TransactionState | undefined {
  return Object.entries(transactionStates).find(([internalName]) => internalName === name)?.[1]
}

function stateByTransition(table: string): ReadonlyMap<string, TransactionState> {
  return new Map(
    parseTransitions(table).flatMap(([from, action, to]) => {
      const [before, after] = [findState(from), findState(to)]
      return before === undefined || after === undefined ? [] : [[`${before} ${action}`, after]]
    }),
  )
}

const transitions = stateByTransition(transactionTransitions)
const correctedTransitions = stateByTransition(correctionTransitions)
