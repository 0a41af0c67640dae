// Reconciliation of the receiver's list with the ledger: in both, only exported here, only theirs.
import {
  listReconcileLines,
  type DestinationKey,
  type TimeRange,
  type ReconcileLine,
} from '../store/export/export-log.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import type { Reader } from '../store/store.ts'

/** How the receiver identifies a line: by our id, its external id, the export key, or several of them. */
export interface LineReference {
  readonly id: number | null
  readonly externalId: string | null
  readonly exportKey: string | null
}

export interface Reconciliation {
  /** The number of lines in both. */
  readonly both: number
  /** Exported here but not in the list: lost by the receiver, or the list is incomplete. */
  readonly onlyOurs: readonly ReconcileLine[]
  /** In the list but not exported here; `line` is null for a line that this service does not know. */
  readonly onlyTheirs: readonly { readonly reference: LineReference; readonly line: ReconcileLine | null }[]
}

/**
 * `span`, in microseconds, is the period of the list: lines exported outside of it are not reported as missing. Reads
 * all lines of the destination once, a page at a time.
 */
export async function reconcile(
  reader: Reader,
  destination: DestinationKey,
  list: readonly LineReference[],
  { span, onProgress }: { readonly span: TimeRange; readonly onProgress: (linesRead: number) => void },
): Promise<Reconciliation> {
  const references = indexReferences(list)
  const found = new Set<LineReference>()
  const isInSpan = (at: number | null) => at !== null && at >= span.from && at < span.to
  const onlyOurs: ReconcileLine[] = []
  const onlyTheirs: { reference: LineReference; line: ReconcileLine | null }[] = []
  let both = 0
  let linesRead = 0
  for (let after = 0; ;) {
    const page = await listReconcileLines(reader, { ...destination, after, limit: pageLines })
    for (const line of page) {
      const all = references.referencesTo(line)
      for (const reference of all) found.add(reference)
      const [reference] = all
      if (line.state === 'exported') {
        if (reference !== undefined) both += 1
        else if (isInSpan(line.acknowledgedAt)) onlyOurs.push(line)
      } else if (reference !== undefined) onlyTheirs.push({ reference, line })
    }
    linesRead += page.length
    onProgress(linesRead)
    const last = page.at(-1)
    if (last === undefined || page.length < pageLines) break
    after = last.lineId
    await yieldToEventLoop()
  }
  for (const reference of list) if (!found.has(reference)) onlyTheirs.push({ reference, line: null })
  return { both, onlyOurs, onlyTheirs }
}

/** Comparing this many takes some milliseconds. */
const pageLines = 2000

/** A line may occur in the list several times, under any of its identifiers. */
function indexReferences(list: readonly LineReference[]) {
  const ids = Map.groupBy(list, ({ id }) => id)
  const externalIds = Map.groupBy(list, ({ externalId }) => externalId)
  const keys = Map.groupBy(list, ({ exportKey }) => exportKey)
  return {
    referencesTo: ({ lineId, externalId, exportKey }: ReconcileLine): LineReference[] => [
      ...(ids.get(lineId) ?? []),
      ...(externalId === null ? [] : (externalIds.get(externalId) ?? [])),
      ...(keys.get(exportKey) ?? []),
    ],
  }
}
