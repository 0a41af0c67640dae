// Queries and actions of the administration screen.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { get, post, type PostBody, type PostName, type PostReply } from '../../api/client.ts'
import { replyQuery } from '../../api/reply-query.ts'
import { useAction } from '../../components/use-action.ts'

export const administrationQuery = replyQuery(['administration'], 'administration', { staleTime: 10_000 })

// Actions of administrators invalidate everything under the key above.

/** Of the server, for its operator. */
export const companiesQuery = replyQuery(['administration', 'companies'], 'companies', { staleTime: 10_000 })

export const webhooksQuery = replyQuery(['administration', 'webhooks'], 'webhooks', { refetchInterval: 5000 })

export function deliveriesQuery(id: number) {
  return replyQuery(['administration', 'webhooks', id], 'webhookDeliveries', { params: { id }, refetchInterval: 5000 })
}

/** Status of the server, which changes without an act of this person: e-mails leave, files grow. */
export const systemQuery = replyQuery(['system'], 'system', { refetchInterval: 10_000 })

/** The latest rejected calls, or those of one request id. */
export function rejectedCallsQuery(id: string, language: string, use: 'screen' | 'file' = 'screen') {
  return infiniteQueryOptions({
    queryKey: ['rejected-calls', use, id, language],
    queryFn: ({ pageParam }) => get('rejectedCalls', { id, before: pageParam === 0 ? undefined : pageParam }),
    initialPageParam: 0,
    placeholderData: keepPreviousData,
    getNextPageParam: ({ rows }) => (id === '' && rows.length === callsPerPage ? (rows.at(-1)?.at ?? null) : null),
  })
}

const callsPerPage = 100

export type PostRequest<Name extends PostName> = Name extends PostName
  ? { readonly endpoint: Name; readonly fields: PostBody<Name> }
  : never

export function useAdminAction<Name extends PostName = PostName>(onDone?: (reply: PostReply<Name>) => void) {
  return useAction(({ endpoint, fields }: PostRequest<Name>) => post(endpoint, fields), {
    refreshes: ['administration', 'audit'],
    onDone,
  })
}
