// Webhooks of the company, and their deliveries.
import { appPaths } from '../../../src/app/contract/paths.ts'
import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

export const webhooksQuery = queryOptions({
  // Actions of administrators invalidate everything under this key.
  queryKey: ['administration', 'webhooks'],
  queryFn: () => get(appPaths.webhooks),
  refetchInterval: 5000,
})

export function deliveriesQuery(id: number) {
  return queryOptions({
    queryKey: ['administration', 'webhooks', id],
    queryFn: async () => (await get(appPaths.webhookDeliveries, { id })).rows,
    refetchInterval: 5000,
  })
}
