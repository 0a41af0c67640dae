// `dagsverk export mark`: marks lines as exported; idempotent.
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
    .description('mark lines as exported, by ids or from a file')
    .option(
      '--file <file>',
      'a list in JSON or CSV with Id and optionally externalId; "-" reads standard input',
    )
    .option('--external-batch <name>', 'batch id of the receiver')
    .option('--dry-run', 'validate and report, without marking anything')
    .addHelpText('after', examples)
    .action((ids: string[], flags: Flags, called: Command) =>
      withReceiver(called, world, flags, async (receiver) => {
        const list = await resolveLines(world, ids, flags.file)
        await mark(world, receiver, list, flags)
      }),
    )
  withReceiverFlags(command)
}

/** The ids in the arguments, or the entries of the file. */
export async function resolveLines(
  world: World,
  ids: readonly string[],
  file: string | undefined,
): Promise<Named[]> {
  const list = await (file === undefined ? readIds(ids) : readLineList(world, file, namings[0]))
  if (list.length === 0)
    throw new OperatorError('Specify ids, or a --file with them.', exitCodes.usage)
  return list
}

async function mark(world: World, receiver: Receiver, list: readonly Named[], flags: Flags) {
  const marks = toMarks(list)
  const progress = progressOn(world)
  const judged: Judged[] = []
  // One transaction per chunk: marked lines stay marked, and repeating the command does the rest.
  for (let start = 0; start < marks.length; start += chunkSize) {
    judged.push(...(await markChunk(receiver, marks.slice(start, start + chunkSize), flags)))
    progress.show('marking', judged.length, marks.length)
  }
  progress.clear()
  const counts = Object.groupBy(judged, ({ code }) => code)
  const told = Object.entries(counts).map(([code, some]) => [code, some.length])
  printOne(world, Object.fromEntries(told), flags)
  const refused = judged.filter(({ code }) => !exportedCodes.has(code))
  for (const { mark: one, code } of refused.slice(0, printedMax)) world.tell(`${one.id}: ${code}\n`)
  if (refused.length > 0)
    throw new OperatorError(`${refused.length} of ${judged.length} lines were not marked.`)
}

function markChunk(
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

const chunkSize = 10_000
const printedMax = 20

const exportedCodes: ReadonlySet<Judged['code']> = new Set([
  'exported',
  'already_exported',
  'exported_with_correction',
])

/** Each id once. */
function toMarks(list: readonly Named[]): Mark[] {
  const ids = idsOf(list)
  const marks = list.map(({ externalId }, index): [number, Mark] => {
    const id = ids[index] ?? 0
    return [id, { id, failure: null, revision: null, externalId, externalUrl: null }]
  })
  return [...new Map(marks).values()]
}

const examples = `
Lines that are already marked are unchanged, so the command can be repeated.

Examples:
  dagsverk export mark 17 18 19
  dagsverk export mark --file linjer.json --external-batch V-2026-117
  dagsverk export mark --file tatt-inn.csv --dry-run        columns Id and externalId
`
