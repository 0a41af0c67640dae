// A reference model of one transaction's lifecycle: the reply and the state after each action.
import { parseTransitions, transactionTransitions } from '../../src/material/lifecycle.ts'

export interface ModelState {
  readonly state: 'registered' | 'approved' | 'rejected' | 'exported' | '–'
  readonly quantity: number
  readonly revision: number
  /** The contents of every revision that was ever approved. */
  readonly approved: Readonly<Record<number, number>>
  /** The last revision that was retrieved. */
  readonly retrievedRevision: number | null
}

export type ModelAction =
  | { readonly kind: 'approve' | 'reject' | 'withdraw' | 'delete' | 'acknowledge' | 'list' }
  | { readonly kind: 'edit'; readonly quantity: number }

export function newModelState(quantity: number): ModelState {
  return { state: 'registered', quantity, revision: 1, approved: {}, retrievedRevision: null }
}

/** The reply is a code, a status, or whether the line is listed. */
export function applyAction(material: ModelState, action: ModelAction): { after: ModelState; reply: string } {
  if (action.kind === 'list') return list(material)
  if (action.kind === 'acknowledge') return acknowledge(material)
  if (material.state === '–') return { after: material, reply: notFoundReplies[action.kind] }
  const to = transitions.get(`${material.state} ${action.kind}`)
  if (to === undefined) return { after: material, reply: rejectionReply(material, action.kind) }
  const { revision, quantity } = material
  const after: ModelState = { ...material, state: to }
  if (action.kind === 'approve')
    return { after: { ...after, approved: { ...material.approved, [revision]: quantity } }, reply: 'approved' }
  if (action.kind !== 'edit') return { after, reply: doneReplies[action.kind] }
  const isSame = action.quantity === quantity && material.state === 'registered'
  const changed = isSame ? after : { ...after, quantity: action.quantity, revision: revision + 1 }
  return { after: changed, reply: '200' }
}

function list(material: ModelState) {
  const isListed = material.state === 'approved'
  const after = isListed ? { ...material, retrievedRevision: material.revision } : material
  return { after, reply: String(isListed) }
}

/** The last retrieved revision counts; a later change is discarded. */
function acknowledge(material: ModelState): { after: ModelState; reply: string } {
  const { state, retrievedRevision, revision, approved } = material
  if (state === 'exported') return { after: material, reply: 'already_exported' }
  const wasApproved = Object.keys(approved).length > 0
  if (state !== 'approved' && retrievedRevision === null) {
    const reply = state === '–' && !wasApproved ? 'not_found' : 'not_approved'
    return { after: material, reply }
  }
  const countedRevision = retrievedRevision ?? revision
  const quantity = approved[countedRevision] ?? NaN
  const isDiscarded = countedRevision !== revision || state === '–'
  const after: ModelState = {
    ...material,
    state: 'exported',
    quantity,
    revision: isDiscarded ? revision + 1 : revision,
  }
  return { after, reply: 'exported' }
}

const notFoundReplies = {
  approve: 'not_found',
  reject: 'not_found',
  withdraw: 'not_found',
  delete: '404',
  edit: '404',
} as const

const doneReplies = { reject: 'rejected', withdraw: 'withdrawn', delete: '204' } as const

function rejectionReply({ state }: ModelState, action: Exclude<ModelAction['kind'], 'list' | 'acknowledge'>): string {
  if (action === 'edit' || action === 'delete') return '409'
  if (action === 'approve' && state === 'approved') return 'already_approved'
  return action === 'reject' && state === 'rejected' ? 'already_rejected' : 'not_allowed'
}

const transitions = new Map(
  parseTransitions(transactionTransitions).map(([from, act, to]) => [`${from} ${act}`, to as ModelState['state']]),
)
