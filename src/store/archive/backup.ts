// Creates a backup of a database that is in use, and reads the file back before it gets its name.
import { createWriteStream, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { writeWhole } from '../../journal/durable-files.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { serializeArchive, archiveFormat, readArchive, readArchiveHead, type ArchiveHead } from './archive.ts'
import { openSnapshot } from './snapshot.ts'
import type { Snapshot } from './table.ts'
import { databaseNameSetting } from '../database-name.ts'
import { getSchemaState } from '../open-store.ts'

export interface BackupOptions {
  readonly url: string
  /** The path of the file; an existing file is not overwritten. */
  readonly path: string
  readonly version: string
  /** Microseconds since 1970. */
  readonly at: number
  /** Called with the number of rows written, and an estimate of the total. */
  readonly onProgress?: (rows: number, rowsEstimated: number) => void
}

/**
 * Writes one snapshot of the database. The file appears at its path only when it is complete, durable and read back; on
 * an error there is none. Throws the errors of the database and the disk.
 */
export async function createBackup(
  options: BackupOptions,
): Promise<{ readonly head: ArchiveHead; readonly rows: number }> {
  const { url, path, version, at, onProgress } = options
  const { done } = await getSchemaState(url)
  const snapshot = await openSnapshot(url)
  try {
    const { tables } = snapshot
    const rowsEstimated = onProgress === undefined ? 0 : snapshot.estimateRows()
    const head = {
      dagsverk: 'backup',
      format: archiveFormat,
      version,
      at,
      migrations: done,
      database: await databaseNameIn(snapshot),
      tables,
    } as const
    let rows = 0
    const text = serializeArchive(head, snapshot, (written) => {
      rows = written
      onProgress?.(rows, rowsEstimated)
    })
    await writeWhole(path, 'create', async (partial) => {
      const file = createWriteStream(partial, { flags: 'w', mode: 0o600, flush: true })
      await pipeline(Readable.from(text), createGzip({ level: 4 }), file)
      await readArchive(partial)
    })
    return { head, rows }
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw isTaken ? new OperatorError(`${path} exists already. Name another file: a backup does not overwrite.`) : error
  } finally {
    await snapshot.close()
  }
}

async function databaseNameIn(snapshot: Snapshot): Promise<string | null> {
  const table = snapshot.tables.find(({ name }) => name === 'setting')
  if (table === undefined) return null
  const [name, value] = [table.columns.indexOf('name'), table.columns.indexOf('value')]
  let found: string | null = null
  for await (const rows of snapshot.rows(table))
    for (const row of rows) if (row[name] === databaseNameSetting) found = String(row[value])
  return found
}

/** `dagsverk-2026-11-21T12-30-00Z.backup` */
export function backupFileName(at: number): string {
  return `dagsverk-${new Date(Math.floor(at / 1e6) * 1000).toISOString().replace('.000', '').replaceAll(':', '-')}.backup`
}

/** The files of a folder that are named by `backupFileName`, oldest first. */
export function listBackupFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^dagsverk-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/.test(name))
    .toSorted()
}

/**
 * Deletes the dated backups of the same database that are in the folder of this new backup, except the new one and the
 * newest others: `kept` in all. Returns the names of the deleted ones. A file whose database is unknown is not deleted.
 */
export async function deleteOldBackups(
  path: string,
  { database }: Pick<ArchiveHead, 'database'>,
  kept: number,
): Promise<readonly string[]> {
  if (database === null) return []
  const folder = dirname(path)
  const others: string[] = []
  for (const name of listBackupFiles(folder))
    if (name !== basename(path) && (await readArchiveHead(join(folder, name)))?.database === database) others.push(name)
  const old = others.slice(0, Math.max(0, others.length - (kept - 1)))
  for (const name of old) rmSync(join(folder, name))
  return old
}
