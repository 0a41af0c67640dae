// The companies of the server, for its operator.
import { appPaths } from '../../../src/app/contract/paths.ts'
import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

export const companiesQuery = queryOptions({
  // Actions of administrators invalidate everything under this key.
  queryKey: ['administration', 'companies'],
  queryFn: () => get(appPaths.companies),
  staleTime: 10_000,
})
