// Export: overview, lines, claims, and actions on exported lines.
import type { LineActionReason, LineListName, OpenClaimSummary, LineAction } from '../../src/app/contract/export.ts'
import { appPaths } from '../../src/app/contract/paths.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { get, post } from './client.ts'
import { pollUnlessLive } from './live.ts'

export const laneNames = ['ready', 'claimed', 'failed', 'exported'] as const

export const exportQuery = queryOptions({
  queryKey: ['material', 'export'],
  queryFn: () => get(appPaths.exportOverview),
  staleTime: 10_000,
  refetchInterval: pollUnlessLive(30_000),
})

/** Counts for a badge: lines reported as failed, and how many of these are parked. */
export const failedQuery = queryOptions({
  queryKey: ['material', 'failed'],
  queryFn: () => get(appPaths.exportFailed),
  staleTime: 10_000,
  refetchInterval: pollUnlessLive(30_000),
})

export function exportLinesQuery(destination: number, list: LineListName) {
  return infiniteQueryOptions({
    queryKey: ['material', 'export', 'lines', destination, list],
    queryFn: async ({ pageParam }) =>
      (await get(appPaths.exportLines, { destination, list, before: pageParam === 0 ? undefined : pageParam })).rows,
    initialPageParam: 0,
    getNextPageParam: (rows) => (rows.length < 100 ? null : rows.at(-1)?.id),
    staleTime: 10_000,
  })
}

const actionPaths = {
  undone: appPaths.exportUndo,
  closed: appPaths.exportClose,
  retried: appPaths.exportRetry,
  sent_back: appPaths.exportSendBack,
} as const satisfies Readonly<Record<LineAction, string>>

interface LineActionTarget {
  readonly destination: number
  readonly ids: readonly number[]
}

export function previewLineAction(action: LineAction, { destination, ids }: LineActionTarget) {
  return post(appPaths.exportPreview, { action, destination: String(destination), ids: ids.join(',') })
}

export function executeLineAction(
  action: LineAction,
  { destination, ids }: LineActionTarget,
  reason: LineActionReason,
) {
  return post(actionPaths[action], { destination: String(destination), ids: ids.join(','), ...reason })
}

/** Releases the lines of a claim whose worker is gone; the reason is stored. */
export function breakClaim({ id, destinationId }: OpenClaimSummary, reason: string) {
  return post(appPaths.exportBreak, { destination: String(destinationId), claim: String(id), reason })
}
