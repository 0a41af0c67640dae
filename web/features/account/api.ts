// Queries and actions of the account screen.
import type { PostCalls } from '../../../src/app/contract/endpoints.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { useReauthentication } from '../../components/Reauthenticate.tsx'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => get(appPaths.account),
  staleTime: 10_000,
})

/** Sends an action on the own account; asks for the password where the server requires it. Some replace the session. */
export function useAccountAction<Path extends keyof PostCalls>(
  path: Path,
  onDone: (reply: PostCalls[Path]['reply']) => void = () => {},
) {
  const client = useQueryClient()
  const { run } = useReauthentication()
  return useMutation({
    mutationFn: (fields: PostCalls[Path]['body']) => run(() => post(path, fields)),
    onSuccess: onDone,
    onSettled: async () => {
      await client.refetchQueries({ queryKey: sessionQuery.queryKey, exact: true })
      await client.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
  })
}
