// `dagsverk export undo`: returns exported lines to the export list; previews unless confirmed.
import { Option, type Command } from 'commander'
import { resolveLines } from './export-mark.ts'
import { idsOf } from '../support/line-list.ts'
import {
  withReceiver,
  withReceiverFlags,
  type Receiver,
  type ReceiverFlags,
} from '../support/resolve-destination.ts'
import { printRows } from '../support/print.ts'
import type { World } from '../../server/environment.ts'
import { writeDecimal, writeLargeDecimal } from '../../lib/decimal.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { returnLines, type Reason, type Returned } from '../../export/undo.ts'

interface Flags extends ReceiverFlags {
  readonly file?: string
  readonly reason?: string
  readonly code: string
  readonly yes?: boolean
}

export function addUndoCommand(group: Command, world: World): void {
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
    .action((ids: string[], flags: Flags, called: Command) =>
      withReceiver(called, world, flags, async (receiver) => {
        const list = await resolveLines(world, ids, flags.file)
        await undo(world, receiver, [...new Set(idsOf(list))], flags)
      }),
    )
  withReceiverFlags(command)
}

async function undo(world: World, receiver: Receiver, ids: readonly number[], flags: Flags) {
  const { reason: text = '', code, yes = false } = flags
  if (yes && text.trim() === '')
    throw new OperatorError(
      '--yes requires a --reason, which is stored in the ledger.',
      exitCodes.usage,
    )
  const outcomes = await runUndo(receiver, ids, { code, text }, yes)
  printRows(world, outcomes.map(toRow), flags)
  const returned = outcomes.filter((one) => one.code === 'undone')
  const amount = writeLargeDecimal(sumField(returned, 'amount'))
  const quantity = writeLargeDecimal(sumField(returned, 'quantity'))
  const done = yes ? 'returned to the export list' : 'would return to the export list'
  world.tell(`${returned.length} lines ${done}: quantity ${quantity}, amount ${amount}.\n`)
  if (!yes) world.tell('This was a preview. Repeat with --yes and --reason to execute it.\n')
  if (yes && returned.length < outcomes.length)
    throw new OperatorError(
      `${outcomes.length - returned.length} of ${outcomes.length} lines were not changed.`,
    )
}

/** A preview runs the same action and rolls it back, so that it shows exactly what would happen. */
async function runUndo(
  { store, companyId, destination, deed }: Receiver,
  ids: readonly number[],
  reason: Reason,
  isConfirmed: boolean,
): Promise<readonly Returned[]> {
  try {
    return await store.inTransaction(companyId, async (transaction) => {
      const outcomes = await returnLines(transaction, destination, ids, {
        act: 'undone',
        reason,
        deed,
      })
      if (!isConfirmed) throw new Preview(outcomes)
      return outcomes
    })
  } catch (error) {
    if (error instanceof Preview) return error.outcomes
    throw error
  }
}

class Preview extends Error {
  readonly outcomes: readonly Returned[]

  constructor(outcomes: readonly Returned[]) {
    super('preview rolled back')
    this.outcomes = outcomes
  }
}

function toRow({ id, code, met }: Returned) {
  return {
    id,
    code,
    quantity: met === undefined ? null : writeDecimal(met.quantity),
    amount: met?.amount === undefined || met.amount === null ? null : writeDecimal(met.amount),
    externalId: met?.externalId ?? null,
    warning: met?.isCorrected === 1 ? 'corrected by a later line: undo that line first' : null,
  }
}

function sumField(outcomes: readonly Returned[], of: 'quantity' | 'amount'): bigint {
  return outcomes.reduce((sum, { met }) => sum + BigInt(met?.[of] ?? 0), 0n)
}

const examples = `
The receiver gets the lines again with a new key (T17.r1.g2). Delete the records listed as externalId there.

Examples:
  dagsverk export undo 17 18                                               preview
  dagsverk export undo 17 18 --yes --reason "imported into the wrong year"
  dagsverk export undo --file mangler.csv --code target_restored --yes --reason "ledger restored from backup"
`
