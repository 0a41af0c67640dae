// Idempotency: stored replies, one row for each Idempotency-Key of a credential owner (ADR 0009).
import { statement } from './statement.ts'
import type { Awaitable, Transaction, Writer } from './store.ts'
import type { IdempotencyTable } from './tables/operations.ts'

export type StoredReplyRow = Pick<IdempotencyTable, 'requestHash' | 'status' | 'answer'>

export function findStoredReply(
  transaction: Transaction,
  owner: string,
  key: string,
  /** Microseconds; an older reply has expired. */
  notBefore: number,
): Awaitable<StoredReplyRow | undefined> {
  return transaction.first(findStatement, {
    companyId: transaction.companyId,
    owner,
    key,
    notBefore,
  })
}

export function insertReply(
  transaction: Transaction,
  reply: Omit<IdempotencyTable, 'companyId'>,
): Awaitable<void> {
  return transaction.run(saveStatement, { companyId: transaction.companyId, ...reply })
}

/** Deletes replies from before this time, in microseconds. */
export function deleteRepliesBefore(writer: Writer, before: number): Awaitable<void> {
  return writer.run(deleteExpiredStatement, { before })
}

const findStatement = statement<StoredReplyRow>(({ db, value }) =>
  db
    .selectFrom('idempotency')
    .select(['requestHash', 'status', 'answer'])
    .where('companyId', '=', value('companyId'))
    .where('owner', '=', value('owner'))
    .where('key', '=', value('key'))
    .where('createdAt', '>=', value('notBefore')),
)

const saveStatement = statement(({ db, values }) =>
  db
    .insertInto('idempotency')
    .values(values('companyId', 'owner', 'key', 'requestHash', 'createdAt', 'status', 'answer'))
    .onConflict((conflict) =>
      conflict
        .columns(['companyId', 'owner', 'key'])
        .doUpdateSet(values('requestHash', 'createdAt', 'status', 'answer')),
    ),
)

const deleteExpiredStatement = statement(({ db, value }) =>
  db.deleteFrom('idempotency').where('createdAt', '<', value('before')),
)
