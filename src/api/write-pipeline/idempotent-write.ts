// Idempotent writes in one transaction: replays stored replies, rolls back dry runs.
import { findReply, keepReply, keyedRequest, replayed, type KeyedRequest } from './idempotency.ts'
import { inTurnIfLong } from './serialize-large-bodies.ts'
import type { Serving } from '../operation.ts'
import { refuse } from '../error-reply.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Fault } from '../../errors/catalog.ts'
import type { Reply, Request } from '../../http/request.ts'
import type { Transaction } from '../../store/store.ts'

/** The reply of a write, without the headers of every reply to the caller. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A write request before its body is parsed. */
export interface Performing {
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
export async function perform(
  asked: Performing,
  { store, runningKeys }: Serving,
  prepare: () => Promise<(transaction: Transaction) => Promise<Answered>>,
): Promise<Reply> {
  const { request, caller, body, options, isDryRun, now } = asked
  const { companyId, credentialId } = caller
  const keyed = isDryRun ? null : keyedRequest(request, caller, { body, options, now })
  const answered = await runningKeys.hold(companyId, keyed, () =>
    inTurnIfLong(body, async () => {
      const act = await prepare()
      return undoneIfDry(isDryRun, (finish) =>
        store.inTransaction(companyId, async (transaction) => {
          const kept = await replyBefore(transaction, keyed)
          return kept ?? finish(await answerOnce(transaction, keyed, act))
        }),
      )
    }),
  )
  return {
    status: answered.status,
    headers: { ...asked.headers, ...answered.headers },
    body: answered.body,
    about: { companyId, credentialId },
  }
}

/** An error as a reply that does not roll back: for a list of which no item was processed, for example. */
export function refused(fault: Fault, request: Request): Answered {
  const { status, headers, body } = refuse(fault, request)
  return { status, headers, body: typeof body === 'string' ? body : null }
}

async function replyBefore(
  transaction: Transaction,
  keyed: KeyedRequest | null,
): Promise<Answered | null> {
  const kept = await findReply(transaction, keyed)
  return kept === null ? null : { ...kept, headers: { ...kept.headers, ...replayed } }
}

async function answerOnce(
  transaction: Transaction,
  keyed: KeyedRequest | null,
  act: (transaction: Transaction) => Promise<Answered>,
): Promise<Answered> {
  const answered = await act(transaction)
  await keepReply(transaction, keyed, { ...answered, ids: [], isList: false, isWhole: true })
  return answered
}

/** Rolls back the transaction of a dry run, and returns its reply. */
async function undoneIfDry(
  isDryRun: boolean,
  work: (finish: (answered: Answered) => Answered) => Promise<Answered>,
): Promise<Answered> {
  if (!isDryRun) return work((answered) => answered)
  try {
    return await work((answered) => {
      throw new DryRun(answered)
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
    const { answered } = error
    return { ...answered, headers: { ...answered.headers, 'X-Dry-Run': 'true' } }
  }
}

class DryRun extends Error {
  readonly answered: Answered

  constructor(answered: Answered) {
    super('a dry run is rolled back')
    this.answered = answered
  }
}
