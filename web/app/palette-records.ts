// Entries of the command palette for directory records and material lines, found by the server.
import type { SetPage } from '../../src/app/contract/directory.ts'
import type { Scope, Session } from '../../src/app/contract/session.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { addDays } from '../api/days.ts'
import type { Formatter } from '../api/format.ts'
import type { QueryParams } from '../api/client.ts'
import { getDisplayName, setQuery, toText, type SetRow } from '../api/sets.ts'
import { toSearchFilter, listDefinitions } from '../features/directory/listings.ts'
import type { AppScreen } from './navigation.ts'
import type { GroupName, PaletteActions, PaletteEntry, Search } from './palette-entries.ts'

interface SearchedSet {
  readonly group: Exclude<GroupName, 'screens' | 'actions' | 'days'>
  readonly scope: Scope
  readonly query: (typed: string, today: string) => QueryParams
  readonly target: (id: string) => readonly [to: AppScreen['to'], search: Search]
}

const searched: readonly SearchedSet[] = [
  ...(['Ansatt', 'Prosjekt', 'Avdeling'] as const).map((set): SearchedSet => ({
    group: set,
    scope: 'directory:read',
    query: (typed) => ({
      $select: set === 'Ansatt' ? 'Id,Fornavn,Etternavn,Tittel' : 'Id,Navn',
      $orderby: listDefinitions[set].order,
      $filter: toSearchFilter(listDefinitions[set].searched, typed),
    }),
    target: (id) => ['/app/register', { liste: set, id }],
  })),
  {
    group: 'Transaksjon',
    scope: 'material:read',
    query: (typed, today) => ({
      $select: 'Id,Varenavn,VareId,Dato',
      $orderby: 'Dato desc,Id desc',
      // By text only the last days, because there may be millions of lines.
      $filter: /^\d{1,15}$/.test(typed)
        ? `Id eq ${typed}`
        : `Dato ge ${addDays(today, -searchedDays)} and (${toSearchFilter(['Varenavn', 'VareId'], typed)})`,
    }),
    target: (id) => ['/app/godkjenning', { linje: Number(id) }],
  },
]

const searchedDays = 90

/** Five per set; no request for a single letter. */
export function recordQueries({ scopes, departments, today }: Session, typed: string) {
  return searched.map(({ group, scope, query }) => ({
    ...setQuery(group, { ...query(typed, today), $top: 5 }),
    enabled:
      typed.length > 1 &&
      scopes.includes(scope) &&
      // Who approves some departments cannot open the lines of others.
      (group !== 'Transaksjon' || departments === null),
  }))
}

export function toRecordEntries(
  found: readonly UseQueryResult<SetPage>[],
  format: Formatter,
  { go }: PaletteActions,
): readonly PaletteEntry[] {
  return searched.flatMap(({ group, target }, index) => {
    const page = found[index]
    // Results for an earlier text are ignored.
    if (page?.data === undefined || page.isPlaceholderData) return []
    return page.data.value.map((row) => ({
      group,
      // A line has no name, but its item.
      label: getDisplayName(row) || toText(row['Varenavn']) || toText(row['VareId']),
      note: getRecordNote(row, format),
      run: () => go(...target(toText(row['Id']))),
    }))
  })
}

function getRecordNote(row: SetRow, format: Formatter): string {
  const day = toText(row['Dato'])
  return day === '' ? toText(row['Tittel']) || toText(row['Id']) : format.day(day)
}
