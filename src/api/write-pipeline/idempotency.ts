// Idempotency keys: a repeated request gets the stored reply and changes nothing (ADR 0009).
import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { resolvePath, parseRecordKey } from '../odata/resource-url.ts'
import type { Caller } from '../../auth/caller.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import type { CompanyId, RecordKey } from '../../engine/model/resource.ts'
import { deleteRepliesBefore, findStoredReply, insertReply } from '../../store/idempotency.ts'
import type { Store, Transaction } from '../../store/store.ts'

/** The identity of a request with an Idempotency-Key. */
export interface IdempotentRequest {
  /** The owner of the credential. */
  readonly owner: string
  readonly key: string
  readonly hash: string
  /** Microseconds UTC. */
  readonly now: number
}

/** A stored reply: the body if it is short, otherwise the keys of its records. */
export interface StoredReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly ids: readonly RecordKey[]
  readonly isList: boolean
  /** Stores a long body too, compressed: results per element cannot be rebuilt from records. */
  readonly storesLongBody?: true
}

/** Null for a request without an Idempotency-Key. Throws `IdempotencyKeyInvalid`. */
export function identifyRequest(
  request: Request,
  { owner }: Caller,
  content: {
    readonly body: Buffer | ''
    readonly options: readonly string[]
    readonly now: number
  },
): IdempotentRequest | null {
  const key = request.header('idempotency-key')
  if (key === undefined) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError('IdempotencyKeyInvalid', { target: 'header:Idempotency-Key' })
  return { owner, key, hash: requestHash(request, content.body, content.options), now: content.now }
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
    .update(JSON.stringify([method, path.toLowerCase(), recordKeyOf(path), ...options]))
    .update(body)
    .digest('base64url')
}

function recordKeyOf(path: string): RecordKey | null {
  const address = resolvePath(serviceSchema, path)
  return address === null ? null : parseRecordKey(path, address.resource)
}

/** The Idempotency-Keys that this process is working on. */
export class RunningKeys {
  readonly #running = new Set<string>()

  /** Throws `IdempotencyInProgress` while another request with the key runs. */
  async run<T>(
    companyId: CompanyId,
    idempotent: IdempotentRequest | null,
    work: () => Promise<T>,
  ): Promise<T> {
    if (idempotent === null) return work()
    const name = `${companyId} ${idempotent.owner} ${idempotent.key}`
    if (this.#running.has(name))
      throw new ApiError('IdempotencyInProgress', { headers: { 'Retry-After': '1' } })
    this.#running.add(name)
    try {
      return await work()
    } finally {
      this.#running.delete(name)
    }
  }
}

/** Marks a replayed reply. */
export const replayedHeader = { 'Idempotency-Replayed': 'true' } as const

/** The stored reply; null for a new request, or one without a key. Throws `IdempotencyKeyReused`. */
export async function findReply(
  transaction: Transaction,
  idempotent: IdempotentRequest | null,
): Promise<StoredReply | null> {
  if (idempotent === null) return null
  const { owner, key, hash, now } = idempotent
  const stored = await findStoredReply(transaction, owner, key, now - retentionMicroseconds)
  if (stored === undefined) return null
  if (stored.requestHash !== hash) throw new ApiError('IdempotencyKeyReused')
  const { status } = stored
  const { packed, ...answer }: Omit<StoredReply, 'status'> & { packed?: string } = JSON.parse(
    stored.answer,
  )
  return packed === undefined
    ? { status, ...answer }
    : { status, ...answer, body: inflateRawSync(Buffer.from(packed, 'base64')).toString() }
}

/** Stores the reply of a request with a key. */
export async function saveReply(
  transaction: Transaction,
  idempotent: IdempotentRequest | null,
  {
    status,
    storesLongBody,
    ...reply
  }: Omit<StoredReply, 'body'> & { readonly body: string | Buffer | null },
): Promise<void> {
  if (idempotent === null) return
  const { owner, key, hash, now } = idempotent
  const { body } = reply
  const isShort =
    body === null ? storesLongBody : typeof body === 'string' && body.length <= bodyLengthMax
  const packed =
    storesLongBody && !isShort && body !== null
      ? { packed: deflateRawSync(body).toString('base64') }
      : {}
  await insertReply(transaction, {
    owner,
    key,
    requestHash: hash,
    createdAt: now,
    status,
    answer: JSON.stringify(isShort ? { ...reply, ids: [] } : { ...reply, body: null, ...packed }),
  })
}

/** Deletes expired replies. */
export function deleteExpiredReplies(store: Store, now: number): Promise<void> {
  return store.inSystemTransaction((writer) =>
    deleteRepliesBefore(writer, now - retentionMicroseconds),
  )
}

/** 30 days. */
const retentionMicroseconds = 30 * 24 * 3600 * 1_000_000

/** A longer body is serialized again from its records. */
const bodyLengthMax = 64 * 1024
