// `dagsverk export history`: retrievals and acknowledgements of a line or a time span.
import type { Command } from 'commander'
import {
  spanOf,
  withReceiver,
  withReceiverFlags,
  type Receiver,
  type ReceiverFlags,
} from '../support/resolve-destination.ts'
import { moment, printRows } from '../support/print.ts'
import type { World } from '../../server/environment.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import {
  deedsWithin,
  entriesOfLine,
  retrievalsOfLine,
  retrievalsWithin,
  type Deeds,
  type Entry,
  type Retrieval,
} from '../../store/export/export-log.ts'

interface Flags extends ReceiverFlags {
  readonly from?: string
  readonly to?: string
}

export function addHistoryCommand(group: Command, world: World): void {
  const command = group
    .command('history [line]')
    .description('show the retrievals and acknowledgements of a line or of a time span')
    .option('--from <day>', 'from this day or time (UTC)')
    .option('--to <day>', 'up to this time, or including this day')
    .addHelpText('after', examples)
    .action((line: string | undefined, flags: Flags, called: Command) =>
      withReceiver(called, world, flags, async (receiver) => {
        const rows =
          line === undefined
            ? await listForSpan(receiver, flags)
            : await listForLine(receiver, line)
        printRows(world, rows.toSorted(byTime), flags)
      }),
    )
  withReceiverFlags(command)
}

async function listForLine({ store, companyId, destination }: Receiver, line: string) {
  if (!/^[1-9]\d{0,14}$/.test(line))
    throw new OperatorError(`"${line}" is not the Id of a line.`, exitCodes.usage)
  const receiving = { companyId, destinationId: destination.id }
  const entries = await entriesOfLine(store, receiving, Number(line))
  const retrievals = await retrievalsOfLine(store, receiving, Number(line))
  return [...retrievals.map(retrievalRow), ...entries.map(entryRow)]
}

async function listForSpan({ store, companyId, destination }: Receiver, flags: Flags) {
  const receiving = { companyId, destinationId: destination.id }
  const span = spanOf(flags)
  const retrievals = await retrievalsWithin(store, receiving, span)
  const deeds = await deedsWithin(store, receiving, span)
  return [...retrievals.map(retrievalRow), ...deeds.map(summaryRow)]
}

type HistoryRow = {
  readonly at: string | null
  readonly what: string
  readonly by: string
  readonly request: string
  readonly lines: string
  readonly more: string | null
}

function byTime(one: HistoryRow, other: HistoryRow): number {
  return String(one.at).localeCompare(String(other.at))
}

function retrievalRow({ at, actor, requestId, id, count, amount, hash }: Retrieval): HistoryRow {
  return {
    at: moment(at),
    what: 'retrieved',
    by: actor,
    request: requestId,
    lines: String(count),
    more: `retrieval ${id}, amount ${amount}, sha256 ${hash}`,
  }
}

function entryRow(entry: Entry): HistoryRow {
  const { at, act, actor, requestId, revision, generation, externalId, externalBatchId } = entry
  const { code, reason } = entry
  const named = [externalId, externalBatchId, code, reason].filter((one) => one !== null)
  return {
    at: moment(at),
    what: act,
    by: actor,
    request: requestId,
    lines: `revision ${revision}${generation === 1 ? '' : `, generation ${generation}`}`,
    more: named.length === 0 ? null : named.join(', '),
  }
}

function summaryRow(deeds: Deeds): HistoryRow {
  const { at, act, actor, requestId, count, firstLineId, lastLineId, externalBatchId } = deeds
  const named = [externalBatchId, deeds.reason].filter((one) => one !== null)
  return {
    at: moment(at),
    what: act,
    by: actor,
    request: requestId,
    lines: count === 1 ? `1: ${firstLineId}` : `${count}: ${firstLineId} to ${lastLineId}`,
    more: named.length === 0 ? null : named.join(', '),
  }
}

const examples = `
Examples:
  dagsverk export history 17                                 all retrievals and acknowledgements of a line
  dagsverk export history --from 2026-11-01 --to 2026-11-30
`
