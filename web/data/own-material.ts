// What somebody registered, and registering it.
import { queryOptions } from '@tanstack/react-query'
import { act, ask } from './ask.ts'
import type { ListedItem, UsedItem } from './items.ts'
import { keep, keeping, keptText } from './kept.ts'
import { everyUnlessLive } from './live.ts'
import { sendOrKeep } from './outbox.ts'
import type { Session } from './session.ts'
import { textOf, type Page } from './sets.ts'

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

/** Codes with their names. */
export interface Places {
  readonly projects: readonly (readonly [string, string])[]
  readonly departments: readonly (readonly [string, string])[]
}

/** Where material may be used; known without a net too. */
export const placesQuery = queryOptions({
  queryKey: ['set', 'places'],
  queryFn: () =>
    keeping('places', async (): Promise<Places> => {
      const [projects, departments] = await Promise.all(
        ['Prosjekt', 'Avdeling'].map(async (set) => {
          const { value } = await ask<Page>(`/app/les/${set}`, {
            $select: 'Id,Navn',
            $orderby: 'Id',
          })
          return value.map((row) => [textOf(row['Id']), textOf(row['Navn'])] as const)
        }),
      )
      return { projects: projects ?? [], departments: departments ?? [] }
    }),
  staleTime: 300_000,
})

export interface Place {
  readonly projectId: string
  readonly departmentId: string
}

/** Where the last line was for: on this machine, or as the latest line of the person says. */
export const lastPlace = ({ company }: Session, [latest]: readonly OwnLine[]): Place => {
  const kept: Place | null = JSON.parse(keptText(placeOf(company)) ?? 'null')
  return kept ?? { projectId: latest?.projectId ?? '', departmentId: latest?.departmentId ?? '' }
}

export const keepPlace = ({ company }: Session, { projectId, departmentId }: Place): void =>
  keep(placeOf(company), { projectId, departmentId })

const placeOf = (company: string): string => `place-${company}`

export interface NewLine extends Place {
  readonly date: string
  readonly itemId: string | null
  readonly itemName: string
  readonly quantity: string
  readonly unit: string
  readonly salesPrice: string | null
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
