// Queries and actions of the account screen.
import type { PostCalls } from '../../../src/app/contract/endpoints.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => get(appPaths.account),
  staleTime: 10_000,
})

/** Sends an action on the own account; `run` may re-authenticate first. Some actions replace the session. */
export function useAccountAction<Path extends keyof PostCalls>(
  path: Path,
  run: <Done>(work: () => Promise<Done>) => Promise<Done>,
  onDone: (reply: PostCalls[Path]['reply']) => void = () => {},
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (fields: PostCalls[Path]['body']) => run(() => post(path, fields)),
    onSuccess: onDone,
    onSettled: async () => {
      await client.refetchQueries({ queryKey: sessionQuery.queryKey, exact: true })
      await client.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
  })
}
