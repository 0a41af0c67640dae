// `dagsverk export mark`: lines that the receiver has taken in leave the list; repeating it is harmless.
import type { Command } from 'commander'
import { readIds, readLineList, idsOf } from '../support/line-list.ts'
import { namings } from '../../imports/line-list.ts'
import {
  withReceiver,
  withReceiverFlags,
  type Receiver,
  type ReceiverFlags,
} from '../support/resolve-destination.ts'
import { printOne } from '../support/print.ts'
import { progressOn } from '../support/progress.ts'
import type { World } from '../../server/environment.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import type { Judged, Mark } from '../../export/evaluate-acknowledgement.ts'
import { applyMarks, judgeMarks } from '../../export/acknowledge.ts'
import type { Named } from '../../export/reconcile.ts'

interface Flags extends ReceiverFlags {
  readonly file?: string
  readonly externalBatch?: string
  readonly dryRun?: boolean
}

export function addMarkCommand(group: Command, world: World): void {
  const command = group
    .command('mark [ids...]')
    .description('report lines as taken in, by their ids or with a file')
    .option(
      '--file <file>',
      'a list in JSON or CSV, with Id and perhaps externalId; "-" reads it from here',
    )
    .option('--external-batch <name>', 'what the receiver calls them together')
    .option('--dry-run', 'say what would be, and mark nothing')
    .addHelpText('after', examples)
    .action((ids: string[], flags: Flags, called: Command) =>
      withReceiver(called, world, flags, async (receiver) => {
        const list = await listMeant(world, ids, flags.file)
        await mark(world, receiver, list, flags)
      }),
    )
  withReceiverFlags(command)
}

/** What was typed, or stands in the file. */
export async function listMeant(
  world: World,
  ids: readonly string[],
  file: string | undefined,
): Promise<Named[]> {
  const list = await (file === undefined ? readIds(ids) : readLineList(world, file, namings[0]))
  if (list.length === 0)
    throw new OperatorError('Name ids, or a --file with them.', exitCodes.usage)
  return list
}

async function mark(world: World, receiver: Receiver, list: readonly Named[], flags: Flags) {
  const marks = marksOf(list)
  const progress = progressOn(world)
  const judged: Judged[] = []
  // A transaction each: what is marked stays marked, and a repeat of the command does the rest.
  for (let start = 0; start < marks.length; start += marksAtOnce) {
    judged.push(...(await markSome(receiver, marks.slice(start, start + marksAtOnce), flags)))
    progress.show('marking', judged.length, marks.length)
  }
  progress.clear()
  const counts = Object.groupBy(judged, ({ code }) => code)
  const told = Object.entries(counts).map(([code, some]) => [code, some.length])
  printOne(world, Object.fromEntries(told), flags)
  const refused = judged.filter(({ code }) => !isDone.has(code))
  for (const { mark: one, code } of refused.slice(0, toldMax)) world.tell(`${one.id}: ${code}\n`)
  if (refused.length > 0)
    throw new OperatorError(`${refused.length} of ${judged.length} are not marked.`)
}

function markSome(
  { store, companyId, destination, deed }: Receiver,
  marks: readonly Mark[],
  { dryRun, externalBatch = null }: { dryRun?: boolean; externalBatch?: string | null },
) {
  return store.inTransaction(companyId, async (transaction) => {
    const judged = await judgeMarks(transaction, destination, marks, deed)
    if (!dryRun)
      await applyMarks(transaction, destination, judged, { deed, externalBatchId: externalBatch })
    return judged
  })
}

const marksAtOnce = 10_000
const toldMax = 20

const isDone: ReadonlySet<Judged['code']> = new Set([
  'exported',
  'already_exported',
  'exported_with_correction',
])

/** Each id once. */
function marksOf(list: readonly Named[]): Mark[] {
  const ids = idsOf(list)
  const marks = list.map(({ externalId }, index): [number, Mark] => {
    const id = ids[index] ?? 0
    return [id, { id, failure: null, revision: null, externalId, externalUrl: null }]
  })
  return [...new Map(marks).values()]
}

const examples = `
A line that is marked already stays as it was: repeating the command does what is left.

Examples:
  dagsverk export mark 17 18 19
  dagsverk export mark --file linjer.json --external-batch V-2026-117
  dagsverk export mark --file tatt-inn.csv --dry-run        columns Id and externalId
`
