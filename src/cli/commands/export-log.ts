// `dagsverk export history`: retrievals and acknowledgements of a line or a time span.
import type { Command } from '@commander-js/extra-typings'
import { parseSpan, addDestinationAction, type DestinationContext } from '../support/resolve-destination.ts'
import { parseLineId } from '../support/line-list.ts'
import { formatTimestamp, printRows } from '../support/print.ts'
import type { Runtime } from '../../server/environment.ts'
import {
  listLedgerSummaries,
  listLedgerEntries,
  listRetrievalsOfLine,
  listRetrievals,
  type LedgerSummary,
  type LedgerEntry,
  type Retrieval,
  type TimeRange,
} from '../../store/export/export-log.ts'

export function addHistoryCommand(group: Command, runtime: Runtime): void {
  const command = group
    .command('history [line]')
    .description('show the retrievals and acknowledgements of a line or of a time span')
    .option('--from <day>', "from this day in the company's time zone, or this time")
    .option('--to <day>', 'up to this time, or including this day')
    .addHelpText('after', examples)
  addDestinationAction(command, runtime, async (target, flags, line) => {
    const rows = await (line === undefined
      ? listForSpan(target, parseSpan(flags, target.context.zone))
      : listForLine(target, line))
    const byTime = rows.toSorted((one, other) => String(one.at).localeCompare(String(other.at)))
    printRows(runtime, byTime, flags)
  })
}

async function listForLine({ store, companyId, destination }: DestinationContext, line: string) {
  const ofLine = { companyId, destinationId: destination.id, lineId: parseLineId(line) }
  const retrievals = await listRetrievalsOfLine(store, ofLine)
  return [...retrievals.map(retrievalRow), ...(await listLedgerEntries(store, ofLine)).map(entryRow)]
}

async function listForSpan({ store, companyId, destination }: DestinationContext, span: TimeRange) {
  const inSpan = { companyId, destinationId: destination.id, ...span }
  const retrievals = await listRetrievals(store, inSpan)
  return [...retrievals.map(retrievalRow), ...(await listLedgerSummaries(store, inSpan)).map(summaryRow)]
}

function retrievalRow(retrieval: Retrieval) {
  const { id, count, amount, hash } = retrieval
  const more = [`retrieval ${id}`, `amount ${amount}`, `sha256 ${hash}`]
  return historyRow({ ...retrieval, action: 'retrieved' }, String(count), more)
}

function entryRow(entry: LedgerEntry) {
  const { revision, generation, externalId, externalBatchId, code, reason } = entry
  const lines = `revision ${revision}${generation === 1 ? '' : `, generation ${generation}`}`
  return historyRow(entry, lines, [externalId, externalBatchId, code, reason])
}

function summaryRow(summary: LedgerSummary) {
  const { count, firstLineId, lastLineId } = summary
  const lines = count === 1 ? `1: ${firstLineId}` : `${count}: ${firstLineId} to ${lastLineId}`
  return historyRow(summary, lines, [summary.externalBatchId, summary.reason])
}

function historyRow(
  { at, action, actor, requestId }: Pick<LedgerEntry, 'at' | 'actor' | 'requestId'> & { action: string },
  lines: string,
  more: readonly (string | null)[],
) {
  const named = more.filter((one) => one !== null)
  const details = named.length === 0 ? null : named.join(', ')
  return { at: formatTimestamp(at), what: action, by: actor, request: requestId, lines, more: details }
}

const examples = `
Examples:
  dagsverk export history 17                                 all retrievals and acknowledgements of a line
  dagsverk export history --from 2026-11-01 --to 2026-11-30
`
