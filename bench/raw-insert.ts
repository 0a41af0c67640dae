// The insert speed of SQLite itself, as a yardstick for the list upsert: prints rows per second of plain durable
// INSERTs, without a server.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import Database from 'better-sqlite3'
import { rowOf } from './rows.ts'

const [parent = '.', seconds = '1'] = process.argv.slice(2)
const folder = mkdtempSync(join(parent, 'raw-'))
try {
  console.log(rowsPerSecond(join(folder, 'raw.sqlite'), Number(seconds)))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Lists of 10,000 rows, each in a transaction of its own, until the time is up. */
function rowsPerSecond(file: string, atLeastSeconds: number): number {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(
    `CREATE TABLE raw (id INTEGER PRIMARY KEY, company INTEGER NOT NULL, date TEXT NOT NULL,
       departmentId TEXT NOT NULL, kind TEXT NOT NULL, amount INTEGER NOT NULL, remark TEXT,
       UNIQUE (company, date, departmentId, kind)) STRICT`,
  )
  const insert = database.prepare(
    `INSERT INTO raw (company, date, departmentId, kind, amount, remark) VALUES (?, ?, ?, 'I', ?, ?)`,
  )
  const insertList = database.transaction((rows: unknown[][]) => {
    for (const row of rows) insert.run(row)
  })
  let taken = 0
  let busyMs = 0
  while (busyMs < atLeastSeconds * 1000) {
    const rows = listFrom(taken)
    const startedAt = performance.now()
    insertList(rows)
    busyMs += performance.now() - startedAt
    taken += rows.length
  }
  database.close()
  return taken / (busyMs / 1000)
}

function listFrom(rowNumber: number): unknown[][] {
  return Array.from({ length: 10_000 }, (_, i) => {
    const row = rowOf(1, rowNumber + i)
    return [1, row.date, row.departmentId, Math.round(Number(row.amount) * 10_000), row.remark]
  })
}
