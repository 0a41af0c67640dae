// State machines of a transaction and of its export line, as tables that code and tests read.
import { states, type State } from '../model/transaction.ts'

/**
 * A transaction (interface 3). Transitions that are not in the table are not allowed. An edit changes the content,
 * by hand or because the source sent the row again; an exported transaction is locked.
 */
export const transactionPicture = `
  from        act       to
  –           register  registered
  registered  edit      registered
  registered  delete    –
  registered  approve   approved
  registered  reject    rejected
  rejected    edit      registered
  rejected    delete    –
  approved    withdraw  registered
  approved    mark      exported
  exported    undo      approved
`

/** Additional transitions of an exported transaction when every destination that has it accepts corrections. */
export const correctionPicture = `
  from        act       to
  exported    edit      registered
  exported    withdraw  registered
  exported    delete    –
`

/**
 * Its line at one destination. Reading changes nothing. Acknowledging a line that was withdrawn after its retrieval is
 * allowed, because the receiver has it: the retrieved approval is restored.
 */
export const linePicture = `
  from        act       to
  –           approve   ready
  ready       withdraw  withdrawn
  withdrawn   approve   ready
  ready       mark      exported
  withdrawn   mark      exported
  ready       close     closed
  exported    undo      ready
  closed      undo      ready
`

export type TransactionAct =
  | 'register'
  | 'edit'
  | 'delete'
  | 'approve'
  | 'reject'
  | 'withdraw'
  | 'mark'
  | 'undo'

/** The state after an action; null when the action is not allowed. */
export function nextState(from: State, act: TransactionAct): State | null {
  return arrows.get(`${from} ${act}`) ?? null
}

/** The same when every destination that has the transaction accepts corrections. */
export function nextStateCorrected(from: State, act: TransactionAct): State | null {
  return corrections.get(`${from} ${act}`) ?? nextState(from, act)
}

/** The rows of a table: from, act, to. `–` means that the transaction does not exist. */
export function arrowsIn(picture: string): readonly (readonly string[])[] {
  return picture
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
}

function stateNamed(name: string | undefined): State | undefined {
  return Object.entries(states).find(([internalName]) => internalName === name)?.[1]
}

function arrowsOf(picture: string): ReadonlyMap<string, State> {
  return new Map(
    arrowsIn(picture).flatMap(([from, act, to]) => {
      const [before, after] = [stateNamed(from), stateNamed(to)]
      return before === undefined || after === undefined ? [] : [[`${before} ${act}`, after]]
    }),
  )
}

const arrows = arrowsOf(transactionPicture)
const corrections = arrowsOf(correctionPicture)
