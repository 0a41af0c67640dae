// Idempotent app writes: a repeated request runs once per Idempotency-Key (ADR 0106).
import { createHash } from 'node:crypto'
import type { Fields } from './body.ts'
import type { Asked } from './route.ts'
import { Fault } from '../errors/catalog.ts'
import { findAnswer, keepAnswer } from '../store/idempotency.ts'
import type { Transaction } from '../store/store.ts'

export interface Once<Answer> {
  readonly answer: Answer
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Runs `act` in a transaction of the company; a repeat with the same key gets the stored answer, which is plain JSON
 * data. Throws `IdempotencyKeyInvalid`, and `IdempotencyKeyReused` when the fields differ.
 */
export async function once<Answer extends object>(
  { store, request, visitor, clock }: Asked,
  fields: Fields,
  act: (transaction: Transaction) => Promise<Answer>,
): Promise<Once<Answer>> {
  const { companyId, owner } = visitor.caller
  const key = request.header('idempotency-key')
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Fault('IdempotencyKeyInvalid', { target: 'header:Idempotency-Key' })
  return store.inTransaction(companyId, async (transaction): Promise<Once<Answer>> => {
    if (key === undefined) return { answer: await act(transaction), headers: {} }
    const createdAt = clock()
    const requestHash = hashOf(request.path, fields)
    const kept = await findAnswer(transaction, owner, key, createdAt - keptMicroseconds)
    if (kept !== undefined) {
      if (kept.requestHash !== requestHash) throw new Fault('IdempotencyKeyReused')
      return { answer: JSON.parse(kept.answer), headers: { 'Idempotency-Replayed': 'true' } }
    }
    const answer = await act(transaction)
    const stored = { status: 200, answer: JSON.stringify(answer) }
    await keepAnswer(transaction, { owner, key, requestHash, createdAt, ...stored })
    return { answer, headers: {} }
  })
}

function hashOf(path: string, fields: Fields): string {
  return createHash('sha256')
    .update(JSON.stringify(['app', path, ...fields]))
    .digest('base64url')
}

/** 30 days, as in the API. */
const keptMicroseconds = 30 * 24 * 3600 * 1_000_000
