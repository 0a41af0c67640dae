// Data quality of revenue: duplicates, missing days, unknown codes, and fixing them.
import { queryOptions } from '@tanstack/react-query'
import { request, get } from './client.ts'
import type { CellSum } from './revenue.ts'

export interface UnknownCode {
  readonly departmentId: string
  readonly records: number
  /** Ten-thousandths. */
  readonly amount: number
  readonly first: string
  readonly last: string
  /** Who sent it last. */
  readonly actor: string | null
  readonly at: number | null
}

export interface DataIssues {
  readonly missing: readonly { readonly departmentId: string; readonly dates: readonly string[] }[]
  readonly crowded: readonly CellSum[]
  readonly unknown: readonly UnknownCode[]
}

export const dataIssuesQuery = queryOptions({
  queryKey: ['revenue', 'untidy'],
  queryFn: () => get<DataIssues>('/app/data/omsetning/rydde'),
  staleTime: 15_000,
})

/** `changedAt` is sent as precondition. */
export function deleteRevenueRecord({ id, changedAt }: { id: number; changedAt: number }) {
  return request('POST', '/app/data/omsetning/slett', { id: String(id), before: String(changedAt) })
}

export function moveRecordsOfCode({ departmentId, first, last }: UnknownCode, to: string) {
  return request<{ moved: number }>('POST', '/app/data/omsetning/flytt', {
    from: departmentId,
    to,
    first,
    last,
  })
}
