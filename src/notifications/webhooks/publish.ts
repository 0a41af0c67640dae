// Event publishing: queues webhook events in the transaction that causes them.
import { insertEvent } from '../../store/notifications/deliveries.ts'
import type { Writer } from '../../store/store.ts'

/** All event types. Receivers must ignore types they do not know. */
export const eventTypes = [
  'transaction.registered',
  'transaction.approved',
  'transaction.rejected',
  'export.ready',
  'export.marked',
  'export.undone',
  'export.stalled',
  'revenue.changed',
] as const

export type EventType = (typeof eventTypes)[number]

export interface WebhookEvent {
  readonly type: EventType
  /** Microseconds UTC. */
  readonly at: number
  /** Ids and counts only, never record contents, because receivers may log the body. */
  readonly data: Readonly<Record<string, string | number | null | readonly number[]>>
}

/** Inserts one event per action, however many records it changed, and none without a subscribed webhook. */
export function publishEvent(
  writer: Writer,
  companyId: number,
  { type, at, data }: WebhookEvent,
): Promise<void> {
  return insertEvent(writer, { companyId, type, at, data: JSON.stringify(data) })
}

/** The count, and the ids when there are at most 1000. */
export function idsSummary(ids: readonly number[]) {
  return {
    count: ids.length,
    ...(ids.length <= idsMax ? { ids } : {}),
  }
}

const idsMax = 1000
