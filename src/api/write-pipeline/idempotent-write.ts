// Idempotent writes in one transaction: replays stored replies, rolls back dry runs.
import {
  findReply,
  saveReply,
  identifyRequest,
  replayedHeader,
  type IdempotentRequest,
} from './idempotency.ts'
import { runExclusiveIfLarge } from './serialize-large-bodies.ts'
import type { ApiContext } from '../operation.ts'
import { toErrorReply } from '../error-reply.ts'
import type { Caller } from '../../auth/caller.ts'
import type { ApiError } from '../../errors/api-error.ts'
import type { Reply, Request } from '../../http/request.ts'
import type { Transaction } from '../../store/store.ts'

/** The reply of a write, without the headers of every reply to the caller. */
export interface WriteReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A write request before its body is parsed. */
export interface IdempotentWrite {
  readonly request: Request
  readonly caller: Caller
  readonly body: Buffer
  /** Query options that are part of the request's identity. */
  readonly options: readonly string[]
  readonly isDryRun: boolean
  /** Microseconds UTC. */
  readonly now: number
  /** Headers of every reply to this caller. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * `prepare` parses the body before the transaction begins, and returns the function that runs inside it. An error
 * reply that this function returns, instead of throwing, is stored for replays like any reply.
 */
export async function executeWrite(
  write: IdempotentWrite,
  { store, runningKeys }: ApiContext,
  prepare: () => Promise<(transaction: Transaction) => Promise<WriteReply>>,
): Promise<Reply> {
  const { request, caller, body, options, isDryRun, now } = write
  const { companyId, credentialId } = caller
  const idempotent = isDryRun ? null : identifyRequest(request, caller, { body, options, now })
  const reply = await runningKeys.run(companyId, idempotent, () =>
    runExclusiveIfLarge(body, async () => {
      const work = await prepare()
      return rollBackDryRun(isDryRun, (finish) =>
        store.inTransaction(companyId, async (transaction) => {
          const replayedReply = await findReplay(transaction, idempotent)
          return replayedReply ?? finish(await runAndSaveReply(transaction, idempotent, work))
        }),
      )
    }),
  )
  return {
    status: reply.status,
    headers: { ...write.headers, ...reply.headers },
    body: reply.body,
    logContext: { companyId, credentialId },
  }
}

/** An error as a reply that does not roll back: for a list of which no item was processed, for example. */
export function errorReply(fault: ApiError, request: Request): WriteReply {
  const { status, headers, body } = toErrorReply(fault, request)
  return { status, headers, body: typeof body === 'string' ? body : null }
}

async function findReplay(
  transaction: Transaction,
  idempotent: IdempotentRequest | null,
): Promise<WriteReply | null> {
  const stored = await findReply(transaction, idempotent)
  return stored === null ? null : { ...stored, headers: { ...stored.headers, ...replayedHeader } }
}

async function runAndSaveReply(
  transaction: Transaction,
  idempotent: IdempotentRequest | null,
  work: (transaction: Transaction) => Promise<WriteReply>,
): Promise<WriteReply> {
  const reply = await work(transaction)
  await saveReply(transaction, idempotent, {
    ...reply,
    ids: [],
    isList: false,
    storesLongBody: true,
  })
  return reply
}

/** Rolls back the transaction of a dry run, and returns its reply. */
async function rollBackDryRun(
  isDryRun: boolean,
  work: (finish: (reply: WriteReply) => WriteReply) => Promise<WriteReply>,
): Promise<WriteReply> {
  if (!isDryRun) return work((reply) => reply)
  try {
    return await work((reply) => {
      throw new WriteDryRun(reply)
    })
  } catch (error) {
    if (!(error instanceof WriteDryRun)) throw error
    const { reply } = error
    return { ...reply, headers: { ...reply.headers, 'X-Dry-Run': 'true' } }
  }
}

class WriteDryRun extends Error {
  readonly reply: WriteReply

  constructor(reply: WriteReply) {
    super('a dry run is rolled back')
    this.reply = reply
  }
}
