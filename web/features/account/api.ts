// Queries and actions of the account screen.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post, type PostBody, type PostName, type PostReply } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { useReauthentication } from '../../components/Reauthenticate.tsx'

export const accountQuery = queryOptions({ queryKey: ['account'], queryFn: () => get('account'), staleTime: 10_000 })

/** Sends an action on the own account; asks for the password where the server requires it. Some replace the session. */
export function useAccountAction<Name extends PostName>(
  name: Name,
  onDone: (reply: PostReply<Name>) => void = () => {},
) {
  const client = useQueryClient()
  const { run } = useReauthentication()
  return useMutation({
    mutationFn: (fields: PostBody<Name>) => run(() => post(name, fields)),
    onSuccess: onDone,
    onSettled: async () => {
      await client.refetchQueries({ queryKey: sessionQuery.queryKey, exact: true })
      await client.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
  })
}
