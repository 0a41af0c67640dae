// One record of the directory: its fields, and storing or removing it.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { act, ask } from '../../api/client.ts'
import type { ImportField } from '../imports/api.ts'
import type { SetName } from '../../api/sets.ts'

export interface RecordField extends ImportField {
  /** The longest text. */
  readonly max: number | null
  /** The set that it refers to. */
  readonly set: SetName | null
}

export interface RecordFields {
  /** The field that names a record. */
  readonly key: string
  readonly fields: readonly RecordField[]
}

export function fieldsQuery(set: SetName) {
  return queryOptions({
    queryKey: ['fields', set],
    queryFn: () => ask<RecordFields>(`/app/data/register/${set}`),
    staleTime: Infinity,
  })
}

interface Saved {
  readonly method: 'POST' | 'DELETE'
  /** With the key, and `before` where the record is there. */
  readonly fields: Readonly<Record<string, string>>
}

export function useSavingRecord(set: SetName, onSaved: (id: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ method, fields }: Saved) =>
      act<{ id: string | number }>(method, `/app/data/register/${set}`, fields),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['set'] })
      onSaved(String(id))
    },
  })
}
