// Directory records: field descriptions, saving and deleting.
import type { DirectorySet } from '../../../src/app/contract/directory.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { del, post } from '../../api/client.ts'
import { replyQuery } from '../../api/reply-query.ts'

export function fieldsQuery(set: DirectorySet) {
  return replyQuery(['fields', set], 'directoryRecord', { params: { set }, staleTime: Infinity })
}

interface RecordChange {
  readonly method: 'POST' | 'DELETE'
  /** Includes the key, and `before` for an existing record. */
  readonly fields: Readonly<Record<string, string>>
}

export function useRecordMutation(set: DirectorySet, onSaved: (id: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ method, fields }: RecordChange) =>
      method === 'POST'
        ? post('directoryRecord', fields, { params: { set } })
        : del('directoryRecord', fields, { set }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['set'] })
      onSaved(String(id))
    },
  })
}
