// Who did what.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { ask } from './ask.ts'

export interface AuditRow {
  readonly id: number
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly requestId: string
  /** JSON: ids and counts. */
  readonly data: string
  readonly hash: string
}

export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: async ({ pageParam }) =>
    (
      await ask<{ rows: AuditRow[] }>('/app/data/revisjon', {
        before: pageParam === 0 ? undefined : pageParam,
      })
    ).rows,
  initialPageParam: 0,
  getNextPageParam: (rows) => rows.at(-1)?.id ?? null,
})
