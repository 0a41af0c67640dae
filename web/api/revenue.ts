// Revenue: overview, sums, cells, and saving cells.
import { queryOptions } from '@tanstack/react-query'
import { request, get } from './client.ts'
import { pollUnlessLive } from './live.ts'

export interface CellSum {
  readonly date: string
  readonly departmentId: string
  /** Ten-thousandths, as all amounts. */
  readonly amount: number
  readonly records: number
}

export interface KeyFigure {
  readonly name: 'yesterday' | 'week' | 'month' | 'lastMonth' | 'year'
  readonly from: string
  readonly to: string
  /** Null where there is no revenue. */
  readonly amount: number | null
  readonly before: { readonly from: string; readonly to: string; readonly amount: number | null }
}

export interface RevenueOverview {
  readonly today: string
  readonly figures: readonly KeyFigure[]
  readonly days: readonly { readonly date: string; readonly amount: number }[]
  readonly missing: readonly { readonly departmentId: string; readonly dates: readonly string[] }[]
  readonly crowded: readonly CellSum[]
  readonly unknown: readonly {
    readonly departmentId: string
    readonly records: number
    readonly amount: number
    readonly first: string
    readonly last: string
  }[]
  readonly lastChangedAt: number | null
}

export interface RevenueCellDetails {
  readonly records: readonly {
    readonly id: number
    readonly extra: number
    readonly amount: number | null
    readonly remark: string | null
    readonly changedAt: number
  }[]
  readonly log: readonly {
    readonly id: number
    readonly at: number
    readonly revenueId: number
    readonly action: string
    readonly amount: number | null
    readonly before: number | null
    readonly after: number | null
    readonly reference: string | null
    readonly actor: string
  }[]
}

export type PeriodUnit = 'day' | 'week' | 'month'

const fresh = { staleTime: 15_000, refetchInterval: pollUnlessLive(60_000) } as const

export const revenueOverviewQuery = queryOptions({
  queryKey: ['revenue', 'overview'],
  queryFn: () => get<RevenueOverview>('/app/data/omsetning/oversikt'),
  ...fresh,
})

export function revenueSumsQuery(from: string, to: string, per: PeriodUnit) {
  return queryOptions({
    queryKey: ['revenue', 'sums', from, to, per],
    queryFn: async () =>
      (await get<{ sums: CellSum[] }>('/app/data/omsetning/summer', { from, to, per })).sums,
    ...fresh,
  })
}

export function revenueCellQuery(date: string, department: string) {
  return queryOptions({
    queryKey: ['revenue', 'cell', date, department],
    queryFn: () => get<RevenueCellDetails>('/app/data/omsetning/celle', { date, department }),
  })
}

export interface RevenueEdit {
  readonly date: string
  readonly department: string
  readonly amount: string
  readonly before: string | null
}

export function saveRevenueCells(edits: readonly RevenueEdit[]): Promise<unknown> {
  return request('POST', '/app/data/omsetning/celler', edits)
}
