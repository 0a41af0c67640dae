// `dagsverk export history`: what went out and what was reported of it, for a line or a span of time.
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
    .description('the retrievals and marks of a line, or of a span of time')
    .option('--from <day>', 'from this day or moment, in UTC')
    .option('--to <day>', 'up to this moment, or with this day')
    .addHelpText('after', examples)
    .action((line: string | undefined, flags: Flags, called: Command) =>
      withReceiver(called, world, flags, async (receiver) => {
        const told =
          line === undefined ? await ofSpan(receiver, flags) : await ofLine(receiver, line)
        printRows(world, told.toSorted(byMoment), flags)
      }),
    )
  withReceiverFlags(command)
}

async function ofLine({ store, companyId, destination }: Receiver, line: string) {
  if (!/^[1-9]\d{0,14}$/.test(line))
    throw new OperatorError(`"${line}" is no line: name its Id.`, exitCodes.usage)
  const receiving = { companyId, destinationId: destination.id }
  const entries = await entriesOfLine(store, receiving, Number(line))
  const retrievals = await retrievalsOfLine(store, receiving, Number(line))
  return [...retrievals.map(toldRetrieval), ...entries.map(toldEntry)]
}

async function ofSpan({ store, companyId, destination }: Receiver, flags: Flags) {
  const receiving = { companyId, destinationId: destination.id }
  const span = spanOf(flags)
  const retrievals = await retrievalsWithin(store, receiving, span)
  const deeds = await deedsWithin(store, receiving, span)
  return [...retrievals.map(toldRetrieval), ...deeds.map(toldDeeds)]
}

type Told = {
  readonly at: string | null
  readonly what: string
  readonly by: string
  readonly request: string
  readonly lines: string
  readonly more: string | null
}

function byMoment(one: Told, other: Told): number {
  return String(one.at).localeCompare(String(other.at))
}

function toldRetrieval({ at, actor, requestId, id, count, amount, hash }: Retrieval): Told {
  return {
    at: moment(at),
    what: 'handed out',
    by: actor,
    request: requestId,
    lines: String(count),
    more: `hand-out ${id}, amount ${amount}, sha256 ${hash}`,
  }
}

function toldEntry(entry: Entry): Told {
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

function toldDeeds(deeds: Deeds): Told {
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
  dagsverk export history 17                                 every retrieval and every mark of a line
  dagsverk export history --from 2026-11-01 --to 2026-11-30
`
