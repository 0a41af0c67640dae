// Queries and actions of the administration screen.
import type { PostCalls } from '../../../src/app/contract/endpoints.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post } from '../../api/client.ts'
import { useReauthentication } from '../../components/Reauthenticate.tsx'

export const administrationQuery = queryOptions({
  queryKey: ['administration'],
  queryFn: () => get(appPaths.administration),
  staleTime: 10_000,
})

/** A request to one of these paths, with its fields. */
type PostRequest<Path extends keyof PostCalls> = Path extends keyof PostCalls
  ? { readonly path: Path; readonly fields: PostCalls[Path]['body'] }
  : never

/** Sends an action of an administrator; asks for the password where the server requires it. */
export function useAdminAction<Path extends keyof PostCalls = keyof PostCalls>(
  onDone: (reply: PostCalls[Path]['reply']) => void,
) {
  const client = useQueryClient()
  const { run } = useReauthentication()
  return useMutation({
    mutationFn: ({ path, fields }: PostRequest<Path>) => run(() => post(path, fields)),
    onSuccess: onDone,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['administration'] }),
        client.invalidateQueries({ queryKey: ['audit'] }),
      ]),
  })
}
