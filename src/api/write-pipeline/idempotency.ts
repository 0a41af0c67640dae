// Idempotency keys: a repeated request gets the stored reply and changes nothing (ADR 0015).
import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { addressOf, recordKeyIn } from '../odata/resource-url.ts'
import type { Caller } from '../../auth/caller.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import { dagsverk } from '../../model/service-schema.ts'
import type { CompanyId, RecordKey } from '../../engine/model/resource.ts'
import { findAnswer, forgetAnswers, keepAnswer } from '../../store/idempotency.ts'
import type { Store, Transaction } from '../../store/store.ts'

/** The identity of a request with an Idempotency-Key. */
export interface KeyedRequest {
  /** The owner of the credential. */
  readonly owner: string
  readonly key: string
  readonly hash: string
  /** Microseconds UTC. */
  readonly now: number
}

/** A stored reply: the body if it is short, otherwise the keys of its records. */
export interface KeptReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly ids: readonly RecordKey[]
  readonly isList: boolean
  /** Stores a long body too, compressed: results per element cannot be rebuilt from records. */
  readonly isWhole?: true
}

/** Null for a request without an Idempotency-Key. Throws `IdempotencyKeyInvalid`. */
export function keyedRequest(
  request: Request,
  { owner }: Caller,
  asked: {
    readonly body: Buffer | ''
    readonly options: readonly string[]
    readonly now: number
  },
): KeyedRequest | null {
  const key = request.header('idempotency-key')
  if (key === undefined) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Fault('IdempotencyKeyInvalid', { target: 'header:Idempotency-Key' })
  return { owner, key, hash: requestHash(request, asked.body, asked.options), now: asked.now }
}

/**
 * Identifies equal requests. Credentials are not part of it, so that a rotated key can repeat a request. Paths are
 * case-insensitive, except for the key of a record.
 */
function requestHash(
  { method, path }: Request,
  body: Buffer | '',
  options: readonly string[],
): string {
  return createHash('sha256')
    .update(JSON.stringify([method, path.toLowerCase(), keyIn(path), ...options]))
    .update(body)
    .digest('base64url')
}

function keyIn(path: string): RecordKey | null {
  const address = addressOf(dagsverk, path)
  return address === null ? null : recordKeyIn(path, address.resource)
}

/** The Idempotency-Keys that this process is working on. */
export class RunningKeys {
  readonly #running = new Set<string>()

  /** Throws `IdempotencyInProgress` while another request with the key runs. */
  async hold<T>(
    companyId: CompanyId,
    keyed: KeyedRequest | null,
    work: () => Promise<T>,
  ): Promise<T> {
    if (keyed === null) return work()
    const name = `${companyId} ${keyed.owner} ${keyed.key}`
    if (this.#running.has(name))
      throw new Fault('IdempotencyInProgress', { headers: { 'Retry-After': '1' } })
    this.#running.add(name)
    try {
      return await work()
    } finally {
      this.#running.delete(name)
    }
  }
}

/** Marks a replayed reply. */
export const replayed = { 'Idempotency-Replayed': 'true' } as const

/** The stored reply; null for a new request, or one without a key. Throws `IdempotencyKeyReused`. */
export async function findReply(
  transaction: Transaction,
  keyed: KeyedRequest | null,
): Promise<KeptReply | null> {
  if (keyed === null) return null
  const { owner, key, hash, now } = keyed
  const kept = await findAnswer(transaction, owner, key, now - keptMicroseconds)
  if (kept === undefined) return null
  if (kept.requestHash !== hash) throw new Fault('IdempotencyKeyReused')
  const { status } = kept
  const { packed, ...answer }: Omit<KeptReply, 'status'> & { packed?: string } = JSON.parse(
    kept.answer,
  )
  return packed === undefined
    ? { status, ...answer }
    : { status, ...answer, body: inflateRawSync(Buffer.from(packed, 'base64')).toString() }
}

/** Stores the reply of a request with a key. */
export async function keepReply(
  transaction: Transaction,
  keyed: KeyedRequest | null,
  {
    status,
    isWhole,
    ...reply
  }: Omit<KeptReply, 'body'> & { readonly body: string | Buffer | null },
): Promise<void> {
  if (keyed === null) return
  const { owner, key, hash, now } = keyed
  const { body } = reply
  const isShort = body === null ? isWhole : typeof body === 'string' && body.length <= bodyLengthMax
  const packed =
    isWhole && !isShort && body !== null ? { packed: deflateRawSync(body).toString('base64') } : {}
  await keepAnswer(transaction, {
    owner,
    key,
    requestHash: hash,
    createdAt: now,
    status,
    answer: JSON.stringify(isShort ? { ...reply, ids: [] } : { ...reply, body: null, ...packed }),
  })
}

/** Deletes expired replies. */
export function forgetReplies(store: Store, now: number): Promise<void> {
  return store.inHouseTransaction((writer) => forgetAnswers(writer, now - keptMicroseconds))
}

/** 30 days. */
const keptMicroseconds = 30 * 24 * 3600 * 1_000_000

/** A longer body is serialized again from its records. */
const bodyLengthMax = 64 * 1024
