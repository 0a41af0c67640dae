// Job queue: rows of a table that one server at a time leases, for e-mail and webhook deliveries.
import { sql, type RawBuilder } from 'kysely'
import type { SqlValue } from '../engine/sql/dialect.ts'
import { deletionBefore } from './delete-in-chunks.ts'
import { commandReturning, existsQuery } from './queries.ts'
import type { Build } from './statement.ts'

interface LeaseParameters {
  readonly now: number
  readonly leaseUntil: number
  /** Values that `next` refers to. */
  readonly [name: string]: SqlValue
}

interface JobQueueOptions {
  readonly returns: readonly string[]
  /** Selects the id of the due row to lease; the one that has been due longest where it is missing. */
  readonly next?: (build: Build) => RawBuilder<unknown>
}

/** A row is due at `nextAttemptAt`, and finished where that is null. */
export function createJobQueue<Row>(name: 'delivery' | 'mail', { returns, next }: JobQueueOptions) {
  const table = sql.table(name)
  const longestDue = ({ value }: Build) =>
    sql`select id from ${table} where "nextAttemptAt" <= ${value('now')} order by "nextAttemptAt" limit 1`
  return {
    hasDueJob: existsQuery<{ now: number }>(
      ({ value }) => sql`select id from ${table} where "nextAttemptAt" <= ${value('now')} limit 1`,
      'everyCompany',
    ),
    /**
     * Leases a due row to this server, and counts the attempt. Other servers see the row again at
     * `leaseUntil`, by when a server that still holds it must have died.
     */
    lease: commandReturning<LeaseParameters, Row>((build) => {
      const { dialect, value } = build
      const lock = dialect === 'postgres' ? sql`for update skip locked` : sql``
      // `=` evaluates the subquery once. PostgreSQL may evaluate `in` for each row, and lease several.
      return sql`
        update ${table} set "nextAttemptAt" = ${value('leaseUntil')}, attempts = attempts + 1 where id = (
          ${(next ?? longestDue)(build)} ${lock})
        returning ${sql.join(returns.map((column) => sql.ref(column)))}`
    }, 'everyCompany'),
    /** Deletes finished rows that were created before this time, in microseconds. */
    deleteFinished: deletionBefore(
      ({ value }) => sql`
        delete from ${table} where id in (select id from ${table}
          where "nextAttemptAt" is null and "createdAt" < ${value('before')} limit ${value('limit')})
        returning 1 as deleted`,
    ),
  }
}
