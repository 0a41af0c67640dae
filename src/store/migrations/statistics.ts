// Planner statistics of every table. Without them, SQLite assumes that a company has ten rows.
import { sql, type Kysely } from 'kysely'

/**
 * Called after migrations and at each start of a server. SQLite gets fixed numbers (ADR 0014), so that plans are the same
 * for an empty database and for ten million rows.
 */
export async function writePlannerStatistics(db: Kysely<unknown>): Promise<void> {
  const { rows: tables } = await sql`
    select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(db)
  // Creates `sqlite_stat1`.
  if (tables.length === 0) await sql`analyze sqlite_schema`.execute(db)
  const { rows: indexes } = await sql<ListedIndex>`
    select tables.name as tbl, iif(list.origin = 'pk' and options.wr, tables.name, list.name) as idx, list."unique" as "isUnique",
      list.partial as "isPartial", string_agg(coalesce(info.name, ''), ',' order by info.seqno) as columns
    from sqlite_schema as tables join pragma_table_list as options on options.name = tables.name,
      pragma_index_list(tables.name) as list, pragma_index_info(list.name) as info
    where tables.type = 'table' and tables.name not like 'sqlite%' group by tables.name, list.name`.execute(db)
  const known = await sql<Stat>`select tbl, idx, stat from sqlite_stat1`.execute(db)
  const wanted = indexes.map((index) => ({ tbl: index.tbl, idx: index.idx, stat: statOf(index) }))
  if (textOf(known.rows) === textOf(wanted)) return
  await db.transaction().execute(async (transaction) => {
    await sql`delete from sqlite_stat1`.execute(transaction)
    await sql`insert into sqlite_stat1 (tbl, idx, stat)
      select value ->> 'tbl', value ->> 'idx', value ->> 'stat' from json_each(${JSON.stringify(wanted)})`.execute(
      transaction,
    )
  })
}

interface Stat {
  readonly tbl: string
  /** The name of the index; that of the table for the primary key of a table without rowid. */
  readonly idx: string
  readonly stat: string
}

interface ListedIndex extends Omit<Stat, 'stat'> {
  /** Separated by commas; empty for an expression. */
  readonly columns: string
  readonly isUnique: number
  /** It has a `where` condition. */
  readonly isPartial: number
}

function textOf(stats: readonly Stat[]): string {
  return stats
    .map(({ tbl, idx, stat }) => `${tbl} ${idx} ${stat}`)
    .toSorted()
    .join('\n')
}

/**
 * Of a million rows, a company has 10,000, a value of a column with few values 5,000, a value of another column 50, and all
 * columns of the index together one. A partial index has a tenth of the rows.
 */
function statOf({ columns, isUnique, isPartial }: ListedIndex): string {
  const names = columns.split(',')
  const rowsOf = (name: string, at: number): number => {
    if (at === names.length - 1 && (isUnique === 1 || names.length > 1)) return 1
    if (name === 'companyId') return 10_000
    return fewValues.has(name) ? 5000 : 50
  }
  const rows = [1_000_000, ...names.map(rowsOf)]
  return rows.map((one) => (isPartial === 1 && one > 50 ? one / 10 : one)).join(' ')
}

/** Columns with few distinct values within a company. */
const fewValues: ReadonlySet<string> = new Set(['destinationId', 'resource'])
