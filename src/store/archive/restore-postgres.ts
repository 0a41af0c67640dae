// A backup takes the place of the schema of a PostgreSQL database.
import { setTimeout } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { dated, filled, quoted, type Filling } from './filling.ts'
import type { Found, Restored, RestoreOptions } from './types.ts'
import { holdExports } from './hold-exports.ts'
import type { ArchivedTable, Row } from './table.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { migrateDatabase } from '../open-store.ts'
import { openPool } from '../postgres/pool.ts'

export async function restorePostgres(
  { url, path, at, onProgress }: RestoreOptions,
  { head, total }: Found,
): Promise<Restored> {
  const pool = openPool(url, { max: 1 })
  try {
    await refuseServers(pool)
    await pool.query(`drop schema if exists ${newSchema} cascade`)
    await pool.query(`create schema ${newSchema}`)
    const inside = inSchema(url)
    await migrateDatabase(inside, head.migrations.at(-1))
    const rows = await filled(await openSchema(inside), path, (rows) => onProgress(rows, total))
    await migrateDatabase(inside)
    await holdExports(inside, at)
    await refuseServers(pool)
    return { head, rows, kept: await exchangeSchemas(pool, at) }
  } finally {
    await pool.end()
  }
}

const newSchema = 'dagsverk_restored'

function inSchema(url: string): string {
  const inside = new URL(url)
  inside.searchParams.set('options', `-c search_path=${newSchema}`)
  return inside.href
}

/** Both names change in one moment, or neither does. */
async function exchangeSchemas(pool: Pool, at: number): Promise<string> {
  const { rows } = await pool.query<{ name: string }>('select current_schema() as name')
  const name = rows[0]?.name ?? 'public'
  const kept = `${name}_${dated(at)}`
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `alter schema ${client.escapeIdentifier(name)} rename to ${client.escapeIdentifier(kept)}`,
    )
    await client.query(`alter schema ${newSchema} rename to ${client.escapeIdentifier(name)}`)
    await client.query('commit')
  } finally {
    client.release()
  }
  return kept
}

/** Connections that were closed a moment ago may still be on their way out. */
async function refuseServers(pool: Pool): Promise<void> {
  for (let asked = 0; asked < 10; asked++) {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = 'dagsverk' and pid <> pg_backend_pid()`,
    )
    if (rows.length === 0) return
    await setTimeout(200)
  }
  throw new OperatorError(
    'A server or a command works on this database. Stop every one of them first.',
    exitCodes.configuration,
  )
}

async function openSchema(url: string): Promise<Filling> {
  const pool = openPool(url, { max: 1 })
  const client = await pool.connect()
  await client.query('begin')
  // A row may come before the row that it refers to, so foreign keys are checked at the commit.
  await client.query('set constraints all deferred')
  return {
    clear: async (tables) => {
      const names = tables.map(({ name }) => quoted(name)).join(', ')
      await client.query(`truncate ${names}`)
    },
    insert: (table, rows) => insertRows(client, table, rows),
    finish: async (tables) => {
      for (const { name, sequence } of tables)
        if (sequence !== null)
          await client.query("select setval(pg_get_serial_sequence($1, 'id'), $2)", [
            quoted(name),
            sequence,
          ])
      await client.query('commit')
      await client.query('analyze')
    },
    close: async () => {
      client.release()
      await pool.end()
    },
  }
}

/** As one value: a statement of its own for each number of rows would be planned anew. */
async function insertRows(
  client: PoolClient,
  { name, columns }: ArchivedTable,
  rows: readonly Row[],
): Promise<void> {
  const records = rows.map((row) =>
    Object.fromEntries(columns.map((column, at) => [column, row[at]])),
  )
  await client.query(
    `insert into ${quoted(name)} (${columns.map(quoted).join(', ')})
     select ${columns.map(quoted).join(', ')} from json_populate_recordset(null::${quoted(name)}, $1)`,
    [JSON.stringify(records)],
  )
}
