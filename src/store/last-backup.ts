// Last backup: when the database was last written to a file, by a command or in the app.
import { getSetting, saveSetting } from './accounts/settings.ts'
import type { Reader, Writer } from './store.ts'

export interface LastBackup {
  /** Microseconds. */
  readonly at: number
  readonly rows: number
  /** The name of the file, without its folder. */
  readonly file: string
}

export async function recordBackup(writer: Writer, { at, rows, file }: LastBackup): Promise<void> {
  return saveSetting(writer, { name: settingName, value: JSON.stringify([at, rows, file]) })
}

/** Null where no backup was made, or none that was recorded in this database. */
export async function getLastBackup(reader: Reader): Promise<LastBackup | null> {
  const stored: unknown = JSON.parse((await getSetting(reader, settingName)) ?? '[]')
  const [at, rows, file] = Array.isArray(stored) ? stored.map((one: unknown) => one) : []
  return typeof at === 'number' && typeof rows === 'number' && typeof file === 'string' ? { at, rows, file } : null
}

const settingName = 'lastBackup'
