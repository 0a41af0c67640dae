// When the database was last written to a file, by a command or in the app: kept beside the data, for those who ask.
import { statement } from '#store/statement.ts'
import { readSetting, writeSetting } from '#store/settings.ts'
import type { Reader, Writer } from '#store/store.ts'
import { sql } from 'kysely'

export interface LastBackup {
  /** Microseconds. */
  readonly at: number
  readonly rows: number
  /** The name of the file, without its folder. */
  readonly file: string
}

export const noteBackup = async (writer: Writer, { at, rows, file }: LastBackup): Promise<void> =>
  writeSetting(writer, settingName, JSON.stringify([at, rows, file]))

/** Null where none was made, or none that is known here. */
export const lastBackup = async (reader: Reader): Promise<LastBackup | null> => {
  const stored: unknown = JSON.parse((await readSetting(reader, settingName)) ?? '[]')
  const [at, rows, file] = Array.isArray(stored) ? stored.map((one: unknown) => one) : []
  return typeof at === 'number' && typeof rows === 'number' && typeof file === 'string'
    ? { at, rows, file }
    : null
}

/** How much room the database takes on the disk, in bytes; on SQLite without its write-ahead log. */
export const databaseBytes = async (reader: Reader): Promise<number> =>
  (await reader.first(sizeStatement, {}))?.bytes ?? 0

const settingName = 'lastBackup'

const sizeStatement = statement<{ bytes: number }>(({ dialect }) =>
  dialect === 'sqlite'
    ? sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
    : sql`select pg_database_size(current_database()) as bytes`,
)
