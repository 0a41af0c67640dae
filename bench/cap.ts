// The peer: a CAP server (bench/peers) with its own SQLite file, containing the same records.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { directory } from './directory.ts'
import { benchFolder, filledFolder, peersFolder } from './location.ts'
import { run } from './program.ts'
import { blocksOf, rowOf, type DatasetSize } from './rows.ts'
import { startServer, type ServerUnderTest } from './server.ts'

/** The path of a filled database, created when there is none of this size yet. */
export async function filledCap(size: DatasetSize, log: (text: string) => void): Promise<string> {
  const file = join(filledFolder, `cap-${size.rows}x${size.companies}-${schemaFingerprint()}.sqlite`)
  if (existsSync(file)) return file
  log(`filling the peer's database with ${size.rows} rows`)
  mkdirSync(filledFolder, { recursive: true })
  const unfinished = `${file}.part`
  for (const end of ['', '-wal', '-shm']) rmSync(unfinished + end, { force: true })
  const deploy = join(peersFolder, 'node_modules', '@sap', 'cds', 'bin', 'deploy.js')
  await run({ command: [process.execPath, deploy], folder: peersFolder, env: capEnv(unfinished) })
  fill(unfinished, size)
  renameSync(unfinished, file)
  return file
}

export function startCap(file: string, size: DatasetSize, logFile: string): Promise<ServerUnderTest> {
  return startServer({
    name: 'cap',
    dialect: 'cap',
    size,
    command: [process.execPath, join(peersFolder, 'node_modules', '@sap', 'cds', 'bin', 'serve.js')],
    folder: peersFolder,
    env: (port) => ({ ...capEnv(file), PORT: String(port) }),
    readyPath: '/odata/v4/bench/',
    logFile,
  })
}

function capEnv(file: string): Record<string, string> {
  return { NODE_ENV: 'production', CDS_CONFIG: JSON.stringify({ requires: { db: { credentials: { url: file } } } }) }
}

function fill(file: string, size: DatasetSize): void {
  const database = new Database(file)
  try {
    database.pragma('synchronous = OFF')
    database.exec('BEGIN')
    fillRevenue(database, size)
    fillDirectory(database)
    // Without it every retrieval of lines would read the whole table.
    database.exec('CREATE INDEX bench_Transaksjon_waiting ON bench_Transaksjon (Firma, Status)')
    database.exec('COMMIT')
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.exec('ANALYZE')
  } finally {
    database.close()
  }
}

function fillRevenue(database: Database.Database, size: DatasetSize): void {
  const insert = database.prepare(
    `INSERT INTO bench_Omsetning (Firma, Dato, AvdelingID, ipType, InntektsPlanId, Omsetning, Merknad)
     VALUES (?, ?, ?, 'I', ?, ?, ?)`,
  )
  let id = 0
  for (const block of blocksOf(size)) {
    for (let rowNumber = block.from; rowNumber < block.to; rowNumber++) {
      const row = rowOf(block.company, rowNumber)
      insert.run(block.company, row.date, row.departmentId, ++id, Number(row.amount), row.remark)
    }
  }
}

function fillDirectory(database: Database.Database): void {
  const insert = (table: string, columns: string[], rows: (string | number)[][]) => {
    const placeholders = columns.map(() => '?').join(', ')
    const statement = database.prepare(`INSERT INTO bench_${table} (${columns.join(', ')}) VALUES (${placeholders})`)
    for (const row of rows) statement.run(row)
  }
  const { departments, sites, employees, projects } = directory
  insert(
    'Avdeling',
    ['Id', 'Navn'],
    departments.map(({ id, name }) => [id, name]),
  )
  insert(
    'Anlegg',
    ['Id', 'Navn'],
    sites.map(({ id, name }) => [id, name]),
  )
  insert(
    'Ansatt',
    ['Id', 'Fornavn', 'Etternavn', 'avdeling_Id'],
    employees.map(({ id, firstName, lastName, departmentId }) => [id, firstName, lastName, departmentId]),
  )
  insert(
    'Prosjekt',
    ['Id', 'Navn', 'avdeling_Id', 'anlegg_Id'],
    projects.map(({ id, name, departmentId, siteId }) => [id, name, departmentId, siteId]),
  )
}

/**
 * Changes with the peer's schema and the inserted data, so that an outdated file is filled again.
 */
function schemaFingerprint(): string {
  const hash = createHash('sha256')
  hash.update(readFileSync(join(peersFolder, 'db', 'schema.cds')))
  for (const name of ['rows.ts', 'directory.ts']) hash.update(readFileSync(join(benchFolder, name)))
  return hash.digest('hex').slice(0, 8)
}
