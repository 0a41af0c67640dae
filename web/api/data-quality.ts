// Data quality of revenue: duplicates, missing days, unknown codes, and fixing them.
import { appPaths } from '../../src/app/contract/paths.ts'
import { queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'

export const dataIssuesQuery = queryOptions({
  queryKey: ['revenue', 'untidy'],
  queryFn: () => get(appPaths.revenueTidying),
  staleTime: 15_000,
})
