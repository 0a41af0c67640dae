// Evaluates acknowledgements without applying them: which lines become exported, in which revision.
import type { Standing } from '../store/export/acknowledgements.ts'
import type { Destination } from '../store/export/destinations.ts'

/** One element of an acknowledge request with a valid id. */
export interface Mark {
  readonly id: number
  /** Set when the receiver reports that it could not store the line. */
  readonly failure: { readonly code: string | null; readonly message: string | null } | null
  /** The revision that the receiver says it has. */
  readonly revision: number | null
  readonly externalId: string | null
  readonly externalUrl: string | null
}

export type MarkCode =
  | 'exported'
  | 'exported_with_correction'
  | 'already_exported'
  | 'not_found'
  | 'not_approved'
  | 'revision_mismatch'
  | 'failed_recorded'
  | 'claimed_by_other'

export interface Judged {
  readonly mark: Mark
  readonly code: MarkCode
  readonly met: Standing | undefined
  /** The revision that the receiver has, for a line that becomes exported. */
  readonly revision: number
  /** Whether the destination had retrieved that revision. */
  readonly wasServed: boolean
}

/**
 * A line counts in the revision that was retrieved last, because that is what the receiver has, or else in the approved
 * one. A line that is neither approved nor was ever retrieved cannot be acknowledged.
 */
export function judgeMark(
  mark: Mark,
  met: Standing | undefined,
  { servedAt, corrections }: Pick<Destination, 'servedAt' | 'corrections'>,
): Judged {
  const judged = (code: MarkCode, revision = met?.revision ?? 0, wasServed = false): Judged => ({
    mark,
    code,
    met,
    revision,
    wasServed,
  })
  if (met === undefined || met.state === null)
    return judged(met?.isKnown === 1 ? 'not_approved' : 'not_found')
  const { state, revision: current, readyAt, servedRevision } = met
  if (state === 'exported' || state === 'closed') return judged('already_exported')
  if (current === null || readyAt === null) throw new Error('an export line without a revision')

  const isServedNow = state === 'ready' && (readyAt <= servedAt || servedRevision === current)
  const served = isServedNow ? current : servedRevision
  if (state === 'withdrawn' && served === null) return judged('not_approved')
  const counted = served ?? current
  if (mark.revision !== null && mark.revision !== counted && mark.revision !== current)
    return judged('revision_mismatch')
  const revision = mark.revision ?? counted
  if (state === 'withdrawn' && revision !== served) return judged('revision_mismatch')
  if (mark.failure !== null) return judged(state === 'ready' ? 'failed_recorded' : 'not_approved')
  const one = judged('exported', revision, served === revision)
  return corrections === 'lines' && isPast(one) ? { ...one, code: 'exported_with_correction' } : one
}

/** Whether the receiver has other content than what is approved now. */
export function isPast({ met, revision }: Judged): boolean {
  return met?.state === 'withdrawn' || met?.revision !== revision
}
