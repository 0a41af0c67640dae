// A PostgreSQL database per test file, copied from a template that is migrated once per run.
import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'

/** The server that `npm test` started, or undefined: then tests that need one are skipped. */
export const postgresServer = process.env['DAGSVERK_TEST_POSTGRES_URL']

export type TestDatabase = { url: string; drop: () => Promise<void> }

/** Brings an empty database to the newest schema, and closes its connections. */
export type Migrate = (url: string) => Promise<void>

/** An empty database, or one prepared by `migrate`. `name` only helps to recognize it. */
export async function createTestDatabase(name: string, migrate?: Migrate): Promise<TestDatabase> {
  const template = migrate ? await prepareTemplate(migrate) : 'template0'
  const database = `dagsverk_${name.replaceAll(/\W/g, '_').slice(0, 40)}_${randomUUID().slice(0, 8)}`
  // To copy the files takes a third of the CPU of writing each page to the log.
  const create = `create database "${database}" template "${template}" strategy file_copy`
  await onServer((server) => server.query(create))
  return { url: urlOf(database), drop: () => onServer((server) => dropDatabase(server, database)) }
}

/**
 * Copies a database, whose connections break. The returned function replaces it by the copy: to its clients, a failover to a
 * standby that lacks what was committed since.
 */
export async function copyDatabase(url: string): Promise<() => Promise<void>> {
  const database = new URL(url).pathname.slice(1)
  const copy = `${database}_copy`
  const setOpen = (server: Client, isOpen: boolean) =>
    server.query(`alter database "${database}" with allow_connections ${isOpen}`)
  await onServer(async (server) => {
    await setOpen(server, false)
    await server.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [database])
    await server.query(`create database "${copy}" template "${database}" strategy file_copy`)
    await setOpen(server, true)
  })
  return () =>
    onServer(async (server) => {
      await setOpen(server, false)
      await dropDatabase(server, database)
      await server.query(`alter database "${copy}" rename to "${database}"`)
    })
}

// Test files run in several processes: the first one migrates, the others wait. Only a complete
// template is marked as one, so that a partial one is created again.
async function prepareTemplate(migrate: Migrate): Promise<string> {
  const template = `dagsverk_template_${migrationsHash()}`
  await onServer(async (server) => {
    await server.query('select pg_advisory_lock(hashtext($1))', [template])
    const finished = await server.query('select from pg_database where datname = $1 and datistemplate', [template])
    if (finished.rowCount) return
    await dropDatabase(server, template)
    await server.query(`create database "${template}" template template0`)
    await migrate(urlOf(template))
    await server.query(`alter database "${template}" is_template true`)
  })
  return template
}

function migrationsHash(): string {
  const hash = createHash('sha256')
  for (const path of ['store/migrations/', 'store/tables/', 'model/']) {
    const folder = new URL(`../../src/${path}`, import.meta.url)
    for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(new URL(file, folder)))
  }
  return hash.digest('hex').slice(0, 16)
}

async function dropDatabase(server: Client, database: string): Promise<void> {
  await server.query(`drop database if exists "${database}" with (force)`)
}

async function onServer<Result>(work: (server: Client) => Promise<Result>): Promise<Result> {
  const server = new Client({ connectionString: postgresServer })
  await server.connect()
  try {
    return await work(server)
  } finally {
    await server.end()
  }
}

function urlOf(database: string): string {
  if (postgresServer === undefined) throw new Error('no PostgreSQL server: run the tests with npm test')
  const url = new URL(postgresServer)
  url.pathname = `/${database}`
  return url.href
}
