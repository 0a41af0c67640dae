// Dagsverk as a user sets it up: its commands create database and companies, its HTTP interface inserts the
// data.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bodyRequest, dagsverkPath } from './cases.ts'
import { insertDirectory } from './fill-directory.ts'
import { Connection } from './http-client.ts'
import { benchFolder, filledFolder, projectFolder } from './location.ts'
import { run } from './program.ts'
import {
  blocksOf,
  companyName,
  companyPassword,
  exportLines,
  rowOf,
  usageOf,
  type Block,
  type Size,
} from './rows.ts'
import { startServer, type Server } from './server.ts'

/** The data folder of a server, and further environment variables. */
export interface Home {
  readonly dataFolder: string
  /** None means the SQLite file in the data folder. */
  readonly databaseUrl?: string
  /** The command that replaces `dagsverk serve`. */
  readonly program?: readonly string[]
  readonly env?: Record<string, string>
}

/**
 * The data folder of a filled SQLite database, created when there is none of this size and schema
 * yet.
 */
export async function filledDagsverk(size: Size, say: (what: string) => void): Promise<string> {
  const kind = `dagsverk-${size.rows}x${size.companies}-`
  const folder = join(filledFolder, kind + schemaFingerprint())
  if (existsSync(folder)) return folder
  for (const older of readdirSync(filledFolder).filter((name) => name.startsWith(kind))) {
    rmSync(join(filledFolder, older), { recursive: true })
  }
  say(`filling Dagsverk with ${size.rows} rows of ${size.companies} companies, over HTTP`)
  const unfinished = `${folder}.part-${process.pid}`
  mkdirSync(unfinished)
  await fill({ dataFolder: unfinished }, size)
  renameSync(unfinished, folder)
  return folder
}

/** Creates the tables and the companies, and inserts every record through the interface. */
export async function fill(home: Home, size: Size): Promise<void> {
  await command(home, ['migrate'])
  for (let company = 1; company <= size.companies; company++) {
    const add = ['company', 'add', companyName(company), '--password-stdin']
    await command(home, add, companyPassword(company))
  }
  await insertDirectory(home.databaseUrl ?? `sqlite:${join(home.dataFolder, 'dagsverk.db')}`, size)
  const server = await startDagsverk('filling', home, size, join(home.dataFolder, 'fill.log'))
  try {
    await insertAll(server.port, size)
    for (let company = 1; company <= size.companies; company++) {
      await approveLines(server.port, await managersKey(home, company))
    }
  } finally {
    await server.stop()
  }
}

export function startDagsverk(
  name: string,
  home: Home,
  size: Size,
  logFile: string,
): Promise<Server> {
  return startServer({
    name,
    dialect: 'dagsverk',
    size,
    command: [...node, ...(home.program ?? ['src/dagsverk.js', 'serve'])],
    folder: projectFolder,
    env: (port) => ({ ...homeEnv(home), DAGSVERK_PORT: String(port) }),
    readyPath: '/readyz',
    logFile,
  })
}

/**
 * Changes with the migrations and the inserted data, so that an outdated database is filled again.
 */
export function schemaFingerprint(): string {
  const hash = createHash('sha256')
  for (const folder of ['store/migrations', 'store/tables', 'model']) {
    const path = join(projectFolder, 'src', folder)
    for (const name of readdirSync(path).sort()) hash.update(readFileSync(join(path, name)))
  }
  for (const name of ['rows.ts', 'directory.ts']) hash.update(readFileSync(join(benchFolder, name)))
  return hash.digest('hex').slice(0, 8)
}

const node = [process.execPath]

function command(home: Home, words: string[], input = ''): Promise<string> {
  return run({
    command: [...node, 'src/dagsverk.js', ...words],
    folder: projectFolder,
    env: homeEnv(home),
    input,
  })
}

function homeEnv(home: Home): Record<string, string> {
  return {
    DAGSVERK_DATA_DIR: home.dataFolder,
    ...(home.databaseUrl === undefined
      ? {}
      : { DAGSVERK_DATABASE_URL: home.databaseUrl, DAGSVERK_MASTER_KEY: masterKey }),
    ...home.env,
  }
}

/** PostgreSQL requires a master key from the environment; any key will do for measuring. */
const masterKey = Buffer.alloc(32, 'benchmark').toString('base64')

async function insertAll(port: number, size: Size): Promise<void> {
  const failure = Promise.withResolvers<never>()
  const connection = await Connection.open(port, failure.reject)
  try {
    for (const block of blocksOf(size)) {
      await Promise.race([insertBlock(connection, block), failure.promise])
    }
  } finally {
    connection.close()
  }
}

/** A key that may approve: a company's password may not. */
async function managersKey(home: Home, company: number): Promise<string> {
  const scopes = 'material:write,material:approve'
  const words = ['key', 'add', companyName(company), '--name', 'bench', '--scopes', scopes]
  return JSON.parse(await command(home, [...words, '--json'])).key
}

/** Registers and approves the lines of the export list. */
async function approveLines(port: number, key: string): Promise<void> {
  const post = async (action: string, body: unknown): Promise<unknown> => {
    const reply = await fetch(`http://127.0.0.1:${port}/prosjekt/Transaksjon/${action}`, {
      method: 'POST',
      headers: { 'tb-key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`filling failed with ${reply.status}: ${await reply.text()}`)
    return reply.json()
  }
  const lines = Array.from({ length: exportLines }, (_, index) => usageOf(index))
  const { resultater } = (await post('Batch', lines)) as { resultater: { id: number }[] }
  await post('Godkjenn', { ids: resultater.map(({ id }) => id) })
}

function insertBlock(connection: Connection, block: Block): Promise<void> {
  const rows: string[] = []
  for (let rowNumber = block.from; rowNumber < block.to; rowNumber++)
    rows.push(recordOf(block.company, rowNumber))
  const path = dagsverkPath(block.company, 'LagreEllerOppdaterListe')
  return new Promise((resolve, reject) => {
    connection.send(bodyRequest('POST', path, `[${rows.join(',')}]`), (reply) => {
      if (reply.status === 200 && reply.braces === rows.length) resolve()
      else reject(new Error(`filling failed with ${reply.status}: ${reply.start.toString()}`))
    })
  })
}

function recordOf(company: number, rowNumber: number): string {
  const { date, departmentId, amount, remark } = rowOf(company, rowNumber)
  const extra = remark === null ? '' : `,"Merknad":${JSON.stringify(remark)}`
  return `{"Dato":"${date}T00:00:00","AvdelingID":"${departmentId}","Omsetning":${amount}${extra}}`
}
