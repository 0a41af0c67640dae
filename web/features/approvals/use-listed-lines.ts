// useListedLines: the lines of the approval queue: layout, columns, which are in view, and file.
import type { ApprovalOverview, LineGroup, LineGrouping, MaterialRow } from '../../../src/app/contract/approvals.ts'
import { useMemo, useRef } from 'react'
import { sortLines } from '../../components/sort-lines.ts'
import type { ApprovalQueueProps } from './approval-queue-props.ts'
import { createListLayout, linesPerRange, type ListItem, type ListLayout, type PlacedLineRange } from './list-layout.ts'
import { useQueueColumns } from './queue-columns.tsx'
import { noStatus, type QueuedLine } from './QueueCells.tsx'
import { useVisibleRows } from './use-visible-rows.ts'
import { fetchAllLines, type ApprovalListFilter, approvalLinesQuery } from '../../api/approvals.ts'
import { useQueries, useQueryClient } from '@tanstack/react-query'

export type ListedLines = ReturnType<typeof useListedLines>

export function useListedLines({ overview, filter, showsAnomaliesOnly, openId, onSort }: ApprovalQueueProps) {
  const { groups, anomalyCount } = overview
  const { group, sort, state } = filter
  const isWaiting = state === 'registered'
  const anomalies = useMemo(() => sortLines(overview.anomalies, sort), [overview.anomalies, sort])
  const layout = useMemo(
    () => createListLayout(showsAnomaliesOnly ? noLines : overview, isWaiting ? anomalies : [], { group, sort }),
    [overview, showsAnomaliesOnly, anomalies, isWaiting, group, sort],
  )
  const columns = useQueueColumns(filter, openId)
  const list = useRef<HTMLDivElement>(null)
  const visible = useVisibleRows(list, layout.length, columns.height)
  const lines = useQueueLines(filter, { layout, firstLines: overview.firstLines }, visible)
  const counted = showsAnomaliesOnly ? anomalies : groups
  const count = showsAnomaliesOnly ? anomalies.length : layout.lines
  return {
    list,
    layout,
    anomalies,
    ...columns,
    ...visible,
    ...lines,
    count,
    total: counted.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
    /** Number of lines without anomalies; 0 where they are not selected apart. */
    usualCount: isWaiting && !showsAnomaliesOnly && anomalyCount > 0 ? count - anomalyCount : 0,
    /** Undefined for a list that is not sorted. */
    sorted: state === 'exported' ? undefined : { order: sort, onSort },
    /** The lines as they are now, in the order of the list. */
    loadFile: async (): Promise<readonly QueuedLine[]> => {
      const listed = showsAnomaliesOnly ? anomalies : await fetchListedLines(filter, groups)
      return listed.map((line) => ({ ...noStatus, line, anomalyFlags: 0, onTick: null }))
    },
  }
}

const noLines: Pick<ApprovalOverview, 'groups' | 'steps'> = { groups: [], steps: [] }

async function fetchListedLines(
  filter: ApprovalListFilter,
  groups: readonly LineGroup[],
): Promise<readonly MaterialRow[]> {
  const lines = sortLines(await fetchAllLines(filter), filter.sort)
  const places = new Map(groups.map(({ key }, index) => [key, index]))
  const keyOf = groupKeys[filter.group]
  // A group that is newer than the list comes last.
  const placeOf = (line: MaterialRow) => places.get(String(keyOf(line) ?? '')) ?? groups.length
  return lines.toSorted((one, other) => placeOf(one) - placeOf(other))
}

const groupKeys: Readonly<Record<LineGrouping, (line: MaterialRow) => string | number | null>> = {
  none: () => null,
  project: ({ projectId }) => projectId,
  employee: ({ employeeId }) => employeeId,
  department: ({ departmentId }) => departmentId,
  day: ({ date }) => date,
}

/** `firstLines` begin the list in the order of dates: they are shown until their range is loaded. */
function useQueueLines(
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
    const range = fetched[at]?.data?.rows
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
    const page = await client.fetchQuery(approvalLinesQuery(filter, range)).catch(() => null)
    return page?.rows[item.index - range.first]
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
