// Who did what.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'

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

/** What is looked for; what is not named is not looked at. */
export interface AuditSought {
  /** Of a line, or of its transaction. */
  readonly line: number | undefined
  /** A part of it. */
  readonly actor: string | undefined
  readonly action: string | undefined
}

interface AuditPage {
  readonly rows: readonly AuditRow[]
  /** Where the next page begins; null at the end. A page may be short, and more may follow. */
  readonly next: number | null
}

export function auditQuery(sought: AuditSought) {
  return infiniteQueryOptions({
    queryKey: ['audit', sought],
    queryFn: ({ pageParam }) =>
      ask<AuditPage>('/app/data/revisjon', {
        ...sought,
        before: pageParam === 0 ? undefined : pageParam,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

/** The latest ten thousand that fit. */
export async function auditFile(sought: AuditSought): Promise<readonly AuditRow[]> {
  return (await ask<AuditPage>('/app/data/revisjon/fil', { ...sought })).rows
}
