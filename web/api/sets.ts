// OData sets, read with the session.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ask, type Query } from './client.ts'

export type SetName = 'Ansatt' | 'Avdeling' | 'Prosjekt' | 'Anlegg'

export type Row = Readonly<Record<string, unknown>>

export interface Page {
  readonly '@odata.count'?: number
  readonly value: readonly Row[]
}

export function setQuery(set: SetName, query: Query) {
  return queryOptions({
    queryKey: ['set', set, query],
    queryFn: () => ask<Page>(`/app/les/${set}`, query),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

/** Department names by code. */
export const departmentsQuery = queryOptions({
  queryKey: ['set', 'departments'],
  queryFn: async () => {
    const { value } = await ask<Page>('/app/les/Avdeling', { $select: 'Id,Navn', $orderby: 'Id' })
    return new Map(value.map((row) => [String(row['Id']), textOf(row['Navn'])]))
  },
  staleTime: 300_000,
})

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}
