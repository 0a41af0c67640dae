// Claims: leases on ready lines. A report after the lease has expired still counts.
import { ApiError } from '../errors/api-error.ts'
import { formatTimestamp } from '../lib/timestamp.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { auditMaterial } from '../material/audit-and-events.ts'
import { logPartialRetrieval, type LoggedRetrieval } from './retrieval.ts'
import {
  findClaim,
  updateClaim,
  expireClaims,
  insertClaim,
  listUnreportedLines,
  listOpenClaims,
  nextFencingToken,
  type StoredClaim,
} from '../store/export/claims.ts'
import type { Destination } from '../store/export/destinations.ts'
import { insertLedgerEntries, type NewLedgerEntry } from '../store/material/ledger.ts'
import type { Transaction } from '../store/store.ts'

export interface OpenedClaim {
  readonly claim: StoredClaim
  readonly retrieval: LoggedRetrieval
}

/** Throws `ClaimAlreadyOpen` when the destination already has its maximum of open claims. */
export async function requireClaimAllowed(
  transaction: Transaction,
  { id, openClaimsMax }: Destination,
  { now }: WriteContext,
): Promise<void> {
  await expireClaims(transaction, now)
  const open = await listOpenClaims(transaction, { destinationId: id })
  const [first] = open
  if (first === undefined || open.length < openClaimsMax) return
  throw new ApiError('ClaimAlreadyOpen', {
    existing: first.id,
    params: { id: first.id, actor: first.holder, at: formatTimestamp(first.expiresAt) },
  })
}

/** Claims lines, which must be ready and unclaimed, ids ascending. */
export async function claimLines(
  transaction: Transaction,
  destination: Destination,
  { lineIds, query, leaseMicroseconds }: NewClaim,
  context: WriteContext,
): Promise<OpenedClaim> {
  const { actor, requestId, now } = context
  const id = transaction.sequences.next('claimId')
  const retrieval = await logPartialRetrieval(transaction, destination, { lineIds, query, claimId: id }, context)
  const claim: StoredClaim = {
    id,
    destinationId: destination.id,
    fencingToken: await nextFencingToken(transaction, destination.id),
    holder: actor,
    state: 'open',
    expiresAt: now + leaseMicroseconds,
    createdAt: now,
    requestId,
    retrievalId: retrieval.id,
  }
  await insertClaim(transaction, claim, lineIds)
  await auditMaterial(transaction, context, 'claim', lineIds, { batch: id, destination: destination.id })
  return { claim, retrieval }
}

export interface NewClaim {
  readonly lineIds: readonly number[]
  readonly query: string
  readonly leaseMicroseconds: number
}

/** Renews the lease from now, to at most a day after the claim was made. Throws `NotFound`, and `ClaimClosed` for a closed claim. */
export async function extendClaim(
  transaction: Transaction,
  destination: Destination,
  { id, leaseMicroseconds }: { readonly id: number; readonly leaseMicroseconds: number },
  { now }: WriteContext,
): Promise<StoredClaim> {
  const claim = await requireOpenClaim(transaction, destination, id, now)
  const expiresAt = Math.min(now + leaseMicroseconds, claim.createdAt + leaseMicrosecondsMax)
  await updateClaim(transaction, { id, state: 'open', expiresAt })
  return { ...claim, expiresAt }
}

/** Releases the lines; does nothing for a closed claim. */
export async function releaseClaim(
  transaction: Transaction,
  destination: Destination,
  id: number,
  context: WriteContext,
): Promise<StoredClaim> {
  await expireClaims(transaction, context.now)
  const claim = await getClaim(transaction, destination, id)
  return claim.state === 'open' ? closeClaim(transaction, claim, 'released', context) : claim
}

/**
 * Revokes a claim whose worker is gone: a person's decision, with a reason that the ledger stores for each line. A
 * later report by the worker still counts. Throws `NotFound` and `ClaimClosed`.
 */
export async function breakClaim(
  transaction: Transaction,
  destination: Destination,
  { id, reason }: { readonly id: number; readonly reason: string },
  context: WriteContext,
): Promise<StoredClaim> {
  const claim = await requireOpenClaim(transaction, destination, id, context.now)
  const unreported = await listUnreportedLines(transaction, { ...claim, limit: Number.MAX_SAFE_INTEGER })
  await forEachChunk(unreported, 1000, (chunk) =>
    insertLedgerEntries(
      transaction,
      chunk.map(({ lineId, revision, generation }): NewLedgerEntry => ({
        destinationId: destination.id,
        lineId,
        revision,
        generation,
        action: 'released',
        at: context.now,
        actor: context.actor,
        requestId: context.requestId,
        claimId: id,
        code: 'broken',
        reason,
      })),
    ),
  )
  return closeClaim(transaction, claim, 'broken', context)
}

/** Closes the claim when all its lines have been reported. */
export async function closeClaimIfReported(
  transaction: Transaction,
  destination: Destination,
  id: number,
  context: WriteContext,
): Promise<void> {
  const claim = await getClaim(transaction, destination, id)
  if (claim.state === 'open' && (await listUnreportedLines(transaction, { ...claim, limit: 1 })).length === 0)
    await closeClaim(transaction, claim, 'done', context)
}

async function requireOpenClaim(
  transaction: Transaction,
  destination: Destination,
  id: number,
  now: number,
): Promise<StoredClaim> {
  await expireClaims(transaction, now)
  const claim = await getClaim(transaction, destination, id)
  if (claim.state === 'open') return claim
  throw new ApiError('ClaimClosed', { params: { id, state: claim.state } })
}

/** Throws `NotFound`. */
export async function getClaim(transaction: Transaction, destination: Destination, id: number): Promise<StoredClaim> {
  const claim = await findClaim(transaction, { destinationId: destination.id, id })
  if (claim === undefined) throw new ApiError('NotFound', { params: { what: `Batch(${id})` } })
  return claim
}

/** Microseconds: a claim lasts at most a day. */
export const leaseMicrosecondsMax = 24 * 3600 * 1_000_000

async function closeClaim(
  transaction: Transaction,
  claim: StoredClaim,
  state: 'done' | 'released' | 'broken',
  context: WriteContext,
): Promise<StoredClaim> {
  await updateClaim(transaction, { ...claim, state })
  await nextFencingToken(transaction, claim.destinationId)
  await auditMaterial(transaction, context, state, [claim.id], { target: 'claim', destination: claim.destinationId })
  return { ...claim, state }
}
