// Idempotent app writes: a repeated request runs once per Idempotency-Key (ADR 0048).
import { createHash } from 'node:crypto'
import type { Fields } from './body.ts'
import type { AppRequest } from './route.ts'
import { ApiError } from '../errors/api-error.ts'
import { findStoredReply, insertReply } from '../store/idempotency.ts'
import type { Transaction } from '../store/store.ts'

export interface IdempotentResult<Answer> {
  readonly answer: Answer
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Runs `act` in a transaction of the company; a repeat with the same key gets the stored answer, which is plain JSON
 * data. Throws `IdempotencyKeyInvalid`, and `IdempotencyKeyReused` when the fields differ.
 */
export async function runIdempotent<Answer extends object>(
  { store, request, sessionUser, clock }: AppRequest,
  fields: Fields,
  act: (transaction: Transaction) => Promise<Answer>,
): Promise<IdempotentResult<Answer>> {
  const { companyId, owner } = sessionUser.caller
  const key = request.header('idempotency-key')
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError('IdempotencyKeyInvalid', { target: 'header:Idempotency-Key' })
  return store.inTransaction(companyId, async (transaction): Promise<IdempotentResult<Answer>> => {
    if (key === undefined) return { answer: await act(transaction), headers: {} }
    const createdAt = clock()
    const requestHash = requestHashOf(request.path, fields)
    const kept = await findStoredReply(transaction, owner, key, createdAt - retentionMicroseconds)
    if (kept !== undefined) {
      if (kept.requestHash !== requestHash) throw new ApiError('IdempotencyKeyReused')
      return { answer: JSON.parse(kept.answer), headers: { 'Idempotency-Replayed': 'true' } }
    }
    const answer = await act(transaction)
    const stored = { status: 200, answer: JSON.stringify(answer) }
    await insertReply(transaction, { owner, key, requestHash, createdAt, ...stored })
    return { answer, headers: {} }
  })
}

function requestHashOf(path: string, fields: Fields): string {
  return createHash('sha256')
    .update(JSON.stringify(['app', path, ...fields]))
    .digest('base64url')
}

/** 30 days, as in the API. */
const retentionMicroseconds = 30 * 24 * 3600 * 1_000_000
