// Claims: leases on ready lines. A report after the lease has expired still counts.
import { Fault } from '../errors/catalog.ts'
import { writeStamp } from '../lib/timestamp.ts'
import { audit, type Deed } from '../material/action-context.ts'
import { handOutSome, type HandOut } from './retrieval.ts'
import {
  batchOf,
  changeBatch,
  expireBatches,
  insertBatch,
  linesHeld,
  openBatches,
  raiseFence,
  type Batch,
  type HeldLine,
} from '../store/export/claims.ts'
import type { Destination } from '../store/export/destinations.ts'
import { writeLedger, type NewEntry } from '../store/material/ledger.ts'
import type { Transaction } from '../store/store.ts'

export interface Claim {
  readonly batch: Batch
  readonly handOut: HandOut
}

/** Throws `BatchOpen` when the destination already has its maximum of open claims. */
export async function requireFree(
  transaction: Transaction,
  { id, batchesMax }: Destination,
  { now }: Deed,
): Promise<void> {
  await expireBatches(transaction, now)
  const open = await openBatches(transaction, id)
  const [first] = open
  if (first === undefined || open.length < batchesMax) return
  throw new Fault('BatchOpen', {
    existing: first.id,
    says: { id: first.id, actor: first.holder, at: writeStamp(first.expiresAt) },
  })
}

/** Claims lines, which must be ready and unclaimed, ids ascending. */
export async function claimLines(
  transaction: Transaction,
  destination: Destination,
  { lineIds, query, leaseMicroseconds }: Claiming,
  deed: Deed,
): Promise<Claim> {
  const { actor, requestId, now } = deed
  const id = transaction.counters.take('batchId')
  const handOut = await handOutSome(transaction, destination, { lineIds, query, batchId: id }, deed)
  const claim: Batch = {
    id,
    destinationId: destination.id,
    fence: await raiseFence(transaction, destination.id),
    holder: actor,
    state: 'open',
    expiresAt: now + leaseMicroseconds,
    createdAt: now,
    requestId,
    handOutId: handOut.id,
  }
  await insertBatch(transaction, claim, lineIds)
  await audit(transaction, deed, 'claim', lineIds, { batch: id, destination: destination.id })
  return { batch: claim, handOut }
}

export interface Claiming {
  readonly lineIds: readonly number[]
  readonly query: string
  readonly leaseMicroseconds: number
}

/** Renews the lease from now, to at most a day after the claim was made. Throws `NotFound`, and `BatchEnded` for a closed claim. */
export async function extendClaim(
  transaction: Transaction,
  destination: Destination,
  { id, leaseMicroseconds }: { readonly id: number; readonly leaseMicroseconds: number },
  { now }: Deed,
): Promise<Batch> {
  await expireBatches(transaction, now)
  const batch = await claimOf(transaction, destination, id)
  if (batch.state !== 'open') throw new Fault('BatchEnded', { says: { id, state: batch.state } })
  const expiresAt = Math.min(now + leaseMicroseconds, batch.createdAt + leaseMax)
  await changeBatch(transaction, { id, state: 'open', expiresAt })
  return { ...batch, expiresAt }
}

/** Releases the lines; does nothing for a closed claim. */
export async function releaseClaim(
  transaction: Transaction,
  destination: Destination,
  id: number,
  deed: Deed,
): Promise<Batch> {
  await expireBatches(transaction, deed.now)
  const batch = await claimOf(transaction, destination, id)
  return batch.state === 'open' ? end(transaction, batch, 'released', deed) : batch
}

/**
 * Revokes a claim whose worker is gone: a person's decision, with a reason that the ledger stores for each line. A
 * later report by the worker still counts. Throws `NotFound` and `BatchEnded`.
 */
export async function breakClaim(
  transaction: Transaction,
  destination: Destination,
  { id, reason }: { readonly id: number; readonly reason: string },
  deed: Deed,
): Promise<Batch> {
  await expireBatches(transaction, deed.now)
  const batch = await claimOf(transaction, destination, id)
  if (batch.state !== 'open') throw new Fault('BatchEnded', { says: { id, state: batch.state } })
  const held = await linesHeld(transaction, batch, Number.MAX_SAFE_INTEGER)
  await writeLedger(
    transaction,
    held.map((line) => releasedEntry(batch, line, { reason, deed })),
  )
  return end(transaction, batch, 'broken', deed)
}

function releasedEntry(
  { id: batchId, destinationId }: Batch,
  { lineId, revision, generation }: HeldLine,
  { reason, deed: { now: at, actor, requestId } }: { reason: string; deed: Deed },
): NewEntry {
  return {
    destinationId,
    lineId,
    revision,
    generation,
    act: 'released',
    at,
    actor,
    requestId,
    wasServed: 1,
    externalId: null,
    externalUrl: null,
    externalBatchId: null,
    batchId,
    code: 'broken',
    reason,
  }
}

/** Closes the claim when all its lines have been reported. */
export async function finishClaim(
  transaction: Transaction,
  destination: Destination,
  id: number,
  deed: Deed,
): Promise<void> {
  const batch = await claimOf(transaction, destination, id)
  if (batch.state === 'open' && (await linesHeld(transaction, batch, 1)).length === 0)
    await end(transaction, batch, 'done', deed)
}

/** Throws `NotFound`. */
export async function claimOf(
  transaction: Transaction,
  destination: Destination,
  id: number,
): Promise<Batch> {
  const batch = await batchOf(transaction, destination.id, id)
  if (batch === undefined) throw new Fault('NotFound', { says: { what: `Batch(${id})` } })
  return batch
}

/** Microseconds: a claim lasts at most a day. */
export const leaseMax = 24 * 3600 * 1_000_000

async function end(
  transaction: Transaction,
  batch: Batch,
  state: 'done' | 'released' | 'broken',
  deed: Deed,
): Promise<Batch> {
  await changeBatch(transaction, { ...batch, state })
  await raiseFence(transaction, batch.destinationId)
  await audit(transaction, deed, state, [batch.id], { destination: batch.destinationId })
  return { ...batch, state }
}
