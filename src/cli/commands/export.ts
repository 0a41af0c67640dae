// `dagsverk export`: export of material transactions to receivers, and its suspension.
import type { Command } from '@commander-js/extra-typings'
import { addHistoryCommand } from './export-log.ts'
import { addMarkCommand } from './export-mark.ts'
import { addFetchCommand } from './export-fetch.ts'
import { addReconcileCommand } from './export-reconcile.ts'
import { addUndoCommand } from './export-undo.ts'
import { addPrintAction } from '../support/store-action.ts'
import { formatTimestamp } from '../support/print.ts'
import type { Runtime } from '../../server/environment.ts'
import { exportsSuspendedSince, resumeExports } from '../../store/export/export-suspension.ts'

export function addExportCommands(program: Command, runtime: Runtime): void {
  const group = program.command('export').description('export material transactions to receivers')
  addFetchCommand(group, runtime)
  addMarkCommand(group, runtime)
  addHistoryCommand(group, runtime)
  addReconcileCommand(group, runtime)
  addUndoCommand(group, runtime)
  const status = group
    .command('status')
    .description('show whether exports are suspended')
    .addHelpText('after', examples)
  addPrintAction(status, runtime, async ({ store }) => ({
    suspendedSince: formatTimestamp(await exportsSuspendedSince(store)),
  }))
  const release = group
    .command('release')
    .description('resume exports after reconciling with the receivers')
    .addHelpText('after', examples)
  addPrintAction(release, runtime, async ({ store }) => ({ released: await resumeExports(store) }))
}

const examples = `
After a restore without an export journal, or a failover of the database that lost exports, only the receivers know
what was exported.
Reconcile with them, mark what they have as exported, and then resume exports.

Examples:
  dagsverk export status
  dagsverk export release
`
