// What happens in a company is told to those who asked: put where it waits, in the transaction of the act itself.
import { insertEvent } from '../../store/notifications/deliveries.ts'
import type { Writer } from '../../store/store.ts'

/** What can be told. A receiver that knows one of them ignores the others. */
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

export interface Told {
  readonly type: EventType
  /** Microseconds UTC. */
  readonly at: number
  /** Ids and counts, and nothing that a stranger should not read: bodies lie in logs of others. */
  readonly data: Readonly<Record<string, string | number | null | readonly number[]>>
}

/** One row for one act, however many records it touched, and none where nobody asked. */
export function tell(writer: Writer, companyId: number, { type, at, data }: Told): Promise<void> {
  return insertEvent(writer, { companyId, type, at, data: JSON.stringify(data) })
}

/** How many there are, and which, where they are few enough to be named. */
export function ofIds(ids: readonly number[]) {
  return {
    count: ids.length,
    ...(ids.length <= idsMax ? { ids } : {}),
  }
}

const idsMax = 1000
