// Own material lines: list, register, change, delete.
import { queryOptions } from '@tanstack/react-query'
import { request, get } from '../../api/client.ts'
import type { ListedItem, UsedItem } from './listed-item.ts'
import { saveToCache, fetchWithCache, readCachedText } from '../../api/local-cache.ts'
import { pollUnlessLive } from '../../api/live.ts'
import { sendOrQueue } from '../../api/outbox.ts'
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

export interface OwnMaterial {
  readonly rows: readonly OwnLine[]
  readonly items: readonly ListedItem[]
}

export const ownMaterialQuery = queryOptions({
  queryKey: ['material', 'own'],
  queryFn: () => fetchWithCache('own', () => get<OwnMaterial>('/app/data/uttak/mine')),
  staleTime: 10_000,
  refetchInterval: pollUnlessLive(60_000),
})

export interface ProjectAndDepartment {
  readonly projectId: string
  readonly departmentId: string
}

/** Project and department of the last line: of this browser, or of the user's latest line. */
export function getLastProjectAndDepartment(
  { company }: Session,
  [latest]: readonly OwnLine[],
): ProjectAndDepartment {
  const cached: ProjectAndDepartment | null = JSON.parse(
    readCachedText(getCacheName(company)) ?? 'null',
  )
  return cached ?? { projectId: latest?.projectId ?? '', departmentId: latest?.departmentId ?? '' }
}

export function saveLastProjectAndDepartment(
  { company }: Session,
  { projectId, departmentId }: ProjectAndDepartment,
): void {
  return saveToCache(getCacheName(company), { projectId, departmentId })
}

function getCacheName(company: string): string {
  return `place-${company}`
}

export interface NewLine extends ProjectAndDepartment {
  readonly date: string
  readonly itemId: string | null
  readonly itemName: string
  readonly quantity: string
  readonly unit: string
  readonly salesPrice: string | null
  readonly remark: string
}

export function changeLine(id: number, line: NewLine): Promise<{ id: number }> {
  return request('POST', `/app/data/uttak/mine/${id}`, line)
}

/** Null when queued until online; `label` describes it in the outbox. */
export function registerLine(
  line: NewLine,
  label: string,
  session: Session,
): Promise<{ id: number } | null> {
  return sendOrQueue<{ id: number }>(
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
  return request('DELETE', `/app/data/uttak/mine/${id}`)
}
