// Idempotent writes: a repeat with the same Idempotency-Key gets the stored reply (ADR 0009).
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { sql } from 'kysely'
import { ApiError } from '../errors/api-error.ts'
import type { CompanyId, RecordKey } from '../engine/model/resource.ts'
import { commitIf } from './commit-if.ts'
import { deletionBefore } from './delete-in-chunks.ts'
import { upsertInto } from './row-statements.ts'
import type { Store, Transaction } from './store.ts'
import type { IdempotencyTable } from './tables/operations.ts'
import { companyRowQuery, companyCommand } from './queries.ts'

export interface IdempotentRequest {
  readonly owner: string
  readonly key: string
  readonly hash: string
  /** Microseconds UTC. */
  readonly now: number
}

/** What equal requests have in common. */
export interface RequestContent {
  readonly owner: string
  /** Method, path and options. */
  readonly parts: readonly unknown[]
  readonly body: Buffer | ''
  /** Microseconds UTC. */
  readonly now: number
}

/** Null for a request without an Idempotency-Key. Throws `IdempotencyKeyInvalid`. */
export function identifyRequest(key: string | undefined, contentOf: () => RequestContent): IdempotentRequest | null {
  if (key === undefined) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError('IdempotencyKeyInvalid', { target: 'header:Idempotency-Key' })
  const { owner, parts, body, now } = contentOf()
  const hash = createHash('sha256').update(JSON.stringify(parts)).update(body).digest('base64url')
  return { owner, key, hash, now }
}

/** The reply to a write, without the headers of every reply to the caller. */
export interface WriteReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
  /** The written records, from which a replay serializes a long body again. Without them a long body is stored. */
  readonly written?: WrittenRecords
}

export interface WrittenRecords {
  readonly keys: readonly RecordKey[]
  readonly isList: boolean
}

export interface WriteExecution {
  /** Null without an Idempotency-Key. */
  readonly idempotent: IdempotentRequest | null
  readonly isDryRun: boolean
  /** Whether the transaction may be long. */
  readonly isLong?: boolean
  /** Body and headers of the written records as they are now. */
  readonly serializeWritten?:
    | ((transaction: Transaction, written: WrittenRecords) => Promise<Pick<WriteReply, 'headers' | 'body'>>)
    | undefined
}

/**
 * Runs the work in a transaction of the company and stores its reply, or replays the stored one. A dry run is rolled back.
 * Throws `IdempotencyKeyReused` for another request with a known key.
 */
export async function executeWrite(
  store: Store,
  companyId: CompanyId,
  { idempotent, isDryRun, isLong = false, serializeWritten }: WriteExecution,
  work: (transaction: Transaction) => Promise<WriteReply>,
): Promise<WriteReply> {
  const replyOnce = async (transaction: Transaction): Promise<WriteReply> => {
    const stored = idempotent === null ? null : await findReply(transaction, idempotent)
    if (stored === null) {
      const first = await work(transaction)
      if (idempotent !== null && !isDryRun) await insertReply(transaction, idempotent, first)
      return first
    }
    const current = stored.written === undefined ? null : await serializeWritten?.(transaction, stored.written)
    const headers = { ...stored.headers, 'Idempotency-Replayed': 'true', ...current?.headers }
    return { status: stored.status, headers, body: current?.body ?? stored.body }
  }
  const reply = isDryRun
    ? await commitIf(store, companyId, () => false, replyOnce, { isLong })
    : await store.inTransaction(companyId, idempotent === null ? work : replyOnce, { isLong, isOfCompany: true })
  return isDryRun ? { ...reply, headers: { ...reply.headers, 'X-Dry-Run': 'true' } } : reply
}

export function deleteExpiredReplies(store: Store, now: number): Promise<void> {
  return deleteBefore(store, now - retentionMicroseconds)
}

/** 30 days. */
const retentionMicroseconds = 30 * 24 * 3600 * 1_000_000

async function findReply(
  transaction: Transaction,
  { owner, key, hash, now }: IdempotentRequest,
): Promise<WriteReply | null> {
  const stored = await findStored(transaction, { owner, key, notBefore: now - retentionMicroseconds })
  if (stored === undefined) return null
  if (stored.requestHash !== hash) throw new ApiError('IdempotencyKeyReused')
  const { compressed, ...reply }: StoredReply = JSON.parse(stored.reply)
  const body = compressed === undefined ? reply.body : (await inflate(Buffer.from(compressed, 'base64'))).toString()
  return { ...reply, body, status: stored.status }
}

async function insertReply(
  transaction: Transaction,
  { owner, key, hash, now }: IdempotentRequest,
  { status, headers, body, written }: WriteReply,
): Promise<void> {
  const isShort = (body?.length ?? 0) <= bodyLengthMax
  const reply: StoredReply = isShort
    ? { headers, body: body === null ? null : String(body) }
    : written === undefined
      ? { headers, body: null, compressed: (await deflate(body ?? '')).toString('base64') }
      : { headers, body: null, written }
  await saveStored(transaction, { owner, key, requestHash: hash, createdAt: now, status, reply: JSON.stringify(reply) })
}

type StoredReply = Omit<WriteReply, 'status'> & { readonly compressed?: string }

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)]

/** A longer body is compressed, or serialized again from its records. */
const bodyLengthMax = 64 * 1024

const findStored = companyRowQuery<
  Pick<IdempotencyTable, 'owner' | 'key'> & { notBefore: number },
  Pick<IdempotencyTable, 'requestHash' | 'status' | 'reply'>
>(
  ({ value }) => sql`
    select "requestHash", status, reply from idempotency where "companyId" = ${value('companyId')}
      and owner = ${value('owner')} and key = ${value('key')} and "createdAt" >= ${value('notBefore')}`,
)

const saveStored = companyCommand(
  upsertInto('idempotency', ['companyId', 'owner', 'key'], ['requestHash', 'createdAt', 'status', 'reply']),
)

const deleteBefore = deletionBefore(
  ({ value }) => sql`
    delete from idempotency where ("companyId", owner, key) in (select "companyId", owner, key from idempotency
      where "createdAt" < ${value('before')} limit ${value('limit')}) returning 1 as deleted`,
)
