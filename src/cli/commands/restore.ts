// `dagsverk restore`: replaces the database by a backup and keeps the old one.
import { resolve } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { readCommandConfig, databaseSettings, createDataFolder, withSettings } from '../../server/config-options.ts'
import { withDatabaseErrors } from '../../server/with-store.ts'
import { formatTimestamp, printOne } from '../support/print.ts'
import { createProgress } from '../support/progress.ts'
import type { Runtime } from '../../server/environment.ts'
import { restore } from '../../store/archive/restore.ts'

export function addRestoreCommand(program: Command, runtime: Runtime): void {
  const command = program
    .command('restore <file>')
    .description('replace the database by a backup; stop all servers first')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (file, flags, called) => {
      const config = readCommandConfig(called, runtime)
      createDataFolder(config)
      const progress = createProgress(runtime)
      const restoring = withDatabaseErrors(
        restore({
          url: config.databaseUrl,
          path: resolve(runtime.cwd, file),
          at: runtime.clock(),
          onProgress: (rows, of) => progress.show('restoring', rows, of),
          onInterrupt: runtime.onInterrupt,
        }),
      )
      const { head, rows, kept } = await restoring.finally(() => progress.clear())
      printOne(runtime, { at: formatTimestamp(head.at), rows, kept }, flags)
    })
  withSettings(command, databaseSettings)
}

const examples = `
The whole backup is verified before anything is changed. A backup of SQLite can be restored to PostgreSQL and
vice versa. The replaced database is kept under a dated name. Sessions end. Keys, people and second factors are as
they were at the backup: revoke again what was revoked since, and forget again who was forgotten.

Examples:
  dagsverk restore /var/backups/today.backup
  DAGSVERK_DATABASE_URL=postgres://dagsverk@db/dagsverk dagsverk restore today.backup
`
