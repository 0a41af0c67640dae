// A backup takes the place of a SQLite file.
import { existsSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { dated, filled, quoted, type Filling } from '#store/archive/filling.ts'
import {
  holdExports,
  type Found,
  type Restored,
  type RestoreOptions,
} from '#store/archive/restore.ts'
import { migrateDatabase } from '#store/open-store.ts'
import { lockForServing } from '#store/sqlite/serve-lock.ts'

export const restoreFile = async (
  file: string,
  { path, at, onProgress }: RestoreOptions,
  { head, total }: Found,
): Promise<Restored> => {
  const lock = lockForServing(file)
  mkdirSync(dirname(file), { recursive: true })
  let isReplaced = false
  const folder = mkdtempSync(`${file}.new-`)
  try {
    const made = join(folder, 'made.db')
    await migrateDatabase(`sqlite:${made}`, head.migrations.at(-1))
    const rows = await filled(openFile(made), path, (rows) => onProgress(rows, total))
    await migrateDatabase(`sqlite:${made}`)
    await holdExports(`sqlite:${made}`, at)
    const kept = keep(file, at)
    renameSync(made, file)
    isReplaced = true
    return { head, rows, kept }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    lock.release(isReplaced || !lock.isLeftOver)
  }
}

/** The old file keeps its name until the new one takes it in one step: at no moment is there none. */
const keep = (file: string, at: number): string | null => {
  if (!existsSync(file)) return null
  const kept = `${file}.${dated(at)}`
  takeIn(file)
  // What SQLite keeps beside a file that is damaged may hold what somebody could still mend.
  for (const beside of ['-wal', '-shm'])
    if (existsSync(file + beside)) renameSync(file + beside, kept + beside)
  linkSync(file, kept)
  return kept
}

/** Moves the write-ahead log into the file; one that is damaged stays as it is. */
const takeIn = (file: string): void => {
  try {
    new Database(file).close()
  } catch {
    return
  }
}

const openFile = (path: string): Filling => {
  const database = new Database(path)
  database.pragma('synchronous = FULL')
  // What refers comes before what it refers to where a table refers to itself; looked at when all is there.
  database.pragma('foreign_keys = OFF')
  database.exec('begin')
  return {
    clear: (tables) => {
      for (const { name } of tables) database.exec(`delete from ${quoted(name)}`)
    },
    insert: ({ name, columns }, rows) => {
      const places = columns.map(() => '?').join(', ')
      const statement = database.prepare(
        `insert into ${quoted(name)} (${columns.map(quoted).join(', ')}) values (${places})`,
      )
      for (const row of rows) statement.run(...row)
    },
    finish: (tables) => {
      const setSequence = database.prepare('update sqlite_sequence set seq = ? where name = ?')
      for (const { name, sequence } of tables)
        if (sequence !== null) setSequence.run(sequence, name)
      database.exec('commit')
      const broken: unknown[] = [
        ...database.prepare('pragma foreign_key_check').all(),
        ...database.prepare("select * from pragma_quick_check where quick_check <> 'ok'").all(),
      ]
      if (broken.length > 0)
        throw new Error(`the filled database does not hold together: ${JSON.stringify(broken[0])}`)
      database.pragma('journal_mode = DELETE')
    },
    close: () => void database.close(),
  }
}
