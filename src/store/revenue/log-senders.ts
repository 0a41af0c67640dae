// Senders of the revenue log: for each complete block of entries, who sent some of them. An index of all entries by sender
// would cost each upsert a page (ADR 0010).
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import type { Awaitable, Transaction } from '../store.ts'

/** Entries of a block; the first block has one fewer, because ids begin at 1. */
export const logBlockRows = 4_096

/** The first id of the block that contains this one. */
export function logBlockStart(id: number): number {
  return id - (id % logBlockRows)
}

interface NewEntries {
  readonly count: number
  /** The id after theirs. */
  readonly next: number
  readonly actor: string
}

/** Inserts the senders of each block that these entries, all of one actor, have completed. */
export function insertLogSenders(transaction: Transaction, { count, next, actor }: NewEntries): Awaitable<void> {
  const { companyId } = transaction
  const first = logBlockStart(next - count)
  const end = logBlockStart(next)
  if (first < end) return transaction.run(insertStatement, { companyId, first, end, actor })
}

/** The last entry of each of these blocks is by `actor`, so that only those of others are grouped, which sorts them. */
const insertStatement = statement(
  ({ value }) => sql`
    insert into "revenueLogSender" ("companyId", actor, "lastId")
    select "companyId", actor, max(id) from "revenueLog"
    where "companyId" = ${value('companyId')} and id >= ${value('first')} and id < ${value('end')}
      and (actor <> ${value('actor')} or (id + 1) % ${sql.lit(logBlockRows)} = 0)
    group by "companyId", actor, id / ${sql.lit(logBlockRows)}`,
)
