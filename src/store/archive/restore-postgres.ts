// Restores a backup in place of the schema of a PostgreSQL database.
import { setTimeout } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import {
  fillDatabase,
  formatFileTime,
  quoteIdentifier,
  type BackupContent,
  type RestoreOptions,
  type RestoreResult,
  type RestoreTarget,
} from './restore-target.ts'
import { markRestored } from './mark-restored.ts'
import type { ArchivedTable, ArchivedRow } from './table.ts'
import { configurationError } from '../../lib/operator-error.ts'
import { editUrl } from '../../lib/postgres-url.ts'
import { openPool } from '../postgres/pool.ts'
import { reasonOf } from '../postgres/primary.ts'

export async function restorePostgres(options: RestoreOptions, found: BackupContent): Promise<RestoreResult> {
  const { url, at } = options
  const pool = openPool(url, { max: 1 })
  try {
    await assertNoConnections(pool)
    await pool.query(`drop schema if exists ${newSchema} cascade`)
    await pool.query(`create schema ${newSchema}`)
    const schemaUrl = urlOfSchema(url, newSchema)
    const rows = await fillDatabase(schemaUrl, () => openSchema(schemaUrl), options, found)
    await markRestored(schemaUrl, at)
    await pool.query('analyze')
    await assertNoConnections(pool)
    return { head: found.head, rows, kept: await exchangeSchemas(pool, at) }
  } finally {
    await pool.end()
  }
}

/**
 * Restores the backup into a schema beside that of the database, and drops it; servers may run. Returns why that was not
 * possible, and null if it was. Throws an `OperatorError` if the database does not accept the rows.
 */
export async function tryRestorePostgres(
  options: Omit<RestoreOptions, 'at'>,
  found: BackupContent,
): Promise<string | null> {
  const { url } = options
  const pool = openPool(url, { max: 1 })
  try {
    // Held until the end: the pool would close an idle connection, and its lock would be released.
    const client = await pool.connect().catch(reasonOf)
    if (typeof client === 'string') return client
    return await tryRestore(client, options, found).finally(() => client.release(true))
  } finally {
    await pool.end()
  }
}

async function tryRestore(
  client: PoolClient,
  options: Omit<RestoreOptions, 'at'>,
  found: BackupContent,
): Promise<string | null> {
  const lock = await client.query<{ isTaken: boolean }>(
    `select pg_try_advisory_lock(hashtext('${trialSchema}')) as "isTaken"`,
  )
  if (lock.rows[0]?.isTaken !== true) return 'another command is restoring a backup there'
  try {
    // A command that was killed leaves it.
    await client.query(dropTrial)
    await client.query(`create schema ${trialSchema}`)
  } catch (error) {
    return reasonOf(error)
  }
  try {
    const schemaUrl = urlOfSchema(options.url, trialSchema)
    await fillDatabase(schemaUrl, () => openSchema(schemaUrl), options, found)
    return null
  } finally {
    await client.query(dropTrial)
  }
}

const newSchema = 'dagsverk_restored'
const trialSchema = 'dagsverk_trial'
const dropTrial = `drop schema if exists ${trialSchema} cascade`

function urlOfSchema(url: string, schema: string): string {
  return editUrl(url, ({ searchParams }) => searchParams.set('options', `-c search_path=${schema}`))
}

/** Renames both schemas in one transaction. */
async function exchangeSchemas(pool: Pool, at: number): Promise<string> {
  const { rows } = await pool.query<{ name: string }>('select current_schema() as name')
  const name = rows[0]?.name ?? 'public'
  const kept = `${name}_${formatFileTime(at)}`
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`alter schema ${client.escapeIdentifier(name)} rename to ${client.escapeIdentifier(kept)}`)
    await client.query(`alter schema ${newSchema} rename to ${client.escapeIdentifier(name)}`)
    await client.query('commit')
  } finally {
    client.release()
  }
  return kept
}

/** Retries, because a closed connection may still be listed for a moment. */
async function assertNoConnections(pool: Pool): Promise<void> {
  for (let attempts = 0; attempts < 10; attempts++) {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = 'dagsverk' and pid <> pg_backend_pid()`,
    )
    if (rows.length === 0) return
    await setTimeout(200)
  }
  throw configurationError('Other servers or commands are connected to this database. Stop them first.')
}

async function openSchema(url: string): Promise<RestoreTarget> {
  const pool = openPool(url, { max: 1 })
  const client = await pool.connect()
  await client.query('begin')
  // A row may come before the row that it refers to, so foreign keys are checked at the commit.
  return {
    clear: async (tables) => {
      const names = tables.map(({ name }) => quoteIdentifier(name)).join(', ')
      await client.query(`truncate ${names}`)
    },
    insert: (table, rows) => insertRows(client, table, rows),
    finish: async (tables) => {
      for (const { name, sequence } of tables)
        if (sequence !== null)
          await client.query("select setval(pg_get_serial_sequence($1, 'id'), $2)", [quoteIdentifier(name), sequence])
      await client.query('commit')
    },
    close: async () => {
      client.release()
      await pool.end()
    },
  }
}

/** All rows as one parameter, because a statement per number of rows would be planned each time. */
async function insertRows(
  client: PoolClient,
  { name, columns }: ArchivedTable,
  rows: readonly ArchivedRow[],
): Promise<void> {
  const records = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])))
  await client.query(
    `insert into ${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')})
     select ${columns.map(quoteIdentifier).join(', ')} from json_populate_recordset(null::${quoteIdentifier(name)}, $1)`,
    [JSON.stringify(records)],
  )
}
