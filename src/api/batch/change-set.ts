// Requests that are done together or not at all: every write of theirs joins one transaction (ADR 0033).
import type { Serving } from '../operation.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { phrase } from '../../errors/messages.ts'
import type { Store, Transaction } from '../../store/store.ts'

/** Does one of the requests. What is no refusal is thrown, for the store knows what to try again. */
export type Work = (serving: Serving) => Promise<Reply>

/** Replies in the order of the works: all of them, or the one of the first that was refused, and its index. */
export type Together =
  | { readonly replies: readonly Reply[] }
  | { readonly refused: Reply; readonly index: number }

/** Throws what the store throws when it cannot commit. */
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
        // What undid itself, and says it went well, would be undone alone.
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

/** Thrown, so that the transaction undoes what went well before. */
class Refused extends Error {
  readonly reply: Reply
  readonly index: number

  constructor(reply: Reply, index: number) {
    super('a request of a change set was refused')
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
    // Another connection would not see what was just written.
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
