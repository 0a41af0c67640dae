// `dagsverk backup`: writes a backup file while servers keep running.
import { mkdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { readCommandConfig, databaseSettings, withSettings } from '../../server/config-options.ts'
import { withDatabaseErrors } from '../../server/with-store.ts'
import { formatTimestamp, printOne, type JsonFlag } from '../support/print.ts'
import { createProgress } from '../support/progress.ts'
import { version } from '../../server/version.ts'
import type { Runtime } from '../../server/environment.ts'
import { usageError } from '../../lib/operator-error.ts'
import type { Config } from '../../config/settings.ts'
import { backupFileName, createBackup } from '../../store/archive/backup.ts'
import { verifyBackup } from '../../store/archive/restore.ts'
import { recordBackup, type LastBackup } from '../../store/last-backup.ts'
import { openStore } from '../../store/open-store.ts'

interface Flags extends JsonFlag {
  readonly verify?: boolean
}

export function addBackupCommand(program: Command, runtime: Runtime): void {
  const command = program
    .command('backup [file]')
    .description('write a consistent backup; servers can keep running')
    .option('--verify', 'verify a backup by restoring it into a temporary SQLite database')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (file: string | undefined, flags: Flags, called: Command) => {
      if (flags.verify) await verify(file, runtime, flags)
      else await make(file, readCommandConfig(called, runtime), runtime, flags)
    })
  withSettings(command, databaseSettings)
}

async function make(
  file: string | undefined,
  { databaseUrl: url }: Config,
  runtime: Runtime,
  flags: JsonFlag,
): Promise<void> {
  const at = runtime.clock()
  const path = resolve(runtime.cwd, file ?? backupFileName(at))
  mkdirSync(dirname(path), { recursive: true })
  const progress = createProgress(runtime)
  const onProgress = (rows: number, about: number) =>
    progress.show('writing', rows, Math.max(rows, about))
  const { head, rows } = await withDatabaseErrors(
    createBackup({ url, path, version, at, onProgress }),
  )
  progress.clear()
  await recordBackupIn(url, { at: head.at, rows, file: basename(path) }, runtime)
  printOne(runtime, { file: path, at: formatTimestamp(head.at), rows }, flags)
  runtime.printMessage(
    'The backup does not contain the master key. Keep a copy of the key with your backups: without it no password works after a restore.\n',
  )
}

/** Records the backup for display in the app. The backup is valid even if this fails, as in a database that needs a migration. */
async function recordBackupIn(url: string, made: LastBackup, runtime: Runtime): Promise<void> {
  try {
    const store = await openStore({ url, canCreate: false, connectionsMax: 1 })
    try {
      await store.inSystemTransaction((writer) => recordBackup(writer, made))
    } finally {
      await store.close()
    }
  } catch (error) {
    runtime.printMessage(`The backup was not recorded in the database: ${error instanceof Error ? error.message : ''}
`)
  }
}

async function verify(file: string | undefined, runtime: Runtime, flags: JsonFlag): Promise<void> {
  if (file === undefined) throw usageError('Specify the backup to verify.')
  const progress = createProgress(runtime)
  const onProgress = (rows: number, of: number) => progress.show('restoring', rows, of)
  const restoring = withDatabaseErrors(
    verifyBackup({ path: resolve(runtime.cwd, file), onProgress }),
  )
  const { head, total } = await restoring.finally(() => progress.clear())
  printOne(runtime, { at: formatTimestamp(head.at), version: head.version, rows: total }, flags)
  runtime.printMessage(
    'The backup can be restored into SQLite. Not checked: a restore into PostgreSQL, and the master key.\n',
  )
}

const examples = `
Examples:
  dagsverk backup                              ./dagsverk-2026-11-21T12-30-00Z.backup
  dagsverk backup /var/backups/today.backup
  dagsverk backup --verify /var/backups/today.backup
  DAGSVERK_DATABASE_URL_FILE=/etc/dagsverk/url dagsverk backup
`
