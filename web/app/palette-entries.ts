// Entries of the command palette that need no request: screens, actions and days.
import type { Language, Role, Scope, Session } from '../../src/app/contract/session.ts'
import type { MantineColorScheme } from '@mantine/core'
import type { Formatter } from '../api/format.ts'
import type { Texts } from '../i18n/frame.ts'
import { screensFor, type AppScreen } from './navigation.ts'
import { parseTypedDay } from '../api/typed-day.ts'
import { createWordFilter } from '../api/words.ts'

export type GroupName = keyof Texts['palette']['groups'] | 'Ansatt' | 'Prosjekt' | 'Avdeling'

export interface PaletteEntry {
  readonly group: GroupName
  readonly label: string
  readonly note?: string
  /** Keys that do the same; hidden on a phone. */
  readonly keys?: string
  /** What it does may fail: the palette closes afterwards. */
  readonly staysOpen?: true
  readonly run: () => void
}

export type Search = Readonly<Record<string, string | number | boolean>>

export interface PaletteActions {
  readonly go: (to: AppScreen['to'], search: Search) => void
  readonly language: () => void
  readonly theme: (scheme: MantineColorScheme) => void
  readonly signOut: () => void
  readonly switchCompany: (company: string) => void
}

/** Actions that a screen opens with, by their texts: for a scope or for a role. */
const links: readonly (readonly [
  name: keyof Texts['palette']['links'],
  access: Scope | Role,
  to: AppScreen['to'],
  search: Search,
])[] = [
  ['registerMaterial', 'material:write', '/app/uttak', {}],
  ['anomalies', 'material:approve', '/app/godkjenning', { avvik: true }],
  ['approveUsual', 'material:approve', '/app/godkjenning', { merket: 'uten-avvik' }],
  ['rejected', 'material:approve', '/app/godkjenning', { liste: 'avvist' }],
  ['readyForExport', 'material:read', '/app/eksport', { liste: 'venter' }],
  ['failedExport', 'material:read', '/app/eksport', { liste: 'feil' }],
  ['reconcile', 'material:read', '/app/eksport', { vis: 'avstemming' }],
  ['days', 'revenue:read', '/app/omsetning', { vis: 'dager' }],
  ['calendar', 'revenue:read', '/app/omsetning', { vis: 'kalender' }],
  ['invite', 'admin', '/app/administrasjon', { vis: 'personer', inviter: '' }],
]

export function listEntries(session: Session, t: Texts, actions: PaletteActions): readonly PaletteEntry[] {
  const action = (label: string, run: () => void): PaletteEntry => ({ group: 'actions', label, run })
  return [
    ...screensFor(session).map(({ to, name, shortcut }) => ({
      group: 'screens' as const,
      label: t.screens[name],
      keys: `g ${shortcut}`,
      run: () => actions.go(to, {}),
    })),
    ...links
      .filter(([, access]) => [...session.scopes, session.role].includes(access))
      // The receiver's list has lines of every department.
      .filter(([name]) => name !== 'reconcile' || session.departments === null)
      .map(([name, , to, search]) => action(t.palette.links[name], () => actions.go(to, search))),
    ...session.companies
      .filter((name) => name !== session.company)
      .map((name) => ({
        ...action(t.palette.company(name), () => actions.switchCompany(name)),
        staysOpen: true as const,
      })),
    action(t.palette.language, actions.language),
    ...(['dark', 'light'] as const).map((theme) =>
      action(`${t.theme.label}: ${t.theme[theme]}`, () => actions.theme(theme)),
    ),
    action(t.signOut, actions.signOut),
  ]
}

/** Entries whose label contains every typed word, ignoring case. */
export function filterEntries(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const isWanted = createWordFilter(typed)
  return entries.filter(({ label }) => isWanted(label))
}

/** What the typed text itself means: a day, or an invitation with its address. */
export function typedEntries(
  typed: string,
  { session, language, t, format }: { session: Session; language: Language; t: Texts; format: Formatter },
  { go }: PaletteActions,
): readonly PaletteEntry[] {
  // A number is that of a line.
  const isDayRead = session.scopes.includes('revenue:read') && !/^\d+$/.test(typed)
  const day = isDayRead ? parseTypedDay(typed, session.today, language) : null
  const email = session.role === 'admin' ? /^invit\w+\s+(\S+@\S+)$/i.exec(typed.trim())?.[1] : undefined
  const entries: readonly (PaletteEntry | false)[] = [
    day !== null && {
      group: 'days',
      label: format.day(day, 'long'),
      run: () => go('/app/omsetning', { vis: 'dager', dag: day }),
    },
    email !== undefined && {
      group: 'actions',
      label: `${t.palette.links.invite}: ${email}`,
      run: () => go('/app/administrasjon', { vis: 'personer', inviter: email }),
    },
  ]
  return entries.filter((entry) => entry !== false)
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
