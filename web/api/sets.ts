// OData sets, read with the session.
import type { DirectorySet } from '../../src/app/contract/directory.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, type QueryParams } from './client.ts'

export type SetRow = Readonly<Record<string, unknown>>

export function setQuery(set: DirectorySet | 'Transaksjon', query: QueryParams) {
  return queryOptions({
    queryKey: ['set', set, query],
    queryFn: () => get('read', { set, ...query }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

export async function fetchAllRows(set: DirectorySet | 'Omsetning', query: QueryParams): Promise<SetRow[]> {
  const rows: SetRow[] = []
  for (;;) {
    const { value } = await get('read', { set, ...query, $skip: rows.length, $top: rowsPerPage })
    rows.push(...value)
    if (value.length < rowsPerPage) return rows
  }
}

/** The largest page of the server. */
const rowsPerPage = 1000

export function setPagesQuery(set: DirectorySet, query: QueryParams, $top: number) {
  return infiniteQueryOptions({
    queryKey: ['set', set, query, $top],
    queryFn: async ({ pageParam: $skip }) => {
      const page = await get('read', { set, ...query, $count: 'true', $top, $skip })
      return { rows: page.value, count: page['@odata.count'] ?? 0 }
    },
    initialPageParam: 0,
    getNextPageParam: ({ count }, _pages, $skip) => ($skip + $top < count ? $skip + $top : null),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

/** Department names by code. */
export const departmentsQuery = queryOptions({
  queryKey: ['set', 'departments'],
  queryFn: async () => {
    const { value } = await get('read', { set: 'Avdeling', $select: 'Id,Navn', $orderby: 'Id' })
    return new Map(value.map(toChoice))
  },
  staleTime: 300_000,
})

export function toChoice(row: SetRow): readonly [code: string, name: string] {
  return [toText(row['Id']), getDisplayName(row)]
}

export function getDisplayName(record: object): string {
  const fields = new Map<string, unknown>(Object.entries(record))
  const person = [fields.get('Fornavn'), fields.get('Etternavn')].map(toText).join(' ').trim()
  return toText(fields.get('Navn')) || person
}

export function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
