// Database snapshot: reads table by table at one point in time, while a server goes on writing.
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { archiveChunkRows, type ArchivedTable, type ArchivedRow } from './table.ts'
import { sqlitePath } from '../open-store.ts'
import { queryAll, openCursor } from '../postgres/connection.ts'
import { openPool } from '../postgres/pool.ts'
import { connect } from '../sqlite/connection.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { statement, type Statement } from '../statement.ts'

export interface Snapshot {
  /** In the order of their creation: a table comes after the tables that it refers to. */
  readonly tables: readonly ArchivedTable[]
  /** An estimate of the number of rows, to report progress. */
  readonly rowsEstimated: number
  rows(
    table: ArchivedTable,
  ): Iterable<readonly ArchivedRow[]> | AsyncIterable<readonly ArchivedRow[]>
  close(): Promise<void>
}

export function openSnapshot(url: string): Promise<Snapshot> {
  const path = sqlitePath(url)
  return path === null ? postgresSnapshot(url) : sqliteSnapshot(path)
}

async function sqliteSnapshot(path: string): Promise<Snapshot> {
  const connection = connect(path, 'reader')
  connection.exec('begin')
  const columns = Map.groupBy(connection.all(sqliteColumns, {}), ({ name }) => name)
  const sequences = new Map(
    connection.all(sqliteSequences, {}).map(({ name, last }) => [name, last]),
  )
  const tables = [...columns].map(([name, ofTable]) => ({
    name,
    columns: ofTable.map(({ column }) => column),
    sequence: sequences.get(name) ?? null,
  }))
  const rowsEstimated = tables.reduce(
    (sum, table) => sum + (connection.first(countStatement(table), {})?.count ?? 0),
    0,
  )
  return {
    tables,
    rowsEstimated,
    rows: (table) => inChunks(connection.iterate(rowsStatement(table), {})),
    close: async () => connection.close(),
  }
}

function* inChunks(rows: Iterable<ArchivedRow>): Generator<ArchivedRow[]> {
  let chunk: ArchivedRow[] = []
  for (const row of rows) {
    chunk.push(row)
    if (chunk.length < archiveChunkRows) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

async function postgresSnapshot(url: string): Promise<Snapshot> {
  const pool = openPool(url, { max: 1 })
  try {
    const client = await pool.connect()
    await client.query('begin transaction isolation level repeatable read read only')
    const found = await queryAll(client, postgresTables, {})
    const tables: ArchivedTable[] = []
    // One after the other, because the connection runs one query at a time.
    for (const { name, columns, counter } of found) {
      const sequence = counter === null ? null : await lastNumber(client, counter)
      tables.push({ name, columns: columns.split(' '), sequence })
    }
    return {
      tables,
      rowsEstimated: found.reduce((sum, { rows }) => sum + Math.max(rows, 0), 0),
      rows: (table) => fetchChunks(client, table),
      close: async () => {
        await client.query('rollback')
        client.release()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

async function* fetchChunks(
  client: PoolClient,
  table: ArchivedTable,
): AsyncGenerator<ArchivedRow[]> {
  const next = await openCursor(client, rowsStatement(table), {})
  for (
    let rows = await next(archiveChunkRows);
    rows.length > 0;
    rows = await next(archiveChunkRows)
  )
    yield rows
  await client.query('close stream')
}

async function lastNumber(client: PoolClient, counter: string): Promise<number | null> {
  const last = statement<{ last: number | null }>(
    () => sql`select case when is_called then last_value end as last from ${sql.raw(counter)}`,
  )
  return (await queryAll(client, last, {}))[0]?.last ?? null
}

function rowsStatement({ name, columns }: ArchivedTable): Statement<SqlValue[]> {
  return statement(
    () => sql`select ${sql.join(columns.map((one) => sql.id(one)))} from ${sql.id(name)}`,
  )
}

function countStatement({ name }: ArchivedTable): Statement<{ count: number }> {
  return statement(() => sql`select count(*) as count from ${sql.id(name)}`)
}

/** Without the tables of Kysely: the migrations of the restoring version create them. */
const sqliteColumns = statement<{ name: string; column: string }>(
  () => sql`
    select t.name as name, c.name as "column"
    from sqlite_master as t, pragma_table_info(t.name) as c
    where t.type = 'table' and t.name not like 'sqlite!_%' escape '!' and t.name not like 'kysely!_%' escape '!'
    order by t.rowid, c.cid`,
)

const sqliteSequences = statement<{ name: string; last: number }>(
  () => sql`select name, seq as last from sqlite_sequence`,
)

const postgresTables = statement<{
  name: string
  columns: string
  counter: string | null
  rows: number
}>(
  () => sql`
    select t.relname as name, t.reltuples::bigint as rows,
      string_agg(c.attname, ' ' order by c.attnum) as columns,
      max(pg_get_serial_sequence(quote_ident(t.relname), c.attname)) as counter
    from pg_class as t join pg_attribute as c on c.attrelid = t.oid
    where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r'
      and t.relname not like 'kysely!_%' escape '!' and c.attnum > 0 and not c.attisdropped
    group by t.oid, t.relname, t.reltuples
    order by t.oid`,
)
