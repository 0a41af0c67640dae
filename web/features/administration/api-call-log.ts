// Rejected API calls.
import { appPaths } from '../../../src/app/contract/paths.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

const pageRows = 100

/** The latest, or those of one request id. */
export function rejectedCallsQuery(id: string, language: string) {
  return infiniteQueryOptions({
    queryKey: ['rejected-calls', id, language],
    queryFn: async ({ pageParam }) =>
      (await get(appPaths.rejectedCalls, { id, before: pageParam === 0 ? undefined : pageParam })).rows,
    initialPageParam: 0,
    getNextPageParam: (rows) => (id === '' && rows.length === pageRows ? (rows.at(-1)?.at ?? null) : null),
  })
}
