// Data quality of revenue: duplicates, missing days, unknown codes, and fixing them.
import { queryOptions } from '@tanstack/react-query'
import { act, ask } from './client.ts'
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

export interface Untidy {
  readonly missing: readonly { readonly departmentId: string; readonly dates: readonly string[] }[]
  readonly crowded: readonly CellSum[]
  readonly unknown: readonly UnknownCode[]
}

export const untidyQuery = queryOptions({
  queryKey: ['revenue', 'untidy'],
  queryFn: () => ask<Untidy>('/app/data/omsetning/rydde'),
  staleTime: 15_000,
})

/** `changedAt` is sent as precondition. */
export function removeRecord({ id, changedAt }: { id: number; changedAt: number }) {
  return act('POST', '/app/data/omsetning/slett', { id: String(id), before: String(changedAt) })
}

export function moveCode({ departmentId, first, last }: UnknownCode, to: string) {
  return act<{ moved: number }>('POST', '/app/data/omsetning/flytt', {
    from: departmentId,
    to,
    first,
    last,
  })
}
