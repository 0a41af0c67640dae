// The life of a transaction and of its line, as pictures that the acts go by and the tests read.
import { states, type State } from '../model/transaction.ts'

/**
 * A transaction (interface 3). What is not in the picture is refused. An edit is a change of the content, by hand
 * or because the source sent it again; what was exported is locked.
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

/** Beside these, where every destination that has it takes corrections: what was exported can be put right. */
export const correctionPicture = `
  from        act       to
  exported    edit      registered
  exported    withdraw  registered
  exported    delete    –
`

/**
 * Its line at one destination. Reading changes nothing. A mark of what was withdrawn since it was served counts,
 * because the receiver has it: the approval that was served stands again.
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

/** Where an act leads from a state; null where the picture has no arrow. */
export function nextState(from: State, act: TransactionAct): State | null {
  return arrows.get(`${from} ${act}`) ?? null
}

/** The same for what every destination takes corrections of. */
export function nextStateCorrected(from: State, act: TransactionAct): State | null {
  return corrections.get(`${from} ${act}`) ?? nextState(from, act)
}

/** The rows of a picture: from, act, to; `–` is what is not there. */
export function arrowsIn(picture: string): readonly (readonly string[])[] {
  return picture
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
}

function stateNamed(name: string | undefined): State | undefined {
  return Object.entries(states).find(([house]) => house === name)?.[1]
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
