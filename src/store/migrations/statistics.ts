// What SQLite should believe of tables that many companies share. Without it, it takes a company for ten rows.
import { sql, type Kysely } from 'kysely'
import type { DialectName } from '#store/statement.ts'

/**
 * Tells SQLite's planner how many rows the leading columns of each index of these tables leave. It is never told what is
 * really there: a plan is the same today and at ten million rows. PostgreSQL counts for itself. A later migration that adds
 * an index tells of its table again.
 */
export const tellPlanner = async (
  db: Kysely<unknown>,
  dialect: DialectName,
  tables: readonly string[],
): Promise<void> => {
  if (dialect === 'postgres') return
  // Makes the table that the numbers are kept in.
  await sql`analyze sqlite_schema`.execute(db)
  for (const table of tables) {
    await sql`delete from sqlite_stat1 where tbl = ${table}`.execute(db)
    const { rows } = await sql<IndexShape>`
      select list.name, list.origin, count(*) as columns
      from pragma_index_list(${table}) as list, pragma_index_info(list.name)
      group by list.name`.execute(db)
    for (const { name, origin, columns } of rows) {
      const index = origin === 'pk' ? table : name
      await sql`insert into sqlite_stat1 (tbl, idx, stat)
        values (${table}, ${index}, ${statOf(columns)})`.execute(db)
    }
  }
}

interface IndexShape {
  readonly name: string
  /** `pk` for the key that the table lies in the order of. */
  readonly origin: string
  readonly columns: number
}

/** Of so many rows, a company has a hundredth, a value of the next column a few, and the whole index one. */
const statOf = (columns: number): string =>
  [1_000_000, 10_000, ...Array.from({ length: columns - 2 }, () => 50), 1].join(' ')
