// Rejected API calls.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'

export interface Refused {
  readonly at: number
  readonly requestId: string
  readonly status: number
  readonly code: string
  /** The error message, in the reader's language. */
  readonly text: string
}

interface RefusedCall extends Refused {
  readonly method: string
  readonly route: string
  /** The name is null for a deleted key. */
  readonly credential: { readonly id: string; readonly name: string | null }
}

const pageRows = 100

/** The latest, or those of one request id. */
export function refusedCallsQuery(id: string, language: string) {
  return infiniteQueryOptions({
    queryKey: ['refused-calls', id, language],
    queryFn: async ({ pageParam }) =>
      (
        await ask<{ rows: RefusedCall[] }>('/app/data/administrasjon/kall', {
          id,
          before: pageParam === 0 ? undefined : pageParam,
        })
      ).rows,
    initialPageParam: 0,
    getNextPageParam: (rows) =>
      id === '' && rows.length === pageRows ? (rows.at(-1)?.at ?? null) : null,
  })
}
