// `dagsverk backup`: writes a backup file while servers keep running.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { readCommandConfig, databaseSettings, withSettings } from '../../server/config-options.ts'
import { withDatabaseErrors, withOpenStore } from '../../server/with-store.ts'
import { formatTimestamp, printOne, type JsonFlag } from '../support/print.ts'
import { createProgress } from '../support/progress.ts'
import { version } from '../../server/version.ts'
import type { Runtime } from '../../server/environment.ts'
import { usageError } from '../../lib/operator-error.ts'
import type { Config } from '../../config/settings.ts'
import { partialFile } from '../../journal/durable-files.ts'
import { backupFileName, createBackup, deleteOldBackups, listBackupFiles } from '../../store/archive/backup.ts'
import { verifyBackup } from '../../store/archive/restore.ts'
import type { BackupContent } from '../../store/archive/restore-target.ts'
import { getDatabaseName } from '../../store/database-name.ts'
import { recordBackup, type LastBackup } from '../../store/last-backup.ts'

export function addBackupCommand(program: Command, runtime: Runtime): void {
  const command = program
    .command('backup [path]')
    .description('write a consistent backup to a file, or into a folder under a dated name; servers can keep running')
    .option(
      '--keep <n>',
      'write into a folder, and delete all but the newest N dated backups of this database there',
      parseKept,
    )
    .option(
      '--verify',
      'verify a backup, or the newest of a folder, by restoring it into a temporary SQLite database, and into a temporary schema of the configured PostgreSQL database; with --keep: the new backup, before old ones are deleted',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (given, flags, called) => {
      const path = resolve(runtime.cwd, given ?? '.')
      const config = readCommandConfig(called, runtime)
      if (flags.verify && flags.keep === undefined) await verify(path, config, runtime, flags)
      else await make(path, config, runtime, flags)
    })
  withSettings(command, databaseSettings)
}

function parseKept(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw usageError('--keep requires a number from 1 to 9999.')
  return Number(text)
}

/** Into the folder at the path, or to a file of this name. */
async function make(
  path: string,
  { databaseUrl: url }: Config,
  runtime: Runtime,
  { keep, verify: isVerified, ...flags }: JsonFlag & { readonly keep?: number; readonly verify?: boolean },
): Promise<void> {
  const at = runtime.clock()
  const isInFolder = isFolder(path) ?? keep !== undefined
  if (keep !== undefined && !isInFolder) throw usageError(`--keep requires a folder: ${path} is a file.`)
  const file = isInFolder ? join(path, backupFileName(at)) : path
  mkdirSync(dirname(file), { recursive: true })
  // Without a name, as in a database that needs a migration, the backup is valid and no old one is deleted.
  await withOpenStore(oneConnection(url), (store) => getDatabaseName(store, runtime)).catch(() => {})
  runtime.onInterrupt?.(() => rmSync(partialFile(file), { force: true }))
  const progress = createProgress(runtime)
  const onProgress = (rows: number, estimate: number) => progress.show('writing', rows, Math.max(rows, estimate))
  const { head, rows } = await withDatabaseErrors(createBackup({ url, path: file, version, at, onProgress }))
  progress.clear()
  if (isVerified) await rehearseRestore(file, url, runtime)
  await recordBackupIn(url, { at: head.at, rows, file: basename(file) }, runtime)
  const deleted = keep === undefined ? {} : { deleted: await deleteOldBackups(file, head, keep) }
  printOne(runtime, { file, at: formatTimestamp(head.at), rows, ...deleted }, flags)
  runtime.printMessage(
    'The backup does not contain the master key. Keep a copy of the key with your backups: without it no password works after a restore.\n',
  )
}

function oneConnection(url: string) {
  return { url, canCreate: false, connectionsMax: 1 } as const
}

/** Undefined where nothing has this path. */
function isFolder(path: string): boolean | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory()
}

/** Records the backup for display in the app. The backup is valid even if this fails, as in a database that needs a migration. */
async function recordBackupIn(url: string, made: LastBackup, runtime: Runtime): Promise<void> {
  try {
    await withOpenStore(oneConnection(url), (store) =>
      store.inSystemTransaction((writer) => recordBackup(writer, made)),
    )
  } catch (error) {
    runtime.printMessage(`The backup was not recorded in the database: ${error instanceof Error ? error.message : ''}
`)
  }
}

async function verify(path: string, { databaseUrl }: Config, runtime: Runtime, flags: JsonFlag): Promise<void> {
  const file = isFolder(path) ? newestIn(path) : path
  const { head, total } = await rehearseRestore(file, databaseUrl, runtime)
  printOne(runtime, { file, at: formatTimestamp(head.at), version: head.version, rows: total }, flags)
}

async function rehearseRestore(file: string, url: string, runtime: Runtime): Promise<BackupContent> {
  const progress = createProgress(runtime)
  const onProgress = (rows: number, of: number) => progress.show('restoring', rows, of)
  const restoring = withDatabaseErrors(verifyBackup({ url, path: file, onProgress, onInterrupt: runtime.onInterrupt }))
  const { postgresSkipped, ...content } = await restoring.finally(() => progress.clear())
  runtime.printMessage(
    postgresSkipped === null
      ? 'The backup can be restored into SQLite and PostgreSQL. Not checked: the master key.\n'
      : `The backup can be restored into SQLite. Not checked: a restore into PostgreSQL (${postgresSkipped}), and the master key.\n`,
  )
  return content
}

function newestIn(folder: string): string {
  const newest = listBackupFiles(folder).at(-1)
  if (newest === undefined) throw usageError(`${folder} has no dated backup.`)
  return join(folder, newest)
}

const examples = `
Examples:
  dagsverk backup                              ./dagsverk-2026-11-21T12-30-00Z.backup
  dagsverk backup /var/backups/today.backup
  dagsverk backup --keep 14 --verify /var/backups/dagsverk
  dagsverk backup --verify /var/backups/dagsverk
  DAGSVERK_DATABASE_URL_FILE=/etc/dagsverk/url dagsverk backup
`
