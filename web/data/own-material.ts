// What somebody registered, and registering it.
import { queryOptions } from '@tanstack/react-query'
import { act, ask } from './ask.ts'
import { keeping } from './kept.ts'
import { everyUnlessLive } from './live.ts'
import { sendOrKeep } from './outbox.ts'
import type { Session } from './session.ts'

export interface OwnLine {
  readonly id: number
  readonly date: string
  readonly departmentId: string | null
  readonly projectId: string | null
  readonly projectName: string | null
  readonly itemId: string | null
  readonly itemName: string | null
  /** Ten-thousandths. */
  readonly quantity: number
  readonly unit: string | null
  readonly remark: string | null
  readonly state: 'Registrert' | 'Godkjent' | 'Avvist' | 'Eksportert'
  readonly rejectionReason: string | null
  readonly decidedBy: string | null
}

export interface UsedItem {
  readonly itemId: string | null
  readonly itemName: string | null
  readonly unit: string | null
  readonly salesPrice: number | null
}

export const ownQuery = queryOptions({
  queryKey: ['material', 'own'],
  queryFn: () =>
    keeping('own', () => ask<{ rows: OwnLine[]; items: UsedItem[] }>('/app/data/uttak/mine')),
  staleTime: 10_000,
  refetchInterval: everyUnlessLive(60_000),
})

export interface NewLine {
  readonly date: string
  readonly itemId: string | null
  readonly itemName: string
  readonly quantity: string
  readonly unit: string
  readonly salesPrice: string | null
  readonly projectId: string
  readonly departmentId: string | null
  readonly remark: string
}

export const changeLine = (id: number, line: NewLine): Promise<{ id: number }> =>
  act('POST', `/app/data/uttak/mine/${id}`, line)

/** Null where it waits for the net; `label` says what waits. */
export const registerLine = (
  line: NewLine,
  label: string,
  session: Session,
): Promise<{ id: number } | null> =>
  sendOrKeep<{ id: number }>(
    {
      key: crypto.randomUUID(),
      kind: 'line',
      label,
      ids: [],
      path: '/app/data/uttak/mine',
      body: line,
    },
    session,
  )

export const deleteLine = (id: number): Promise<null> => act('DELETE', `/app/data/uttak/mine/${id}`)
