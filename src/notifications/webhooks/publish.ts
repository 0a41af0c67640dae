// Event publishing: queues webhook events in the transaction that causes them.
import type { ActionContext } from '../../auth/action-context.ts'
import { insertEvent, isSubscribed } from '../../store/notifications/deliveries.ts'
import type { Transaction, Writer } from '../../store/store.ts'

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
  readonly data: Readonly<Record<string, string | number | null | readonly EventId[]>>
}

/** The key of a record; departments, projects and sites have text keys. */
type EventId = string | number

/**
 * Asks for the subscribers of a change before it is made, on PostgreSQL: in the message that reads the records. Where asking
 * fails, so does publishing.
 */
export function expectChange(transaction: Transaction, type: EventType): void {
  if (transaction.dialect === 'sqlite') return
  const reply = isSubscribed(transaction, { companyId: transaction.companyId, type })
  if (reply instanceof Promise) reply.catch(() => undefined)
}

/** Publishes one event for the records that an action changed, with at most 1000 ids; none when `ids` is empty. */
export async function publishChange(
  transaction: Transaction,
  { actor, requestId, now }: ActionContext,
  type: EventType,
  ids: readonly EventId[],
  extraData: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  if (ids.length === 0 || !(await isSubscribed(transaction, { companyId: transaction.companyId, type }))) return
  const listed = ids.length <= idsMax ? { ids } : {}
  const data = { count: ids.length, ...listed, ...extraData, actor, requestId }
  await insertEvent(transaction, { companyId: transaction.companyId, type, at: now, data: JSON.stringify(data) })
}

const idsMax = 1000

/** Inserts one event per action, however many records it changed, and none without a subscribed webhook. */
export async function publishEvent(writer: Writer, companyId: number, event: WebhookEvent): Promise<void> {
  const { type, at, data } = event
  if (await isSubscribed(writer, { companyId, type }))
    await insertEvent(writer, { companyId, type, at, data: JSON.stringify(data) })
}
