// Directory records: field descriptions, saving and deleting.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { request, get } from '../../api/client.ts'
import type { ImportField } from '../imports/api.ts'
import type { SetName } from '../../api/sets.ts'

export interface RecordField extends ImportField {
  /** Maximum length. */
  readonly max: number | null
  /** The set that it references. */
  readonly set: SetName | null
}

export interface RecordFields {
  /** Name of the key field. */
  readonly key: string
  readonly fields: readonly RecordField[]
}

export function fieldsQuery(set: SetName) {
  return queryOptions({
    queryKey: ['fields', set],
    queryFn: () => get<RecordFields>(`/app/data/register/${set}`),
    staleTime: Infinity,
  })
}

interface RecordChange {
  readonly method: 'POST' | 'DELETE'
  /** Includes the key, and `before` for an existing record. */
  readonly fields: Readonly<Record<string, string>>
}

export function useRecordMutation(set: SetName, onSaved: (id: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ method, fields }: RecordChange) =>
      request<{ id: string | number }>(method, `/app/data/register/${set}`, fields),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['set'] })
      onSaved(String(id))
    },
  })
}
