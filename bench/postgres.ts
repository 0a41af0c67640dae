// The PostgreSQL databases of the benchmark: one filled template per size, and a copy of it per run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { fill, schemaFingerprint } from './dagsverk.ts'
import type { Size } from './rows.ts'

/**
 * The URL of a fresh copy of the filled database. `server` must be a user who may create databases.
 */
export async function filledPostgres(
  server: string,
  size: Size,
  say: (what: string) => void,
): Promise<string> {
  const template = `dagsverk_bench_${size.rows}x${size.companies}_${schemaFingerprint()}`
  if (!(await exists(server, template))) {
    say(`filling PostgreSQL with ${size.rows} rows`)
    await makeTemplate(server, template, size)
  }
  await dropCopy(server)
  await administer(server, `CREATE DATABASE "${copy}" TEMPLATE "${template}"`)
  return withDatabase(server, copy)
}

export async function dropCopy(server: string): Promise<void> {
  await administer(server, `DROP DATABASE IF EXISTS "${copy}" WITH (FORCE)`)
}

const copy = 'dagsverk_bench_run'

async function makeTemplate(server: string, template: string, size: Size): Promise<void> {
  const unfinished = `${template}_part`
  const dataFolder = mkdtempSync(join(tmpdir(), 'dagsverk-bench-'))
  try {
    await administer(server, `DROP DATABASE IF EXISTS "${unfinished}" WITH (FORCE)`)
    await administer(server, `CREATE DATABASE "${unfinished}"`)
    await fill({ dataFolder, databaseUrl: withDatabase(server, unfinished) }, size)
    await administer(withDatabase(server, unfinished), 'VACUUM ANALYZE')
    await administer(server, `ALTER DATABASE "${unfinished}" RENAME TO "${template}"`)
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function exists(server: string, name: string): Promise<boolean> {
  const found = await administer(server, 'SELECT 1 FROM pg_database WHERE datname = $1', [name])
  return found > 0
}

/** Runs one statement on a connection of its own, and returns the number of rows. */
async function administer(url: string, sql: string, values: string[] = []): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql, values)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
