// Rejected API calls.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

export interface RejectedCallSummary {
  readonly at: number
  readonly requestId: string
  readonly status: number
  readonly code: string
  /** The error message, in the reader's language. */
  readonly text: string
}

interface RejectedCall extends RejectedCallSummary {
  readonly method: string
  readonly route: string
  /** The name is null for a deleted key. */
  readonly credential: { readonly id: string; readonly name: string | null }
}

const pageRows = 100

/** The latest, or those of one request id. */
export function rejectedCallsQuery(id: string, language: string) {
  return infiniteQueryOptions({
    queryKey: ['refused-calls', id, language],
    queryFn: async ({ pageParam }) =>
      (
        await get<{ rows: RejectedCall[] }>('/app/data/administrasjon/kall', {
          id,
          before: pageParam === 0 ? undefined : pageParam,
        })
      ).rows,
    initialPageParam: 0,
    getNextPageParam: (rows) =>
      id === '' && rows.length === pageRows ? (rows.at(-1)?.at ?? null) : null,
  })
}
