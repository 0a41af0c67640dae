// `dagsverk export undo`: exported lines back on the list, with a reason; a preview of it unless it is confirmed.
import { Option, type Command } from 'commander'
import { listMeant } from './export-mark.ts'
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
    .description('put exported lines back on the list, under a new key; shows what it would do')
    .option('--file <file>', 'a list in JSON or CSV, with Id; "-" reads it from here')
    .option('--reason <text>', 'why; it stays in the ledger')
    .addOption(
      new Option('--code <code>', 'the kind of reason')
        .choices(['wrong_destination', 'target_restored', 'test', 'other'])
        .default('other'),
    )
    .option('--yes', 'do it')
    .addHelpText('after', examples)
    .action((ids: string[], flags: Flags, called: Command) =>
      withReceiver(called, world, flags, async (receiver) => {
        const list = await listMeant(world, ids, flags.file)
        await undo(world, receiver, [...new Set(idsOf(list))], flags)
      }),
    )
  withReceiverFlags(command)
}

async function undo(world: World, receiver: Receiver, ids: readonly number[], flags: Flags) {
  const { reason: text = '', code, yes = false } = flags
  if (yes && text.trim() === '')
    throw new OperatorError('--yes wants a --reason: it stays in the ledger.', exitCodes.usage)
  const outcomes = await undone(receiver, ids, { code, text }, yes)
  printRows(world, outcomes.map(rowOf), flags)
  const back = outcomes.filter((one) => one.code === 'undone')
  const amount = writeLargeDecimal(sumOf(back, 'amount'))
  const quantity = writeLargeDecimal(sumOf(back, 'quantity'))
  const done = yes ? 'are offered again' : 'would be offered again'
  world.tell(`${back.length} lines ${done}: quantity ${quantity}, amount ${amount}.\n`)
  if (!yes) world.tell('Nothing was done: repeat it with --yes and a --reason.\n')
  if (yes && back.length < outcomes.length)
    throw new OperatorError(
      `${outcomes.length - back.length} of ${outcomes.length} are as they were.`,
    )
}

/** A preview is the same act, taken back: it cannot tell something else than what will happen. */
async function undone(
  { store, companyId, destination, deed }: Receiver,
  ids: readonly number[],
  reason: Reason,
  isDone: boolean,
): Promise<readonly Returned[]> {
  try {
    return await store.inTransaction(companyId, async (transaction) => {
      const outcomes = await returnLines(transaction, destination, ids, {
        act: 'undone',
        reason,
        deed,
      })
      if (!isDone) throw new Preview(outcomes)
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
    super('a preview is taken back')
    this.outcomes = outcomes
  }
}

function rowOf({ id, code, met }: Returned) {
  return {
    id,
    code,
    quantity: met === undefined ? null : writeDecimal(met.quantity),
    amount: met?.amount === undefined || met.amount === null ? null : writeDecimal(met.amount),
    externalId: met?.externalId ?? null,
    warning: met?.isCorrected === 1 ? 'a later line puts it right: undo that one first' : null,
  }
}

function sumOf(outcomes: readonly Returned[], of: 'quantity' | 'amount'): bigint {
  return outcomes.reduce((sum, { met }) => sum + BigInt(met?.[of] ?? 0), 0n)
}

const examples = `
The receiver gets the lines once more, with another key (T17.r1.g2): delete there what is listed as externalId.

Examples:
  dagsverk export undo 17 18                                               what it would do
  dagsverk export undo 17 18 --yes --reason "imported into the wrong year"
  dagsverk export undo --file mangler.csv --code target_restored --yes --reason "ledger restored from backup"
`
