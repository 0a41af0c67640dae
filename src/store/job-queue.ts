// Work that waits in a table, and is taken by one server at a time: letters, and deliveries to webhooks.
import { sql, type RawBuilder } from 'kysely'
import type { SqlValue } from '../engine/sql/dialect.ts'
import { statement, type Build } from './statement.ts'
import type { Awaitable, Reader, Writer } from './store.ts'

/** Rows are due at `dueAt`, and over where it is null. */
export interface Queue<Row> {
  isDue(reader: Reader, now: number): Promise<boolean>
  /**
   * Takes the row that is due longest, for this server alone: another one sees it again at `againAt`, when whoever took
   * it must be dead. Counts the attempt.
   */
  take(writer: Writer, taking: Taking): Awaitable<Row | undefined>
  /** Forgets what is over and was made before this moment, in microseconds. */
  forget(writer: Writer, before: number): Awaitable<void>
}

interface Taking {
  readonly now: number
  readonly againAt: number
  /** What `among` speaks of. */
  readonly [name: string]: SqlValue
}

interface QueueOptions {
  readonly returns: readonly string[]
  /** Which of the rows may be taken now; all of them without. */
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
  const takeStatement = statement<Row>((build) => {
    const { dialect, value } = build
    const alone = dialect === 'postgres' ? sql`for update skip locked` : sql``
    // Compared with one value, which is worked out once: PostgreSQL may work out `in` again for each row, and take several.
    return sql`
      update ${table} set "dueAt" = ${value('againAt')}, attempts = attempts + 1 where id = (
        select id from ${table} where "dueAt" <= ${value('now')} ${among?.(build) ?? sql``}
        order by "dueAt" limit 1 ${alone})
      returning ${sql.join(returns.map((column) => sql.ref(column)))}`
  })
  const forgetStatement = statement(
    ({ value }) =>
      sql`delete from ${table} where "dueAt" is null and "createdAt" < ${value('before')}`,
  )
  return {
    isDue: async (reader, now) => (await reader.first(dueStatement, { now })) !== undefined,
    take: (writer, taking) => writer.first(takeStatement, taking),
    forget: (writer, before) => writer.run(forgetStatement, { before }),
  }
}
