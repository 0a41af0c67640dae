// Change sets: batch requests that share one transaction and succeed or fail together (ADR 0024).
import type { ApiContext } from '../operation.ts'
import { notSupportedError } from '../../errors/api-error.ts'
import type { Reply } from '../../http/request.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { commitIf } from '../../store/commit-if.ts'
import type { Store, Transaction } from '../../store/store.ts'

/** Runs one of the requests. Database errors are thrown, so that the store can retry the transaction. */
export type ChangeSetTask = (api: ApiContext) => Promise<Reply>

/** All replies in order, or the error reply of the first request that failed, with its index. */
export type ChangeSetResult =
  | { readonly replies: readonly Reply[] }
  | { readonly failed: Reply; readonly index: number }

/** Throws the store's errors when it cannot commit. */
export async function runChangeSet(
  tasks: readonly ChangeSetTask[],
  api: ApiContext,
  { companyId, toErrorReply }: { companyId: CompanyId; toErrorReply: (error: unknown) => Reply },
): Promise<ChangeSetResult> {
  const isComplete = (result: ChangeSetResult) => 'replies' in result
  return commitIf(api.store, companyId, isComplete, async (transaction) => {
    const joined = joinTransaction(api.store, transaction)
    const replies: Reply[] = []
    for (const [index, task] of tasks.entries()) {
      const reply = await task({ ...api, store: joined.store })
      if (reply.status >= 400) return { failed: reply, index }
      // A dry run succeeds but rolls back, which it cannot do alone in a shared transaction.
      if (joined.isRolledBack()) return { failed: toErrorReply(notSupportedError('aDryRunInChangeSet')), index }
      replies.push(reply)
    }
    return { replies }
  })
}

function joinTransaction(
  outer: Store,
  transaction: Transaction,
): { readonly store: Store; readonly isRolledBack: () => boolean } {
  let isRolledBack = false
  const store: Store = {
    dialect: outer.dialect,
    hadUncleanShutdown: outer.hadUncleanShutdown,
    checkIntegrity: () => outer.checkIntegrity(),
    load: () => outer.load(),
    health: outer.health,
    ping: () => outer.ping(),
    close: () => outer.close(),
    journalCommits: (journal) => outer.journalCommits(journal),
    all: (statement, values) => transaction.all(statement, values),
    first: (statement, values) => transaction.first(statement, values),
    inTransaction: async (_, work) => {
      try {
        return await work(transaction)
      } catch (error) {
        isRolledBack = true
        throw error
      }
    },
    inSystemTransaction: async () => {
      throw notSupportedError('readBackInChangeSet')
    },
    // Another connection would not see the uncommitted writes.
    readRows: rejectRead,
    readJson: rejectRead,
    count: rejectRead,
    reports: rejectRead,
    // Reads of the transaction see what it wrote, which no version says.
    snapshotVersion: rejectRead,
  }
  return { store, isRolledBack: () => isRolledBack }
}

function rejectRead(): never {
  throw notSupportedError('readBackInChangeSet')
}
