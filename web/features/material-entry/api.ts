// Own material lines: list, register, change, delete.
import { queryOptions } from '@tanstack/react-query'
import { act, ask } from '../../api/client.ts'
import type { ListedItem, UsedItem } from './listed-item.ts'
import { keep, keeping, keptText } from '../../api/local-cache.ts'
import { everyUnlessLive } from '../../api/live.ts'
import { sendOrKeep } from '../../api/outbox.ts'
import type { Session } from '../../api/session.ts'

export interface OwnLine extends UsedItem {
  readonly id: number
  readonly date: string
  readonly departmentId: string | null
  readonly projectId: string | null
  readonly projectName: string | null
  /** Ten-thousandths. */
  readonly quantity: number
  readonly remark: string | null
  readonly state: 'Registrert' | 'Godkjent' | 'Avvist' | 'Eksportert'
  readonly rejectionReason: string | null
  readonly decidedBy: string | null
}

export interface Own {
  readonly rows: readonly OwnLine[]
  readonly items: readonly ListedItem[]
}

export const ownQuery = queryOptions({
  queryKey: ['material', 'own'],
  queryFn: () => keeping('own', () => ask<Own>('/app/data/uttak/mine')),
  staleTime: 10_000,
  refetchInterval: everyUnlessLive(60_000),
})

export interface Place {
  readonly projectId: string
  readonly departmentId: string
}

/** Project and department of the last line: of this browser, or of the user's latest line. */
export function lastPlace({ company }: Session, [latest]: readonly OwnLine[]): Place {
  const kept: Place | null = JSON.parse(keptText(placeOf(company)) ?? 'null')
  return kept ?? { projectId: latest?.projectId ?? '', departmentId: latest?.departmentId ?? '' }
}

export function keepPlace({ company }: Session, { projectId, departmentId }: Place): void {
  return keep(placeOf(company), { projectId, departmentId })
}

function placeOf(company: string): string {
  return `place-${company}`
}

export interface NewLine extends Place {
  readonly date: string
  readonly itemId: string | null
  readonly itemName: string
  readonly quantity: string
  readonly unit: string
  readonly salesPrice: string | null
  readonly remark: string
}

export function changeLine(id: number, line: NewLine): Promise<{ id: number }> {
  return act('POST', `/app/data/uttak/mine/${id}`, line)
}

/** Null when queued until online; `label` describes it in the outbox. */
export function registerLine(
  line: NewLine,
  label: string,
  session: Session,
): Promise<{ id: number } | null> {
  return sendOrKeep<{ id: number }>(
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
}

export function deleteLine(id: number): Promise<null> {
  return act('DELETE', `/app/data/uttak/mine/${id}`)
}
