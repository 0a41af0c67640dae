// Change sets: batch requests that share one transaction and succeed or fail together (ADR 0033).
import type { Serving } from '../operation.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { phrase } from '../../errors/messages.ts'
import type { Store, Transaction } from '../../store/store.ts'

/** Runs one of the requests. Database errors are thrown, so that the store can retry the transaction. */
export type Work = (serving: Serving) => Promise<Reply>

/** All replies in order, or the error reply of the first request that failed, with its index. */
export type Together =
  | { readonly replies: readonly Reply[] }
  | { readonly refused: Reply; readonly index: number }

/** Throws the store's errors when it cannot commit. */
export async function together(
  works: readonly Work[],
  serving: Serving,
  { companyId, refuse }: { companyId: CompanyId; refuse: (error: unknown) => Reply },
): Promise<Together> {
  try {
    return await serving.store.inTransaction(companyId, async (transaction) => {
      const joined = joinedStore(serving.store, transaction)
      const replies: Reply[] = []
      for (const [index, work] of works.entries()) {
        const reply = await work({ ...serving, store: joined.store })
        if (reply.status >= 400) throw new Refused(reply, index)
        // A dry run succeeds but rolls back, which it cannot do alone in a shared transaction.
        if (joined.isUndone()) throw new Refused(refuse(notSupported('aDryRunInChangeSet')), index)
        replies.push(reply)
      }
      return { replies }
    })
  } catch (error) {
    if (error instanceof Refused) return { refused: error.reply, index: error.index }
    throw error
  }
}

/** Thrown to roll back the requests before it. */
class Refused extends Error {
  readonly reply: Reply
  readonly index: number

  constructor(reply: Reply, index: number) {
    super('a request of a change set failed')
    this.reply = reply
    this.index = index
  }
}

function joinedStore(
  outer: Store,
  transaction: Transaction,
): { readonly store: Store; readonly isUndone: () => boolean } {
  let isUndone = false
  const store: Store = {
    dialect: outer.dialect,
    isSuspect: outer.isSuspect,
    examine: () => outer.examine(),
    load: () => outer.load(),
    ping: () => outer.ping(),
    close: () => outer.close(),
    all: (statement, values) => transaction.all(statement, values),
    first: (statement, values) => transaction.first(statement, values),
    inTransaction: async (_, act) => {
      try {
        return await act(transaction)
      } catch (error) {
        isUndone = true
        throw error
      }
    },
    inHouseTransaction: async () => {
      throw notSupported('readingBackInChangeSet')
    },
    // Another connection would not see the uncommitted writes.
    readRows: refuseRead,
    readJson: refuseRead,
    count: refuseRead,
  }
  return { store, isUndone: () => isUndone }
}

function refuseRead(): never {
  throw notSupported('readingBackInChangeSet')
}

function notSupported(feature: 'aDryRunInChangeSet' | 'readingBackInChangeSet'): Fault {
  return new Fault('NotSupported', { says: { feature: phrase(feature) } })
}
