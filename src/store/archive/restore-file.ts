// A backup takes the place of a SQLite file.
import { existsSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { dated, filled, quoted, type Filling } from './filling.ts'
import type { Found, Restored, RestoreOptions } from './types.ts'
import { holdExports } from './hold-exports.ts'
import { migrateDatabase } from '../open-store.ts'
import { lockForServing } from '../sqlite/serve-lock.ts'

export async function restoreFile(
  file: string,
  options: RestoreOptions,
  found: Found,
): Promise<Restored> {
  const { at } = options
  const lock = lockForServing(file)
  mkdirSync(dirname(file), { recursive: true })
  let isReplaced = false
  const folder = mkdtempSync(`${file}.new-`)
  try {
    const made = join(folder, 'made.db')
    const rows = await fillFile(made, options, found)
    await holdExports(`sqlite:${made}`, at)
    const kept = keep(file, at)
    renameSync(made, file)
    isReplaced = true
    return { head: found.head, rows, kept }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    lock.release(isReplaced || !lock.isLeftOver)
  }
}

/** Restores the backup into a new file, migrates it to the current schema, and returns the number of rows. */
export async function fillFile(
  made: string,
  { path, onProgress }: Pick<RestoreOptions, 'path' | 'onProgress'>,
  { head, total }: Found,
): Promise<number> {
  await migrateDatabase(`sqlite:${made}`, head.migrations.at(-1))
  const rows = await filled(openFile(made), path, (rows) => onProgress(rows, total))
  await migrateDatabase(`sqlite:${made}`)
  return rows
}

/** The old file keeps its name until the new one takes it in one step: at no moment is there none. */
function keep(file: string, at: number): string | null {
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
function takeIn(file: string): void {
  try {
    new Database(file).close()
  } catch {
    return
  }
}

function openFile(path: string): Filling {
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
      const dangling = database.prepare<[], Dangling>(danglingQuery).get()
      if (dangling !== undefined) {
        const { table, column, parent } = dangling
        throw new Error(`${column} of a row of ${table} refers to no row of ${parent}`)
      }
      const damage = database
        .prepare("select * from pragma_quick_check where quick_check <> 'ok'")
        .get()
      if (damage !== undefined)
        throw new Error(`the filled database is damaged: ${JSON.stringify(damage)}`)
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
