// `dagsverk export reconcile`: the receiver's list beside the ledger, and what to do about each difference.
import { Option, type Command } from 'commander'
import { readLineList } from '../support/line-list.ts'
import {
  spanOf,
  withReceiver,
  withReceiverFlags,
  type ReceiverFlags,
} from '../support/resolve-destination.ts'
import { moment, printOne, printRows } from '../support/print.ts'
import { progressOn } from '../support/progress.ts'
import type { World } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { namings, type Naming } from '../../imports/line-list.ts'
import { reconcile, type Reconciled } from '../../export/reconcile.ts'
import type { Standing } from '../../store/export/export-log.ts'

interface Flags extends ReceiverFlags {
  readonly by: Naming
  readonly from?: string
  readonly to?: string
}

export function addReconcileCommand(group: Command, world: World): void {
  const command = group
    .command('reconcile <file>')
    .description('compare what the receiver has with what counts as exported')
    .addOption(
      new Option('--by <what>', 'what the entries are where the file does not name them')
        .choices([...namings])
        .default('id'),
    )
    .option('--from <day>', 'the list is about what was exported from this day or moment, in UTC')
    .option('--to <day>', 'and up to this moment, or with this day')
    .addHelpText('after', examples)
    .action((file: string, flags: Flags, called: Command) =>
      withReceiver(called, world, flags, async ({ store, companyId, destination }) => {
        const list = await readLineList(world, file, flags.by)
        const progress = progressOn(world)
        const onProgress = (lines: number) => progress.show('comparing', lines, lines)
        const receiving = { companyId, destinationId: destination.id }
        const found = await reconcile(store, receiving, list, { span: spanOf(flags), onProgress })
        progress.clear()
        tell(world, found, flags)
      }),
    )
  withReceiverFlags(command)
}

/** Ends with 1 where there is a difference, so that a night job notices. */
function tell(world: World, found: Reconciled, flags: Flags): void {
  const { both, onlyOurs, onlyTheirs } = found
  const ours = onlyOurs.map((standing) => ({ ...lineOf(standing), next: nextOfOurs }))
  const theirs = onlyTheirs.map(({ named: { id, externalId, exportKey }, standing }) => ({
    ...(standing === null ? { ...unknownLine, id, externalId, exportKey } : lineOf(standing)),
    next: nextOfTheirs[standing?.state ?? 'unknown'],
  }))
  if (flags.json)
    world.print(`${JSON.stringify({ both, onlyOurs: ours, onlyTheirs: theirs }, null, 2)}\n`)
  else {
    const counts = { both, 'only ours': ours.length, 'only theirs': theirs.length }
    printOne(world, counts, flags)
    for (const rows of [ours, theirs]) if (rows.length > 0) printRows(world, rows, flags)
  }
  const differences = ours.length + theirs.length
  if (differences > 0) throw new OperatorError(`${differences} lines differ.`)
}

function lineOf({ lineId, state, exportKey, externalId, markedAt }: Standing) {
  return {
    id: lineId,
    state,
    exportKey,
    externalId,
    markedAt: moment(markedAt),
  }
}

const unknownLine = { state: 'unknown', markedAt: null }

const nextOfOurs = 'lost there? look for it, then: export undo'

const nextOfTheirs: Readonly<Record<Standing['state'] | 'unknown', string>> = {
  ready: 'it has it already: export mark',
  withdrawn: 'approval was taken back: export mark, or delete it there',
  closed: 'it was handled elsewhere as well: delete one of the two',
  exported: 'nothing',
  unknown: 'never offered to this receiver: where did it come from?',
}

const examples = `
The file is JSON or CSV: ids, or objects and columns named Id, externalId or Eksportnokkel.

Examples:
  dagsverk export reconcile bilag.csv
  dagsverk export reconcile bilagsnumre.json --by external --from 2026-11-01 --to 2026-11-30
`
