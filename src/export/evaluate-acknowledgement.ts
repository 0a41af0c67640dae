// Evaluates acknowledgements without applying them: which lines become exported, in which revision.
import type { LineStatus } from '../store/export/acknowledgements.ts'
import type { Destination } from '../store/export/destinations.ts'

/** One element of an acknowledge request with a valid id, or a range of ids without anything else. */
export interface Acknowledgement {
  readonly id: number
  /** The number of its ids: `id` and those after it. */
  readonly length: number
  /** Set when the receiver reports that it could not store the line. */
  readonly failure: { readonly code: string | null; readonly message: string | null } | null
  /** The revision that the receiver says it has. */
  readonly revision: number | null
  readonly externalId: string | null
  readonly externalUrl: string | null
}

/** States that the receiver has a line, perhaps under an id of its own. */
export function newAcknowledgement(id: number, externalId: string | null): Acknowledgement {
  return { id, length: 1, failure: null, revision: null, externalId, externalUrl: null }
}

export type AcknowledgementCode =
  | 'exported'
  | 'exported_with_correction'
  | 'already_exported'
  | 'not_found'
  | 'not_approved'
  | 'revision_mismatch'
  | 'failed_recorded'
  | 'claimed_by_other'

/** The result, or that of each line of a range. */
export interface EvaluatedAcknowledgement extends Pick<Acknowledgement, 'length'> {
  readonly acknowledgement: Acknowledgement
  readonly code: AcknowledgementCode
  readonly status: LineStatus | undefined
  /** The revision that the receiver has, for a line that becomes exported. */
  readonly revision: number
  /** Whether the destination had retrieved that revision. */
  readonly wasRetrieved: boolean
}

/**
 * A line counts in the revision that was retrieved last, because that is what the receiver has, or else in the approved
 * one. A line that is neither approved nor was ever retrieved cannot be acknowledged.
 */
export function evaluateAcknowledgement(
  acknowledgement: Acknowledgement,
  status: LineStatus | undefined,
  { retrievedThrough, corrections }: Pick<Destination, 'retrievedThrough' | 'corrections'>,
): EvaluatedAcknowledgement {
  const result = (
    code: AcknowledgementCode,
    revision = status?.revision ?? 0,
    wasRetrieved = false,
  ): EvaluatedAcknowledgement => {
    return { acknowledgement, length: acknowledgement.length, code, status, revision, wasRetrieved }
  }
  if (status === undefined || status.state === null) return result(status?.isKnown === 1 ? 'not_approved' : 'not_found')
  const { state, revision: approvedRevision, readyAt, retrievedRevision } = status
  if (state === 'exported' || state === 'closed') return result('already_exported')
  if (approvedRevision === null || readyAt === null) throw new Error('an export line without a revision')

  const isApprovedRetrieved =
    state === 'ready' && (readyAt <= retrievedThrough || retrievedRevision === approvedRevision)
  const retrieved = isApprovedRetrieved ? approvedRevision : retrievedRevision
  if (state === 'withdrawn' && retrieved === null) return result('not_approved')
  const effective = retrieved ?? approvedRevision
  if (
    acknowledgement.revision !== null &&
    acknowledgement.revision !== effective &&
    acknowledgement.revision !== approvedRevision
  )
    return result('revision_mismatch')
  const revision = acknowledgement.revision ?? effective
  if (state === 'withdrawn' && revision !== retrieved) return result('revision_mismatch')
  if (acknowledgement.failure !== null) return result(state === 'ready' ? 'failed_recorded' : 'not_approved')
  const one = result('exported', revision, retrieved === revision)
  return corrections === 'lines' && isOutdated(one) ? { ...one, code: 'exported_with_correction' } : one
}

/** Whether the receiver has other content than what is approved now. */
export function isOutdated({ status, revision }: EvaluatedAcknowledgement): boolean {
  return status?.state === 'withdrawn' || status?.revision !== revision
}
