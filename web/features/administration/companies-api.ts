// Queries and actions of the operator on companies.
import type { PostCalls } from '../../../src/app/contract/endpoints.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post } from '../../api/client.ts'
import { useReauthentication } from '../../components/Reauthenticate.tsx'

export const companiesQuery = queryOptions({
  queryKey: ['companies'],
  queryFn: () => get(appPaths.companies),
  staleTime: 10_000,
})

export function useCompanyAction<
  Path extends
    | typeof appPaths.companyAdd
    | typeof appPaths.companyClose
    | typeof appPaths.companyOpen,
>(path: Path, onDone: (reply: PostCalls[Path]['reply']) => void) {
  const client = useQueryClient()
  const { run } = useReauthentication()
  return useMutation({
    mutationFn: (fields: PostCalls[Path]['body']) => run(() => post(path, fields)),
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: companiesQuery.queryKey }),
  })
}
