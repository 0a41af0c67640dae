// `dagsverk export undo`: returns exported lines to the export list; previews unless confirmed.
import { Option, type Command } from '@commander-js/extra-typings'
import { resolveLines } from './export-mark.ts'
import { requireIds } from '../support/line-list.ts'
import { addDestinationAction, type DestinationContext } from '../support/resolve-destination.ts'
import { printRows } from '../support/print.ts'
import type { Runtime } from '../../server/environment.ts'
import { formatDecimal, formatLargeDecimal } from '../../lib/decimal.ts'
import { OperatorError, usageError } from '../../lib/operator-error.ts'
import { applyLineAction, type CodedReason, type EvaluatedLineAction } from '../../export/line-actions.ts'
import { commitIf } from '../../store/commit-if.ts'
import type { Transaction } from '../../store/store.ts'

export function addUndoCommand(group: Command, runtime: Runtime): void {
  const command = group
    .command('undo [ids...]')
    .description('return exported lines to the export list under a new key; previews without --yes')
    .option('--file <file>', 'a list in JSON or CSV with Id; "-" reads standard input')
    .option('--reason <text>', 'the reason, stored in the ledger')
    .addOption(
      new Option('--code <code>', 'category of the reason')
        .choices(['wrong_destination', 'target_restored', 'test', 'other'])
        .default('other'),
    )
    .option('--yes', 'execute; without it only a preview is shown')
    .addHelpText('after', examples)
  addDestinationAction(command, runtime, async (target, flags, ids) => {
    const { reason: text = '', code, yes = false } = flags
    const list = new Set(requireIds(await resolveLines({ runtime, ...target }, ids, flags.file)))
    if (yes && text.trim() === '') throw usageError('--yes requires a --reason, which is stored in the ledger.')
    const outcomes = await runUndo(target, [...list], { code, text }, yes)
    printRows(runtime, outcomes.map(toRow), flags)
    const returned = outcomes.filter((one) => one.code === 'undone')
    const amount = formatLargeDecimal(sumField(returned, 'amount'))
    const quantity = formatLargeDecimal(sumField(returned, 'quantity'))
    const done = yes ? 'returned to the export list' : 'would return to the export list'
    runtime.printMessage(`${returned.length} lines ${done}: quantity ${quantity}, amount ${amount}.\n`)
    if (!yes) runtime.printMessage('This was a preview. Repeat with --yes and --reason to execute it.\n')
    if (yes && returned.length < outcomes.length)
      throw new OperatorError(`${outcomes.length - returned.length} of ${outcomes.length} lines were not changed.`)
  })
}

/** A preview runs the same action and rolls it back, so that it shows exactly what would happen. */
function runUndo(
  { store, companyId, destination, context }: DestinationContext,
  ids: readonly number[],
  reason: CodedReason,
  isConfirmed: boolean,
): Promise<readonly EvaluatedLineAction[]> {
  const decision = { action: 'undone', reason, context } as const
  const undo = (transaction: Transaction) => applyLineAction(transaction, destination, ids, decision)
  return commitIf(store, companyId, () => isConfirmed, undo)
}

function toRow({ id, code, line }: EvaluatedLineAction) {
  return {
    id,
    code,
    quantity: line === undefined ? null : formatDecimal(line.quantity),
    amount: line?.amount === undefined || line.amount === null ? null : formatDecimal(line.amount),
    externalId: line?.externalId ?? null,
    warning: line?.isCorrected === 1 ? 'corrected by a later line: undo that line first' : null,
  }
}

function sumField(outcomes: readonly EvaluatedLineAction[], of: 'quantity' | 'amount'): bigint {
  return outcomes.reduce((sum, { line }) => sum + BigInt(line?.[of] ?? 0), 0n)
}

const examples = `
The receiver gets the lines again with a new key (T17.r1.g2). Delete the records listed as externalId there.

Examples:
  dagsverk export undo 17 18                                               preview
  dagsverk export undo 17 18 --yes --reason "imported into the wrong year"
  dagsverk export undo --file mangler.csv --code target_restored --yes --reason "ledger restored from backup"
`
