// Own material lines: list, register, change, delete.
import type { Session } from '../../../src/app/contract/session.ts'
import type { NewLine, OwnMaterialRow } from '../../../src/app/contract/material-entry.ts'
import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import type { CodeChoices } from '../../api/directory-codes.ts'
import { saveToCache, fetchWithCache, readCachedText } from '../../api/local-cache.ts'
import { pollUnlessLive } from '../../api/live.ts'
import { sendOrQueue } from '../../api/outbox.ts'

export const ownMaterialQuery = queryOptions({
  queryKey: ['material', 'own'],
  queryFn: () => fetchWithCache('own', () => get('ownMaterial')),
  staleTime: 10_000,
  refetchInterval: pollUnlessLive(60_000),
})

export interface ProjectAndDepartment {
  readonly projectId: string
  readonly departmentId: string
}

/** The choices of the latest lines come first. */
export function putLatestFirst(
  rows: readonly OwnMaterialRow[],
  name: keyof ProjectAndDepartment,
  choices: CodeChoices = [],
): CodeChoices {
  const codes = [...new Set(rows.map((row) => row[name]))].slice(0, 5)
  return [...new Set([...codes.flatMap((code) => choices.filter(([one]) => one === code)), ...choices])]
}

/** Project and department of the last line: of this browser, or of the user's latest line. */
export function getLastProjectAndDepartment(
  { company }: Session,
  [latest]: readonly OwnMaterialRow[],
): ProjectAndDepartment {
  const cached: ProjectAndDepartment | null = JSON.parse(readCachedText(getCacheName(company)) ?? 'null')
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

/** Null when queued until online; `label` describes it in the outbox. */
export function registerLine(line: NewLine, label: string, session: Session): Promise<{ id: number } | null> {
  return sendOrQueue({ key: crypto.randomUUID(), label, ids: [], endpoint: 'ownMaterial', body: line }, session)
}
