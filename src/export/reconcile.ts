// Reconciliation of the receiver's list with the ledger: in both, only exported here, only theirs.
import {
  standingsAfter,
  type Receiving,
  type Span,
  type Standing,
} from '../store/export/export-log.ts'
import type { Reader } from '../store/store.ts'

/** How the receiver identifies a line: by our id, its external id, the export key, or several of them. */
export interface Named {
  readonly id: number | null
  readonly externalId: string | null
  readonly exportKey: string | null
}

export interface Reconciled {
  /** The number of lines in both. */
  readonly both: number
  /** Exported here but not in the list: lost by the receiver, or the list is incomplete. */
  readonly onlyOurs: readonly Standing[]
  /** In the list but not exported here; the status is null for a line that this service does not know. */
  readonly onlyTheirs: readonly { readonly named: Named; readonly standing: Standing | null }[]
}

/**
 * `span`, in microseconds, is the period of the list: lines exported outside of it are not reported as missing. Reads
 * all lines of the destination once, a page at a time.
 */
export async function reconcile(
  reader: Reader,
  receiving: Receiving,
  list: readonly Named[],
  { span, onProgress }: { readonly span: Span; readonly onProgress: (lines: number) => void },
): Promise<Reconciled> {
  const theirs = indexOf(list)
  const found = new Set<Named>()
  const onlyOurs: Standing[] = []
  const onlyTheirs: { named: Named; standing: Standing | null }[] = []
  let both = 0
  let lines = 0
  for (let after = 0; ;) {
    const page = await standingsAfter(reader, receiving, after, pageLines)
    for (const standing of page) {
      const all = theirs.of(standing)
      for (const named of all) found.add(named)
      const [named] = all
      if (standing.state === 'exported') {
        if (named !== undefined) both += 1
        else if (isWithin(standing, span)) onlyOurs.push(standing)
      } else if (named !== undefined) onlyTheirs.push({ named, standing })
    }
    lines += page.length
    onProgress(lines)
    const last = page.at(-1)
    if (last === undefined || page.length < pageLines) break
    after = last.lineId
  }
  for (const named of list) if (!found.has(named)) onlyTheirs.push({ named, standing: null })
  return { both, onlyOurs, onlyTheirs }
}

const pageLines = 5000

function isWithin({ markedAt }: Standing, { from, to }: Span): boolean {
  return markedAt !== null && markedAt >= from && markedAt < to
}

/** A line may occur in the list several times, under any of its identifiers. */
function indexOf(list: readonly Named[]) {
  const ids = Map.groupBy(list, ({ id }) => id)
  const externalIds = Map.groupBy(list, ({ externalId }) => externalId)
  const keys = Map.groupBy(list, ({ exportKey }) => exportKey)
  return {
    of: ({ lineId, externalId, exportKey }: Standing): Named[] => [
      ...(ids.get(lineId) ?? []),
      ...(externalId === null ? [] : (externalIds.get(externalId) ?? [])),
      ...(keys.get(exportKey) ?? []),
    ],
  }
}
