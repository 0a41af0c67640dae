// `dagsverk export mark`: marks lines as exported; idempotent.
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Command } from '@commander-js/extra-typings'
import { parseIds, readLineList, requireIds } from '../support/line-list.ts'
import { identifierKinds } from '../../imports/line-list.ts'
import { addDestinationAction, type DestinationContext } from '../support/resolve-destination.ts'
import { printOne } from '../support/print.ts'
import { createProgress } from '../support/progress.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError, usageError } from '../../lib/operator-error.ts'
import {
  newAcknowledgement,
  type EvaluatedAcknowledgement,
  type Acknowledgement,
} from '../../export/evaluate-acknowledgement.ts'
import { applyAcknowledgements, evaluateAcknowledgements } from '../../export/acknowledge.ts'
import type { LineReference } from '../../export/reconcile.ts'

export function addMarkCommand(group: Command, runtime: Runtime): void {
  const command = group
    .command('mark [ids...]')
    .description('mark lines as exported, by ids or from a file')
    .option('--file <file>', 'a list in JSON or CSV with Id and optionally externalId; "-" reads standard input')
    .option('--external-batch <name>', 'batch id of the receiver')
    .option('--dry-run', 'validate and report, without marking anything')
    .addHelpText('after', examples)
  addDestinationAction(command, runtime, async (target, flags, ids) => {
    const acknowledgements = toAcknowledgements(await resolveLines({ runtime, ...target }, ids, flags.file))
    const progress = createProgress(runtime)
    const evaluated: EvaluatedAcknowledgement[] = []
    // One transaction per chunk: marked lines stay marked, and repeating the command does the rest.
    for (let start = 0; start < acknowledgements.length; start += chunkSize) {
      evaluated.push(...(await markChunk(target, acknowledgements.slice(start, start + chunkSize), flags)))
      progress.show('marking', evaluated.length, acknowledgements.length)
    }
    progress.clear()
    const counts = Object.groupBy(evaluated, ({ code }) => code)
    const rows = Object.entries(counts).map(([code, some]) => [code, some.length])
    printOne(runtime, Object.fromEntries(rows), flags)
    const rejected = evaluated.filter(({ code }) => !exportedCodes.has(code))
    for (const { acknowledgement: one, code } of rejected.slice(0, printedMax))
      runtime.printMessage(`${one.id}: ${code}\n`)
    if (rejected.length > 0) throw new OperatorError(`${rejected.length} of ${evaluated.length} lines were not marked.`)
  })
}

/** The ids in the arguments, or the entries of the file. */
export async function resolveLines(
  context: { readonly runtime: Runtime; readonly companyId: CompanyId },
  ids: readonly string[],
  file: string | undefined,
): Promise<LineReference[]> {
  if (file !== undefined && ids.length > 0) throw usageError('Use ids or --file, not both.')
  const list = await (file === undefined ? parseIds(ids) : readLineList(context, file, identifierKinds[0]))
  if (list.length === 0) throw usageError('Specify ids, or a --file with them.')
  return list
}

function markChunk(
  { store, companyId, destination, context }: DestinationContext,
  acknowledgements: readonly Acknowledgement[],
  { dryRun, externalBatch = null }: { dryRun?: boolean; externalBatch?: string | null },
) {
  return store.inTransaction(companyId, async (transaction) => {
    const evaluated = await evaluateAcknowledgements(transaction, destination, acknowledgements, context)
    if (!dryRun)
      await applyAcknowledgements(transaction, destination, evaluated, { context, externalBatchId: externalBatch })
    return evaluated
  })
}

const chunkSize = 10_000
const printedMax = 20

const exportedCodes: ReadonlySet<EvaluatedAcknowledgement['code']> = new Set([
  'exported',
  'already_exported',
  'exported_with_correction',
])

/** Each id once. */
function toAcknowledgements(list: readonly LineReference[]): Acknowledgement[] {
  const ids = requireIds(list)
  return [...new Map(ids.map((id, index) => [id, newAcknowledgement(id, list[index]?.externalId ?? null)])).values()]
}

const examples = `
Lines that are already marked are unchanged, so the command can be repeated.

Examples:
  dagsverk export mark 17 18 19
  dagsverk export mark --file linjer.json --external-batch V-2026-117
  dagsverk export mark --file tatt-inn.csv --dry-run        columns Id and externalId
`
