// Job queue: rows of a table that one server at a time leases, for e-mail and webhook deliveries.
import { sql, type RawBuilder } from 'kysely'
import type { SqlValue } from '../engine/sql/dialect.ts'
import { deleteInChunks } from './delete-in-chunks.ts'
import { crossCompanyStatement, type Build } from './statement.ts'
import type { Awaitable, Reader, Store, Writer } from './store.ts'

/** A row is due at `nextAttemptAt`, and finished where that is null. */
export interface JobQueue<Row> {
  hasDueJob(reader: Reader, now: number): Promise<boolean>
  /**
   * Leases the row that has been due longest to this server, and counts the attempt. Other servers see the row again at
   * `leaseUntil`, by when a server that still holds it must have died.
   */
  lease(writer: Writer, taking: LeaseParameters): Awaitable<Row | undefined>
  /** Deletes finished rows that were created before this time, in microseconds. */
  deleteFinished(store: Store, before: number): Promise<void>
}

interface LeaseParameters {
  readonly now: number
  readonly leaseUntil: number
  /** Values that `condition` refers to. */
  readonly [name: string]: SqlValue
}

interface JobQueueOptions {
  readonly returns: readonly string[]
  /** Which rows may be leased now; all of them where it is missing. */
  readonly condition?: (build: Build) => RawBuilder<unknown>
}

export function createJobQueue<Row>(name: 'delivery' | 'mail', { returns, condition }: JobQueueOptions): JobQueue<Row> {
  const table = sql.table(name)
  const dueStatement = crossCompanyStatement<{ id: number }>(
    ({ value }) => sql`select id from ${table} where "nextAttemptAt" <= ${value('now')} limit 1`,
  )
  const leaseStatement = crossCompanyStatement<Row>((build) => {
    const { dialect, value } = build
    const lock = dialect === 'postgres' ? sql`for update skip locked` : sql``
    // `=` evaluates the subquery once. PostgreSQL may evaluate `in` for each row, and lease several.
    return sql`
      update ${table} set "nextAttemptAt" = ${value('leaseUntil')}, attempts = attempts + 1 where id = (
        select id from ${table} where "nextAttemptAt" <= ${value('now')} ${condition?.(build) ?? sql``}
        order by "nextAttemptAt" limit 1 ${lock})
      returning ${sql.join(returns.map((column) => sql.ref(column)))}`
  })
  const deleteStatement = crossCompanyStatement<unknown>(
    ({ value }) => sql`
      delete from ${table} where id in (select id from ${table}
        where "nextAttemptAt" is null and "createdAt" < ${value('before')} limit ${value('limit')})
      returning 1 as deleted`,
  )
  return {
    hasDueJob: async (reader, now) => (await reader.first(dueStatement, { now })) !== undefined,
    lease: (writer, taking) => writer.first(leaseStatement, taking),
    deleteFinished: (store, before) =>
      deleteInChunks((limit) => store.inSystemTransaction((writer) => writer.all(deleteStatement, { before, limit }))),
  }
}
