// Export: overview, lines, claims, and actions on exported lines.
import type { LineListName } from '../../src/app/contract/export.ts'
import { filePageRows, type LineOrder } from './approvals.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { get } from './client.ts'
import { replyQuery } from './reply-query.ts'
import { pollUnlessLive } from './live.ts'

const fresh = { staleTime: 10_000, refetchInterval: pollUnlessLive(30_000) } as const

export const exportQuery = replyQuery(['material', 'export'], 'exportOverview', fresh)

/** Counts for a badge: lines reported as failed, and how many of these are parked. */
export const failedQuery = replyQuery(['material', 'failed'], 'exportFailed', fresh)

export interface ExportLineFilter {
  readonly destination: number
  readonly list: LineListName
  readonly search: string | undefined
  /** The latest first unless given. */
  readonly sort: LineOrder | undefined
}

/** For the screen, or for a file: unsorted and in larger pages, so that no line is missing because others left the list. */
export function exportLinesQuery(listFilter: ExportLineFilter, use: 'screen' | 'file' = 'screen') {
  const filter = use === 'file' ? { ...listFilter, sort: undefined } : listFilter
  const top = use === 'file' ? filePageRows : 100
  // Sorted lines are counted, as no id tells where a page ends.
  const isCounted = filter.sort !== undefined
  return infiniteQueryOptions({
    queryKey: ['material', 'export', 'lines', use, filter],
    queryFn: ({ pageParam }) =>
      get('exportLines', { ...filter, top, [isCounted ? 'skip' : 'before']: pageParam || undefined }),
    initialPageParam: 0,
    getNextPageParam: ({ rows }, pages) =>
      rows.length < top ? null : isCounted ? top * pages.length : rows.at(-1)?.id,
    staleTime: 10_000,
  })
}
