// Export: overview, lines, claims, and actions on exported lines.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { request, get } from './client.ts'
import { pollUnlessLive } from './live.ts'

export const laneNames = ['ready', 'claimed', 'failed', 'exported'] as const

export interface Claim {
  readonly id: number
  readonly destinationId: number
  readonly holder: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly count: number
}

export interface Destination {
  readonly id: number
  readonly name: string
}

export interface ExportOverview {
  /** Since when exports are suspended after a restore; null otherwise. */
  readonly heldSince: number | null
  readonly destinations: readonly Destination[]
  readonly claims: readonly Claim[]
  /** Ready for three days or more. */
  readonly late: readonly {
    readonly destinationId: number
    readonly count: number
    readonly amount: number
    readonly oldestAt: number
  }[]
  readonly lanes: readonly {
    readonly destination: string
    readonly lane: (typeof laneNames)[number]
    readonly count: number
    /** Failed so often that claims skip them. */
    readonly parked: number
    readonly amount: number
    readonly oldestAt: number | null
  }[]
  readonly alarms: readonly {
    readonly id: number
    readonly destinationId: number
    readonly lineId: number
    readonly at: number
    readonly actor: string
    readonly code: string | null
    readonly externalId: string | null
  }[]
  readonly handOuts: readonly {
    readonly id: number
    readonly destination: string
    readonly at: number
    readonly actor: string
    readonly count: number
    /** Decimal text. */
    readonly amount: string
    readonly hash: string
    readonly query: string | null
  }[]
  readonly reports: readonly {
    readonly act: string
    readonly at: number
    readonly actor: string
    readonly requestId: string
    readonly reason: string | null
    readonly count: number
    readonly firstLineId: number
    readonly lastLineId: number
  }[]
}

export const exportQuery = queryOptions({
  queryKey: ['material', 'export'],
  queryFn: () => get<ExportOverview>('/app/data/eksport'),
  staleTime: 10_000,
  refetchInterval: pollUnlessLive(30_000),
})

/** Counts for a badge: lines reported as failed, and how many of these are parked. */
export const failedQuery = queryOptions({
  queryKey: ['material', 'failed'],
  queryFn: () => get<{ count: number; parked: number }>('/app/data/eksport/feilet'),
  staleTime: 10_000,
  refetchInterval: pollUnlessLive(30_000),
})

export type LineList = 'waiting' | 'failed' | 'gone'

export interface ExportLine {
  readonly id: number
  readonly lineKind: string
  readonly date: string
  readonly itemId: string | null
  readonly itemName: string | null
  readonly unit: string | null
  /** Ten-thousandths, like the amount. */
  readonly quantity: number
  readonly amount: number | null
  readonly state: 'ready' | 'exported' | 'closed'
  readonly failures: number
  readonly parkedAt: number | null
  readonly failure: string | null
  readonly externalId: string | null
  readonly markedAt: number | null
  readonly markedBy: string | null
  readonly holder: string | null
}

export function exportLinesQuery(destination: number, list: LineList) {
  return infiniteQueryOptions({
    queryKey: ['material', 'export', 'lines', destination, list],
    queryFn: async ({ pageParam }) =>
      (
        await get<{ rows: ExportLine[] }>('/app/data/eksport/linjer', {
          destination,
          list,
          before: pageParam === 0 ? undefined : pageParam,
        })
      ).rows,
    initialPageParam: 0,
    getNextPageParam: (rows) => (rows.length < 100 ? null : rows.at(-1)?.id),
    staleTime: 10_000,
  })
}

/** Undo the export, close (handled elsewhere), retry, or send back to approval. */
export type LineAction = 'undone' | 'closed' | 'retried' | 'sent_back'

const actionPaths: Readonly<Record<LineAction, string>> = {
  undone: 'angre',
  closed: 'lukk',
  retried: 'prov-igjen',
  sent_back: 'til-godkjenning',
}

/** What the action would do with a line, or why it cannot. */
export interface LineActionPreview {
  readonly id: number
  readonly code: LineAction | 'not_found' | 'not_allowed'
  readonly state: 'ready' | 'exported' | 'closed' | 'withdrawn' | null
  readonly amount: number | null
  readonly externalId: string | null
  readonly isCorrected: boolean
  readonly isLocked: boolean
}

interface LineActionTarget {
  readonly destination: number
  readonly ids: readonly number[]
}

export function previewLineAction(action: LineAction, { destination, ids }: LineActionTarget) {
  return request<{ lines: LineActionPreview[] }>('POST', '/app/data/eksport/prov', {
    act: action,
    destination: String(destination),
    ids: ids.join(','),
  })
}

export interface LineActionResult {
  readonly done: readonly number[]
  readonly others: readonly LineActionPreview[]
}

export function executeLineAction(
  action: LineAction,
  { destination, ids }: LineActionTarget,
  reason: { readonly reason: string; readonly code: string },
) {
  return request<LineActionResult>('POST', `/app/data/eksport/${actionPaths[action]}`, {
    destination: String(destination),
    ids: ids.join(','),
    ...reason,
  })
}

/** Releases the lines of a claim whose worker is gone; the reason is stored. */
export function breakClaim({ id, destinationId }: Claim, reason: string) {
  return request<{ state: string }>('POST', '/app/data/eksport/bryt', {
    destination: String(destinationId),
    claim: String(id),
    reason,
  })
}
