// Restores a backup in place of a SQLite file.
import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
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
import { clearRecordedChange } from '../sqlite/last-change.ts'
import { acquireServeLock } from '../sqlite/serve-lock.ts'

export async function restoreFile(file: string, options: RestoreOptions, found: BackupContent): Promise<RestoreResult> {
  const { at } = options
  const lock = acquireServeLock(file)
  let isReplaced = false
  const folder = `${file}.restoring`
  const deleteFolder = () => rmSync(folder, { recursive: true, force: true })
  try {
    // A restore that was killed leaves it, and nobody else gives a file this name.
    deleteFolder()
    options.onInterrupt?.(deleteFolder)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const made = join(folder, 'made.db')
    const url = `sqlite:${made}`
    const rows = await fillDatabase(url, () => openFile(made), options, found)
    await markRestored(url, at)
    const kept = keepOldFile(file, at)
    clearRecordedChange(file)
    renameSync(made, file)
    isReplaced = true
    return { head: found.head, rows, kept }
  } finally {
    deleteFolder()
    lock.release(isReplaced || !lock.isStale)
  }
}

/** Links the old file under a second name. Its own name stays until the rename, so that a file always exists. */
function keepOldFile(file: string, at: number): string | null {
  const hasFile = existsSync(file)
  const kept = `${file}.${formatFileTime(at)}`
  if (hasFile) checkpointLog(file)
  // The log of a damaged or missing file may contain data that can still be recovered, and must not become that of the new one.
  for (const suffix of ['-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix)
  if (!hasFile) return null
  linkSync(file, kept)
  return kept
}

/** Moves the write-ahead log into the file; a damaged file is left as it is. */
function checkpointLog(file: string): void {
  try {
    new Database(file).close()
  } catch {
    return
  }
}

export function openFile(path: string): RestoreTarget {
  const database = new Database(path)
  database.pragma('synchronous = FULL')
  // A row may come before the row that it refers to, so foreign keys are checked after the commit.
  database.pragma('foreign_keys = OFF')
  database.exec('begin')
  return {
    clear: (tables) => {
      for (const { name } of tables) database.exec(`delete from ${quoteIdentifier(name)}`)
    },
    insert: ({ name, columns }, rows) => {
      const placeholders = columns.map(() => '?').join(', ')
      const statement = database.prepare(
        `insert into ${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')}) values (${placeholders})`,
      )
      for (const row of rows) statement.run(...row)
    },
    finish: (tables) => {
      const setSequence = database.prepare('update sqlite_sequence set seq = ? where name = ?')
      for (const { name, sequence } of tables) if (sequence !== null) setSequence.run(sequence, name)
      database.exec('commit')
      const dangling = database.prepare<[], Dangling>(danglingQuery).get()
      if (dangling !== undefined) {
        const { table, column, parent } = dangling
        throw new Error(`${column} of a row of ${table} refers to no row of ${parent}`)
      }
      const damage = database.prepare("select * from pragma_quick_check where quick_check <> 'ok'").get()
      if (damage !== undefined) throw new Error(`the filled database is damaged: ${JSON.stringify(damage)}`)
      database.pragma('journal_mode = DELETE')
    },
    close: () => void database.close(),
  }
}

interface Dangling {
  readonly table: string
  readonly column: string
  readonly parent: string
}

/** The first foreign key violation, with the last column of the foreign key. */
const danglingQuery = `
  select broken."table", reference."from" as "column", broken.parent
  from pragma_foreign_key_check as broken
  join pragma_foreign_key_list(broken."table") as reference on reference.id = broken.fkid
  order by reference.seq desc limit 1`
