// Queries and actions of the administration screen.
import type { PostCalls } from '../../../src/app/contract/endpoints.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { get, post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'

export const administrationQuery = queryOptions({
  queryKey: ['administration'],
  queryFn: () => get(appPaths.administration),
  staleTime: 10_000,
})

// Actions of administrators invalidate everything under the key above.

/** Of the server, for its operator. */
export const companiesQuery = queryOptions({
  queryKey: ['administration', 'companies'],
  queryFn: () => get(appPaths.companies),
  staleTime: 10_000,
})

export const webhooksQuery = queryOptions({
  queryKey: ['administration', 'webhooks'],
  queryFn: () => get(appPaths.webhooks),
  refetchInterval: 5000,
})

export function deliveriesQuery(id: number) {
  return queryOptions({
    queryKey: ['administration', 'webhooks', id],
    queryFn: async () => (await get(appPaths.webhookDeliveries, { id })).rows,
    refetchInterval: 5000,
  })
}

/** Status of the server. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: () => get(appPaths.system),
  staleTime: 10_000,
})

/** The latest rejected calls, or those of one request id. */
export function rejectedCallsQuery(id: string, language: string) {
  return infiniteQueryOptions({
    queryKey: ['rejected-calls', id, language],
    queryFn: async ({ pageParam }) =>
      (await get(appPaths.rejectedCalls, { id, before: pageParam === 0 ? undefined : pageParam })).rows,
    initialPageParam: 0,
    getNextPageParam: (rows) => (id === '' && rows.length === callsPerPage ? (rows.at(-1)?.at ?? null) : null),
  })
}

const callsPerPage = 100

/** A request to one of these paths, with its fields. */
type PostRequest<Path extends keyof PostCalls> = Path extends keyof PostCalls
  ? { readonly path: Path; readonly fields: PostCalls[Path]['body'] }
  : never

/** Sends an action of an administrator. */
export function useAdminAction<Path extends keyof PostCalls = keyof PostCalls>(
  onDone: (reply: PostCalls[Path]['reply']) => void,
) {
  return useAction(({ path, fields }: PostRequest<Path>) => post(path, fields), {
    refreshes: ['administration', 'audit'],
    onDone,
  })
}
