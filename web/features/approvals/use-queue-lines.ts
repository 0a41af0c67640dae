// useQueueLines: the lines of a list layout, fetched range by range around what is in view.
import type { MaterialRow } from '../../../src/app/contract/approvals.ts'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { approvalLinesQuery, type ApprovalListFilter } from '../../api/approvals.ts'
import { linesPerRange, type ListItem, type ListLayout, type PlacedLineRange } from './list-layout.ts'

/** `firstLines` begin the list in the order of dates: they are shown until their range is loaded. */
export function useQueueLines(
  filter: ApprovalListFilter,
  { layout, firstLines }: { readonly layout: ListLayout; readonly firstLines: readonly MaterialRow[] },
  { first, last }: { readonly first: number; readonly last: number },
) {
  const client = useQueryClient()
  // Prefetches some screens in both directions.
  const ranges = rangesBetween(layout, first - linesPerRange / 2, last + linesPerRange / 2)
  const fetched = useQueries({ queries: ranges.map((one) => approvalLinesQuery(filter, one)) })
  /** Undefined until its range is loaded. */
  const lineOf = (item: ListItem): MaterialRow | undefined => {
    if (item.kind === 'anomaly') return item.line
    if (item.kind !== 'line') return undefined
    const at = ranges.findLastIndex((one) => one.first <= item.index)
    const range = fetched[at]?.data
    if (range === undefined && filter.sort === undefined) return firstLines[item.index]
    return range?.[item.index - (ranges[at]?.first ?? 0)]
  }
  const itemAt = (position: number) => (position < 0 || position >= layout.length ? undefined : layout.at(position))
  const lineAt = (position: number) => {
    const item = itemAt(position)
    return item === undefined ? undefined : lineOf(item)
  }
  const fetchLine = async (position: number) => {
    const item = itemAt(position)
    if (item?.kind !== 'line') return undefined
    const range = layout.rangeOf(item.index)
    const lines = await client.fetchQuery(approvalLinesQuery(filter, range)).catch(() => [])
    return lines[item.index - range.first]
  }
  return {
    lineOf,
    lineAt,
    /** Also of a line whose range is not loaded yet, so that no key is lost. */
    whenLoaded: (position: number, run: (line: MaterialRow) => void) => {
      const line = lineAt(position)
      if (line !== undefined) run(line)
      else void fetchLine(position).then((fetched) => fetched !== undefined && run(fetched))
    },
    failed: fetched.find(({ error }) => error !== null),
  }
}

function rangesBetween(layout: ListLayout, from: number, to: number): readonly PlacedLineRange[] {
  const ranges: PlacedLineRange[] = []
  for (let position = Math.max(0, from); position < Math.min(layout.length, to); position++) {
    const item = layout.at(position)
    if (item.kind !== 'line') continue
    const range = layout.rangeOf(item.index)
    if (ranges.at(-1) !== range) ranges.push(range)
  }
  return ranges
}
