// `dagsverk restore`: replaces the database by a backup and keeps the old one.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import {
  configOf,
  databaseSettings,
  makeDataFolder,
  withSettings,
} from '../../server/config-options.ts'
import { reached } from '../../server/with-store.ts'
import { moment, printOne, type JsonFlag } from '../support/print.ts'
import { progressOn } from '../support/progress.ts'
import type { World } from '../../server/environment.ts'
import { restore } from '../../store/archive/restore.ts'

export function addRestoreCommand(program: Command, world: World): void {
  const command = program
    .command('restore <file>')
    .description('replace the database by a backup; stop all servers first')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (file: string, flags: JsonFlag, called: Command) => {
      const config = configOf(called, world)
      makeDataFolder(config)
      const progress = progressOn(world)
      const restoring = reached(
        restore({
          url: config.databaseUrl,
          path: resolve(world.cwd, file),
          at: world.clock(),
          onProgress: (rows, of) => progress.show('restoring', rows, of),
        }),
      )
      const { head, rows, kept } = await restoring.finally(() => progress.clear())
      printOne(world, { at: moment(head.at), rows, kept }, flags)
    })
  withSettings(command, databaseSettings)
}

const examples = `
The whole backup is verified before anything is changed. A backup of SQLite can be restored to PostgreSQL and
vice versa. The replaced database is kept under a dated name.

Examples:
  dagsverk restore /var/backups/today.backup
  DAGSVERK_DATABASE_URL=postgres://dagsverk@db/dagsverk dagsverk restore today.backup
`
