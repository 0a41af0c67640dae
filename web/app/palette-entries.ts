// Entries of the command palette: screens, actions, and directory records.
import type { UseQueryResult } from '@tanstack/react-query'
import type { MantineColorScheme } from '@mantine/core'
import { setQuery, textOf, type Page, type Row, type SetName } from '../api/sets.ts'
import type { Session } from '../api/session.ts'
import { filterFor, listings } from '../features/directory/listings.ts'
import type { Texts } from '../i18n/nb.ts'
import { placesFor, type Place } from './navigation.ts'

export type GroupName = 'screens' | 'actions' | 'Ansatt' | 'Prosjekt' | 'Avdeling'

export interface Entry {
  readonly id: string
  readonly group: GroupName
  readonly label: string
  readonly note: string
  readonly run: () => void
}

export interface Doing {
  readonly go: (to: Place['to'], search: Readonly<Record<string, string | boolean>>) => void
  readonly language: () => void
  readonly theme: (scheme: MantineColorScheme) => void
  readonly signOut: () => void
  readonly moveTo: (company: string) => void
}

/** Entries that need no request. */
export function entriesOf(session: Session, say: Texts, doing: Doing): readonly Entry[] {
  const { acts } = say.palette
  const may = (scope: string) => session.scopes.includes(scope)
  const act = (id: string, label: string, run: () => void, note = ''): Entry => ({
    id,
    group: 'actions',
    label,
    note,
    run,
  })
  return [
    ...placesFor(session).map(({ to, name, letter }) => ({
      id: to,
      group: 'screens' as const,
      label: say.screens[name],
      note: `g ${letter}`,
      run: () => doing.go(to, {}),
    })),
    ...(may('material:write') ? [act('usage', acts.usage, () => doing.go('/app/uttak', {}))] : []),
    ...(may('material:approve')
      ? [
          act('anomalies', acts.odd, () => doing.go('/app/godkjenning', { avvik: true })),
          act('rejected', acts.rejected, () => doing.go('/app/godkjenning', { liste: 'avvist' })),
        ]
      : []),
    ...(may('revenue:read')
      ? [
          act('days', acts.days, () => doing.go('/app/omsetning', { vis: 'dager' })),
          act('calendar', acts.calendar, () => doing.go('/app/omsetning', { vis: 'kalender' })),
        ]
      : []),
    ...session.companies
      .filter((name) => name !== session.company)
      .map((name) => act(`company ${name}`, acts.company(name), () => doing.moveTo(name))),
    act('language', acts.language, doing.language),
    act('dark', `${say.theme.label}: ${say.theme.dark}`, () => doing.theme('dark')),
    act('light', `${say.theme.label}: ${say.theme.light}`, () => doing.theme('light')),
    act('sign-out', say.signOut, doing.signOut),
  ]
}

/** Entries whose label contains every typed word, ignoring case. */
export function fitting(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = typed.toLowerCase().split(/\s+/)
  return entries.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}

const searched = ['Ansatt', 'Prosjekt', 'Avdeling'] as const

/** Five per set; no request for a single letter. */
export function recordQueries(session: Session, typed: string) {
  return searched.map((set) => ({
    ...setQuery(set, {
      $select: set === 'Ansatt' ? 'Id,Fornavn,Etternavn,Tittel' : 'Id,Navn',
      $orderby: listings[set].order,
      $top: 5,
      $filter: filterFor(listings[set].searched, typed),
    }),
    enabled: typed.length > 1 && session.scopes.includes('directory:read'),
  }))
}

export function recordsIn(
  found: readonly UseQueryResult<Page>[],
  open: (search: { liste: SetName; id: string }) => void,
): readonly Entry[] {
  return searched.flatMap((set, index) => {
    const page = found[index]
    // Results for an earlier text are ignored.
    if (page?.data === undefined || page.isPlaceholderData) return []
    return page.data.value.map((row) => ({
      id: `${set} ${textOf(row['Id'])}`,
      group: set,
      label: nameOf(row),
      note: textOf(row['Tittel']) || textOf(row['Id']),
      run: () => open({ liste: set, id: textOf(row['Id']) }),
    }))
  })
}

function nameOf(row: Row): string {
  return textOf(row['Navn']) || [row['Fornavn'], row['Etternavn']].map(textOf).join(' ').trim()
}

/** Consecutive entries of one group, with the index of the first. */
export function groupsOf(
  entries: readonly Entry[],
): { readonly name: GroupName; readonly from: number; readonly members: Entry[] }[] {
  const groups: { name: GroupName; from: number; members: Entry[] }[] = []
  for (const [from, entry] of entries.entries()) {
    const last = groups.at(-1)
    if (last?.name === entry.group) last.members.push(entry)
    else groups.push({ name: entry.group, from, members: [entry] })
  }
  return groups
}
