// Webhooks of the company, and what each was told.
import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'

export interface Delivery {
  readonly id: number
  readonly type: string
  readonly at: number
  readonly attempts: number
  /** Of the last answer. */
  readonly status: number | null
  readonly problem: string | null
  readonly deliveredAt: number | null
  /** Null where it is over. */
  readonly nextAt: number | null
}

export interface Webhook {
  readonly id: number
  /** Without what follows `?`. */
  readonly url: string
  /** None for all. */
  readonly events: readonly string[]
  readonly createdAt: number
  readonly disabledAt: number | null
  /** Until when the secret before signs as well. */
  readonly bothUntil: number | null
  readonly last: Delivery | null
}

/** What the server shows in one answer, and keeps sealed. */
export interface MadeSecret {
  readonly url: string
  readonly secret: string
}

interface Webhooks {
  /** All that can be told. */
  readonly events: readonly string[]
  readonly webhooks: readonly Webhook[]
}

const path = '/app/data/administrasjon/webhooks'

export const webhooksQuery = queryOptions({
  // Acts of administrators refresh whatever stands under their name.
  queryKey: ['administration', 'webhooks'],
  queryFn: () => ask<Webhooks>(path),
  refetchInterval: 5000,
})

export function deliveriesQuery(id: number) {
  return queryOptions({
    queryKey: ['administration', 'webhooks', id],
    queryFn: async () => (await ask<{ rows: Delivery[] }>(`${path}/leveranser`, { id })).rows,
    refetchInterval: 5000,
  })
}
