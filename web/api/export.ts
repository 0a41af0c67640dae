// Export: overview, lines, claims, and actions on exported lines.
import type { LineListName } from '../../src/app/contract/export.ts'
import type { LineOrder } from './approvals.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'
import { pollUnlessLive } from './live.ts'

export const laneNames = ['ready', 'claimed', 'failed', 'exported'] as const

export const exportQuery = queryOptions({
  queryKey: ['material', 'export'],
  queryFn: () => get('exportOverview'),
  staleTime: 10_000,
  refetchInterval: pollUnlessLive(30_000),
})

/** Counts for a badge: lines reported as failed, and how many of these are parked. */
export const failedQuery = queryOptions({
  queryKey: ['material', 'failed'],
  queryFn: () => get('exportFailed'),
  staleTime: 10_000,
  refetchInterval: pollUnlessLive(30_000),
})

export interface ExportLineFilter {
  readonly destination: number
  readonly list: LineListName
  readonly search: string | undefined
  /** The latest first unless given. */
  readonly sort: LineOrder | undefined
}

export function exportLinesQuery(filter: ExportLineFilter) {
  // Sorted lines are counted, as no id tells where a page ends.
  const isCounted = filter.sort !== undefined
  return infiniteQueryOptions({
    queryKey: ['material', 'export', 'lines', filter],
    queryFn: async ({ pageParam }) =>
      (await get('exportLines', { ...filter, [isCounted ? 'skip' : 'before']: pageParam || undefined })).rows,
    initialPageParam: 0,
    getNextPageParam: (rows, pages) => (rows.length < 100 ? null : isCounted ? 100 * pages.length : rows.at(-1)?.id),
    staleTime: 10_000,
  })
}
