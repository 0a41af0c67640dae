// `dagsverk export`: material on its way to its receivers, whether it waits, and letting it go on.
import type { Command } from 'commander'
import { databaseSettings, withSettings } from '../../server/config-options.ts'
import { addHistoryCommand } from './export-log.ts'
import { addMarkCommand } from './export-mark.ts'
import { addPullCommand } from './export-fetch.ts'
import { addReconcileCommand } from './export-reconcile.ts'
import { addUndoCommand } from './export-undo.ts'
import { withStore } from '../../server/with-store.ts'
import { moment, printOne, type JsonFlag } from '../support/print.ts'
import type { World } from '../../server/environment.ts'
import { exportsHeldSince, releaseExports } from '../../store/export/export-suspension.ts'

export function addExportCommands(program: Command, world: World): void {
  const group = program.command('export').description('the hand-out of material to its receivers')
  addPullCommand(group, world)
  addMarkCommand(group, world)
  addHistoryCommand(group, world)
  addReconcileCommand(group, world)
  addUndoCommand(group, world)
  const status = group
    .command('status')
    .description('say whether exports wait since a backup was put back')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((flags: JsonFlag, called: Command) =>
      withStore(called, world, async (store) => {
        printOne(world, { heldSince: moment(await exportsHeldSince(store)) }, flags)
      }),
    )
  withSettings(status, databaseSettings)
  const release = group
    .command('release')
    .description('let exports go on, once it is known what the receivers have')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((flags: JsonFlag, called: Command) =>
      withStore(called, world, async (store) => {
        printOne(world, { released: await releaseExports(store) }, flags)
      }),
    )
  withSettings(release, databaseSettings)
}

const examples = `
After a restore without an export journal nobody but the receivers knows what went out since the backup
was made. Compare with them, report what they have as exported, and then let exports go on.

Examples:
  dagsverk export status
  dagsverk export release
`
