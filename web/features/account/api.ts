// Queries and actions of the account screen.
import { replyQuery } from '../../api/reply-query.ts'
import { post, type PostBody, type PostName, type PostReply } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'

export const accountQuery = replyQuery(['account'], 'account', { staleTime: 10_000 })

/** Sends an action on the own account. Some replace the session. */
export function useAccountAction<Name extends PostName>(name: Name, onDone?: (reply: PostReply<Name>) => void) {
  return useAction((fields: PostBody<Name>) => post(name, fields), { refreshes: ['session', 'account'], onDone })
}
