// Fills a database with the records of the benchmark: by commands and over HTTP, as a user does.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { addApiKey, runCommand, startDagsverk, type Installation } from './dagsverk.ts'
import { insertDirectory } from './fill-directory.ts'
import { HttpConnection } from './http-client.ts'
import { benchFolder, filledFolder, projectFolder } from './location.ts'
import { bodyRequest, revenuePath } from './requests.ts'
import {
  blocksOf,
  companyName,
  companyPassword,
  exportLines,
  rowOf,
  usageOf,
  type Block,
  type DatasetSize,
} from './rows.ts'

/**
 * The data folder of a filled SQLite database, created when there is none of this size and schema
 * yet.
 */
export async function filledDagsverk(size: DatasetSize, log: (text: string) => void): Promise<string> {
  const kind = `dagsverk-${size.rows}x${size.companies}-`
  const folder = join(filledFolder, kind + schemaFingerprint())
  if (existsSync(folder)) return folder
  for (const older of readdirSync(filledFolder).filter((name) => name.startsWith(kind))) {
    rmSync(join(filledFolder, older), { recursive: true })
  }
  log(`filling Dagsverk with ${size.rows} rows of ${size.companies} companies, over HTTP`)
  const unfinished = `${folder}.part-${process.pid}`
  mkdirSync(unfinished)
  await fill({ dataFolder: unfinished }, size)
  renameSync(unfinished, folder)
  return folder
}

/** Creates the tables and the companies, and inserts every record through the interface. */
export async function fill(installation: Installation, size: DatasetSize): Promise<void> {
  const { dataFolder, databaseUrl = `sqlite:${join(dataFolder, 'dagsverk.db')}` } = installation
  await runCommand(installation, ['migrate'])
  for (let company = 1; company <= size.companies; company++) {
    const add = ['company', 'add', companyName(company), '--password-stdin']
    await runCommand(installation, add, companyPassword(company))
  }
  await insertDirectory(databaseUrl, size)
  const server = await startDagsverk('filling', installation, size, join(dataFolder, 'fill.log'))
  try {
    await insertAll(server.port, size)
    for (let company = 1; company <= size.companies; company++) {
      await approveLines(server.port, await addApiKey(installation, company, approver))
    }
  } finally {
    await server.stop()
  }
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

const approver = { name: 'approver', scopes: 'material:write,material:approve' }

async function insertAll(port: number, size: DatasetSize): Promise<void> {
  const failure = Promise.withResolvers<never>()
  const connection = await HttpConnection.open(port, failure.reject)
  try {
    for (const block of blocksOf(size)) {
      await Promise.race([insertBlock(connection, block), failure.promise])
    }
  } finally {
    connection.close()
  }
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

function insertBlock(connection: HttpConnection, block: Block): Promise<void> {
  const rows: string[] = []
  for (let rowNumber = block.from; rowNumber < block.to; rowNumber++) rows.push(recordOf(block.company, rowNumber))
  const path = revenuePath(block.company, 'LagreEllerOppdaterListe')
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
