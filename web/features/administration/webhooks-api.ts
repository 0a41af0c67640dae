// Webhooks of the company, and their deliveries.
import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

export interface Delivery {
  readonly id: number
  readonly type: string
  readonly at: number
  readonly attempts: number
  /** HTTP status of the last response. */
  readonly status: number | null
  readonly problem: string | null
  readonly deliveredAt: number | null
  /** Null when no further attempt is made. */
  readonly nextAt: number | null
}

export interface Webhook {
  readonly id: number
  /** Without the query string. */
  readonly url: string
  /** Empty for all. */
  readonly events: readonly string[]
  readonly createdAt: number
  readonly disabledAt: number | null
  /** Until when the previous secret also signs. */
  readonly bothUntil: number | null
  readonly last: Delivery | null
}

/** Shown once; the server stores it encrypted. */
export interface CreatedWebhookSecret {
  readonly url: string
  readonly secret: string
}

interface WebhookList {
  /** All event types. */
  readonly events: readonly string[]
  readonly webhooks: readonly Webhook[]
}

const path = '/app/data/administrasjon/webhooks'

export const webhooksQuery = queryOptions({
  // Actions of administrators invalidate everything under this key.
  queryKey: ['administration', 'webhooks'],
  queryFn: () => get<WebhookList>(path),
  refetchInterval: 5000,
})

export function deliveriesQuery(id: number) {
  return queryOptions({
    queryKey: ['administration', 'webhooks', id],
    queryFn: async () => (await get<{ rows: Delivery[] }>(`${path}/leveranser`, { id })).rows,
    refetchInterval: 5000,
  })
}
