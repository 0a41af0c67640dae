// Snapshot of a PostgreSQL database: one transaction that reads table by table.
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { archiveChunkRows, rowsStatement, type ArchivedTable, type ArchivedRow, type Snapshot } from './table.ts'
import { queryAll, openCursor } from '../postgres/connection.ts'
import { openPool } from '../postgres/pool.ts'
import { statement } from '../statement.ts'

export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const pool = openPool(url, { max: 1, canBeStandby: true })
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
      estimateRows: () => found.reduce((sum, { rows }) => sum + Math.max(rows, 0), 0),
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

async function* fetchChunks(client: PoolClient, table: ArchivedTable): AsyncGenerator<ArchivedRow[]> {
  const next = await openCursor(client, rowsStatement(table), {})
  for (let rows = await next(archiveChunkRows); rows.length > 0; rows = await next(archiveChunkRows)) yield rows
  await client.query('close stream')
}

async function lastNumber(client: PoolClient, counter: string): Promise<number | null> {
  const last = statement<{ last: number | null }>(
    () => sql`select case when is_called then last_value end as last from ${sql.raw(counter)}`,
  )
  return (await queryAll(client, last, {}))[0]?.last ?? null
}

const postgresTables = statement<{ name: string; columns: string; counter: string | null; rows: number }>(
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
