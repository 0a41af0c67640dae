// `dagsverk export reconcile`: compares the receiver's list with the ledger.
import { Option, type Command } from '@commander-js/extra-typings'
import { readLineList } from '../support/line-list.ts'
import { parseSpan, addDestinationAction } from '../support/resolve-destination.ts'
import { formatTimestamp, printOne, printRows, type JsonFlag } from '../support/print.ts'
import { createProgress } from '../support/progress.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { identifierKinds } from '../../imports/line-list.ts'
import { reconcile, type Reconciliation } from '../../export/reconcile.ts'
import type { ReconcileLine } from '../../store/export/export-log.ts'

export function addReconcileCommand(group: Command, runtime: Runtime): void {
  const command = group
    .command('reconcile <file>')
    .description('compare the records of the receiver with the exported lines')
    .addOption(
      new Option('--by <what>', 'what the entries are when the file has no column names')
        .choices(identifierKinds)
        .default('id'),
    )
    .option('--from <day>', "only lines exported from this day in the company's time zone, or this time")
    .option('--to <day>', 'only lines exported up to this time, or including this day')
    .addHelpText('after', examples)
  addDestinationAction(command, runtime, async (target, flags, file) => {
    const { store, companyId, destination, context } = target
    const list = await readLineList({ runtime, companyId }, file, flags.by)
    const progress = createProgress(runtime)
    const onProgress = (lines: number) => progress.show('comparing', lines, lines)
    const destinationKey = { companyId, destinationId: destination.id }
    const found = await reconcile(store, destinationKey, list, { span: parseSpan(flags, context.zone), onProgress })
    progress.clear()
    printDifferences(runtime, found, flags)
  })
}

/** Throws on differences, so that the exit code is 1 in scheduled jobs. */
function printDifferences(runtime: Runtime, found: Reconciliation, flags: JsonFlag): void {
  const { both, onlyOurs, onlyTheirs } = found
  const ours = onlyOurs.map((line) => ({ ...toRow(line), next: actionForOurs }))
  const theirs = onlyTheirs.map(({ reference: { id, externalId, exportKey }, line }) => ({
    ...(line === null ? { ...unknownLine, id, externalId, exportKey } : toRow(line)),
    next: actionForTheirs[line?.state ?? 'unknown'],
  }))
  if (flags.json) runtime.print(`${JSON.stringify({ both, onlyOurs: ours, onlyTheirs: theirs }, null, 2)}\n`)
  else {
    const counts = { both, 'only ours': ours.length, 'only theirs': theirs.length }
    printOne(runtime, counts, flags)
    for (const rows of [ours, theirs]) if (rows.length > 0) printRows(runtime, rows, flags)
  }
  const differences = ours.length + theirs.length
  if (differences > 0) throw new OperatorError(`${differences} lines differ.`)
}

function toRow({ lineId, state, exportKey, externalId, acknowledgedAt }: ReconcileLine) {
  return { id: lineId, state, exportKey, externalId, acknowledgedAt: formatTimestamp(acknowledgedAt) }
}

const unknownLine = { state: 'unknown', acknowledgedAt: null }

const actionForOurs = 'missing at the receiver: look for it there, then run export undo'

const actionForTheirs: Readonly<Record<ReconcileLine['state'] | 'unknown', string>> = {
  ready: 'already received: run export mark',
  withdrawn: 'approval withdrawn: run export mark, or delete it at the receiver',
  closed: 'also handled elsewhere: delete one of the two records',
  exported: 'none',
  unknown: 'never exported to this destination: find out where it came from',
}

const examples = `
The file is JSON or CSV: ids, or objects or columns named Id, externalId or Eksportnokkel.

Examples:
  dagsverk export reconcile bilag.csv
  dagsverk export reconcile bilagsnumre.json --by external --from 2026-11-01 --to 2026-11-30
`
