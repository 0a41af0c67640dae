// replyQuery: a query for the reply of an endpoint.
import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { get, type GetName, type QueryParams } from './client.ts'

interface ReplyQueryOptions {
  readonly params?: QueryParams
  readonly staleTime?: number
  readonly refetchInterval?: number | (() => number | false)
}

export function replyQuery<Name extends GetName>(
  queryKey: QueryKey,
  name: Name,
  { params, ...options }: ReplyQueryOptions = {},
) {
  return queryOptions({ queryKey, queryFn: () => get(name, params), ...options })
}
