// Entries of the command palette: screens, actions, and directory records.
import type { DirectorySet, SetPage } from '../../src/app/contract/directory.ts'
import type { Session } from '../../src/app/contract/session.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { MantineColorScheme } from '@mantine/core'
import { setQuery, toText, type SetRow } from '../api/sets.ts'
import { toSearchFilter, listDefinitions } from '../features/directory/listings.ts'
import type { Texts } from '../i18n/nb.ts'
import { screensFor, type AppScreen } from './navigation.ts'

export type GroupName = 'screens' | 'actions' | 'Ansatt' | 'Prosjekt' | 'Avdeling'

export interface PaletteEntry {
  readonly id: string
  readonly group: GroupName
  readonly label: string
  readonly note: string
  readonly run: () => void
}

export interface PaletteActions {
  readonly go: (to: AppScreen['to'], search: Readonly<Record<string, string | boolean>>) => void
  readonly language: () => void
  readonly theme: (scheme: MantineColorScheme) => void
  readonly signOut: () => void
  readonly switchCompany: (company: string) => void
}

/** Entries that need no request. */
export function listEntries(
  session: Session,
  t: Texts,
  actions: PaletteActions,
): readonly PaletteEntry[] {
  const { actions: texts } = t.palette
  const may = (scope: string) => session.scopes.includes(scope)
  const entry = (id: string, label: string, run: () => void, note = ''): PaletteEntry => ({
    id,
    group: 'actions',
    label,
    note,
    run,
  })
  return [
    ...screensFor(session).map(({ to, name, shortcut }) => ({
      id: to,
      group: 'screens' as const,
      label: t.screens[name],
      note: `g ${shortcut}`,
      run: () => actions.go(to, {}),
    })),
    ...(may('material:write')
      ? [entry('usage', texts.registerMaterial, () => actions.go('/app/uttak', {}))]
      : []),
    ...(may('material:approve')
      ? [
          entry('anomalies', texts.anomalies, () =>
            actions.go('/app/godkjenning', { avvik: true }),
          ),
          entry('rejected', texts.rejected, () =>
            actions.go('/app/godkjenning', { liste: 'avvist' }),
          ),
        ]
      : []),
    ...(may('revenue:read')
      ? [
          entry('days', texts.days, () => actions.go('/app/omsetning', { vis: 'dager' })),
          entry('calendar', texts.calendar, () =>
            actions.go('/app/omsetning', { vis: 'kalender' }),
          ),
        ]
      : []),
    ...session.companies
      .filter((name) => name !== session.company)
      .map((name) =>
        entry(`company ${name}`, texts.company(name), () => actions.switchCompany(name)),
      ),
    entry('language', texts.language, actions.language),
    entry('dark', `${t.theme.label}: ${t.theme.dark}`, () => actions.theme('dark')),
    entry('light', `${t.theme.label}: ${t.theme.light}`, () => actions.theme('light')),
    entry('sign-out', t.signOut, actions.signOut),
  ]
}

/** Entries whose label contains every typed word, ignoring case. */
export function filterEntries(
  entries: readonly PaletteEntry[],
  typed: string,
): readonly PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/)
  return entries.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}

const searched = ['Ansatt', 'Prosjekt', 'Avdeling'] as const

/** Five per set; no request for a single letter. */
export function recordQueries(session: Session, typed: string) {
  return searched.map((set) => ({
    ...setQuery(set, {
      $select: set === 'Ansatt' ? 'Id,Fornavn,Etternavn,Tittel' : 'Id,Navn',
      $orderby: listDefinitions[set].order,
      $top: 5,
      $filter: toSearchFilter(listDefinitions[set].searched, typed),
    }),
    enabled: typed.length > 1 && session.scopes.includes('directory:read'),
  }))
}

export function toRecordEntries(
  found: readonly UseQueryResult<SetPage>[],
  open: (search: { liste: DirectorySet; id: string }) => void,
): readonly PaletteEntry[] {
  return searched.flatMap((set, index) => {
    const page = found[index]
    // Results for an earlier text are ignored.
    if (page?.data === undefined || page.isPlaceholderData) return []
    return page.data.value.map((row) => ({
      id: `${set} ${toText(row['Id'])}`,
      group: set,
      label: getRecordName(row),
      note: toText(row['Tittel']) || toText(row['Id']),
      run: () => open({ liste: set, id: toText(row['Id']) }),
    }))
  })
}

function getRecordName(row: SetRow): string {
  return toText(row['Navn']) || [row['Fornavn'], row['Etternavn']].map(toText).join(' ').trim()
}

/** Consecutive entries of one group, with the index of the first. */
export function groupEntries(
  entries: readonly PaletteEntry[],
): { readonly name: GroupName; readonly from: number; readonly members: PaletteEntry[] }[] {
  const groups: { name: GroupName; from: number; members: PaletteEntry[] }[] = []
  for (const [from, entry] of entries.entries()) {
    const last = groups.at(-1)
    if (last?.name === entry.group) last.members.push(entry)
    else groups.push({ name: entry.group, from, members: [entry] })
  }
  return groups
}
