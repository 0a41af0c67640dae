// A reference model of one transaction's lifecycle: the reply and the state after each action.
import { arrowsIn, transactionPicture } from '../../src/material/lifecycle.ts'

export interface Material {
  readonly state: 'registered' | 'approved' | 'rejected' | 'exported' | '–'
  readonly quantity: number
  readonly revision: number
  /** The contents of every revision that was ever approved. */
  readonly approved: Readonly<Record<number, number>>
  /** The last revision that was retrieved. */
  readonly served: number | null
}

export type Act =
  | { readonly act: 'approve' | 'reject' | 'withdraw' | 'delete' | 'mark' | 'list' }
  | { readonly act: 'edit'; readonly quantity: number }

export function fresh(quantity: number): Material {
  return {
    state: 'registered',
    quantity,
    revision: 1,
    approved: {},
    served: null,
  }
}

/** The reply is a code, a status, or whether the line is listed. */
export function perform(material: Material, act: Act): { after: Material; answer: string } {
  if (act.act === 'list') return list(material)
  if (act.act === 'mark') return mark(material)
  if (material.state === '–') return { after: material, answer: missing[act.act] }
  const to = arrows.get(`${material.state} ${act.act}`)
  if (to === undefined) return { after: material, answer: refused(material, act.act) }
  const { revision, quantity } = material
  const after: Material = { ...material, state: to }
  if (act.act === 'approve')
    return {
      after: { ...after, approved: { ...material.approved, [revision]: quantity } },
      answer: 'approved',
    }
  if (act.act !== 'edit') return { after, answer: done[act.act] }
  const isSame = act.quantity === quantity && material.state === 'registered'
  const changed = isSame ? after : { ...after, quantity: act.quantity, revision: revision + 1 }
  return { after: changed, answer: '200' }
}

function list(material: Material) {
  const isListed = material.state === 'approved'
  const after = isListed ? { ...material, served: material.revision } : material
  return { after, answer: String(isListed) }
}

/** The last retrieved revision counts; a later change is discarded. */
function mark(material: Material): { after: Material; answer: string } {
  const { state, served, revision, approved } = material
  if (state === 'exported') return { after: material, answer: 'already_exported' }
  const wasApproved = Object.keys(approved).length > 0
  if (state !== 'approved' && served === null) {
    const answer = state === '–' && !wasApproved ? 'not_found' : 'not_approved'
    return { after: material, answer }
  }
  const counted = served ?? revision
  const quantity = approved[counted] ?? NaN
  const isDropped = counted !== revision || state === '–'
  const after: Material = {
    ...material,
    state: 'exported',
    quantity,
    revision: isDropped ? revision + 1 : revision,
  }
  return { after, answer: 'exported' }
}

const missing = {
  approve: 'not_found',
  reject: 'not_found',
  withdraw: 'not_found',
  delete: '404',
  edit: '404',
} as const

const done = { reject: 'rejected', withdraw: 'withdrawn', delete: '204' } as const

function refused({ state }: Material, act: Exclude<Act['act'], 'list' | 'mark'>): string {
  if (act === 'edit' || act === 'delete') return '409'
  if (act === 'approve' && state === 'approved') return 'already_approved'
  return act === 'reject' && state === 'rejected' ? 'already_rejected' : 'not_allowed'
}

const arrows = new Map(
  arrowsIn(transactionPicture).map(([from, act, to]) => [
    `${from} ${act}`,
    to as Material['state'],
  ]),
)
