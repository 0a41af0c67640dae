// The way of material out of the house.
import { queryOptions } from '@tanstack/react-query'
import { ask } from './ask.ts'

export const laneNames = ['ready', 'claimed', 'failed', 'exported'] as const

export interface ExportOverview {
  readonly lanes: readonly {
    readonly destination: string
    readonly lane: (typeof laneNames)[number]
    readonly count: number
    readonly amount: number
    readonly oldestAt: number | null
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
  queryFn: () => ask<ExportOverview>('/app/data/eksport'),
  staleTime: 10_000,
  refetchInterval: 30_000,
})
