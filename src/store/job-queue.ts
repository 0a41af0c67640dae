// Job queue: rows of a table that one server at a time leases, for e-mail and webhook deliveries.
import { sql, type RawBuilder } from 'kysely'
import type { SqlValue } from '../engine/sql/dialect.ts'
import { statement, type Build } from './statement.ts'
import type { Awaitable, Reader, Writer } from './store.ts'

/** A row is due at `dueAt`, and finished where that is null. */
export interface Queue<Row> {
  isDue(reader: Reader, now: number): Promise<boolean>
  /**
   * Leases the row that has been due longest to this server, and counts the attempt. Other servers see the row again at
   * `leaseUntil`, by when a server that still holds it must have died.
   */
  take(writer: Writer, taking: Taking): Awaitable<Row | undefined>
  /** Deletes finished rows that were created before this time, in microseconds. */
  forget(writer: Writer, before: number): Awaitable<void>
}

interface Taking {
  readonly now: number
  readonly againAt: number
  /** Values that `condition` refers to. */
  readonly [name: string]: SqlValue
}

interface QueueOptions {
  readonly returns: readonly string[]
  /** Which rows may be leased now; all of them where it is missing. */
  readonly among?: (build: Build) => RawBuilder<unknown>
}

export function queueIn<Row>(
  name: 'delivery' | 'mail',
  { returns, among }: QueueOptions,
): Queue<Row> {
  const table = sql.table(name)
  const dueStatement = statement<{ id: number }>(
    ({ value }) => sql`select id from ${table} where "dueAt" <= ${value('now')} limit 1`,
  )
  const leaseStatement = statement<Row>((build) => {
    const { dialect, value } = build
    const lock = dialect === 'postgres' ? sql`for update skip locked` : sql``
    // `=` evaluates the subquery once. PostgreSQL may evaluate `in` for each row, and lease several.
    return sql`
      update ${table} set "dueAt" = ${value('leaseUntil')}, attempts = attempts + 1 where id = (
        select id from ${table} where "dueAt" <= ${value('now')} ${among?.(build) ?? sql``}
        order by "dueAt" limit 1 ${lock})
      returning ${sql.join(returns.map((column) => sql.ref(column)))}`
  })
  const deleteStatement = statement(
    ({ value }) =>
      sql`delete from ${table} where "dueAt" is null and "createdAt" < ${value('before')}`,
  )
  return {
    isDue: async (reader, now) => (await reader.first(dueStatement, { now })) !== undefined,
    take: (writer, taking) => writer.first(leaseStatement, taking),
    forget: (writer, before) => writer.run(deleteStatement, { before }),
  }
}
