// System status of the server.
import { appPaths } from '../../../src/app/contract/paths.ts'
import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: () => get(appPaths.system),
  staleTime: 10_000,
})
