// Audit entries.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

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

/** Undefined: no restriction. */
export interface AuditFilter {
  /** Id of a line or its transaction. */
  readonly line: number | undefined
  /** Substring. */
  readonly actor: string | undefined
  readonly action: string | undefined
}

interface AuditPage {
  readonly rows: readonly AuditRow[]
  /** Cursor of the next page; null at the end. A page may have fewer rows although more follow. */
  readonly next: number | null
}

export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) =>
      get<AuditPage>('/app/data/revisjon', {
        ...filter,
        before: pageParam === 0 ? undefined : pageParam,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

/** The latest 10,000 that match. */
export async function fetchAuditRows(filter: AuditFilter): Promise<readonly AuditRow[]> {
  return (await get<AuditPage>('/app/data/revisjon/fil', { ...filter })).rows
}
