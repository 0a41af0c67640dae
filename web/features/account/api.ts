// Queries and actions of the account screen.
import { queryOptions } from '@tanstack/react-query'
import { get, post, type PostBody, type PostName, type PostReply } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'

export const accountQuery = queryOptions({ queryKey: ['account'], queryFn: () => get('account'), staleTime: 10_000 })

/** Sends an action on the own account. Some replace the session. */
export function useAccountAction<Name extends PostName>(name: Name, onDone?: (reply: PostReply<Name>) => void) {
  return useAction((fields: PostBody<Name>) => post(name, fields), { refreshes: ['session', 'account'], onDone })
}
