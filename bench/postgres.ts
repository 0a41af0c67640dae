// The PostgreSQL databases of the benchmark: one filled template per size, and a copy of it per run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { fill, schemaFingerprint } from './fill-dagsverk.ts'
import type { DatasetSize } from './rows.ts'

/** The database of the server with this name. */
export function copyName(server: string): string {
  return `dagsverk_bench_run_${server.replaceAll('-', '_')}`
}

/**
 * Makes a fresh copy of the filled database, and returns its URL. The user in `server`, a URL too, must be
 * allowed to create databases.
 */
export async function copyPostgres(
  server: string,
  size: DatasetSize,
  copy: string,
  log: (text: string) => void,
): Promise<string> {
  const template = `dagsverk_bench_${size.rows}x${size.companies}_${schemaFingerprint()}`
  if (!(await exists(server, template))) {
    log(`filling PostgreSQL with ${size.rows} rows`)
    await makeTemplate(server, template, size)
  }
  await dropDatabase(server, copy)
  await administer(server, `CREATE DATABASE "${copy}" TEMPLATE "${template}"`)
  return withDatabase(server, copy)
}

export async function dropDatabase(server: string, name: string): Promise<void> {
  await administer(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
}

async function makeTemplate(server: string, template: string, size: DatasetSize): Promise<void> {
  const unfinished = `${template}_part`
  const dataFolder = mkdtempSync(join(tmpdir(), 'dagsverk-bench-'))
  try {
    await dropDatabase(server, unfinished)
    await administer(server, `CREATE DATABASE "${unfinished}"`)
    await fill({ dataFolder, databaseUrl: withDatabase(server, unfinished) }, size)
    await administer(withDatabase(server, unfinished), 'VACUUM ANALYZE')
    await administer(server, `ALTER DATABASE "${unfinished}" RENAME TO "${template}"`)
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function exists(server: string, name: string): Promise<boolean> {
  const rows = await administer(server, 'SELECT 1 FROM pg_database WHERE datname = $1', [name])
  return rows > 0
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
