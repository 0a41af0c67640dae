// Saved views: named filters of a user, per screen.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { request, get } from './client.ts'

export interface SavedView {
  readonly screen: string
  readonly name: string
  /** The query string, including the question mark. */
  readonly search: string
}

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async () => (await get<{ views: SavedView[] }>('/app/data/visninger')).views,
  staleTime: 300_000,
})

export function useSavedViewMutations() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries(viewsQuery)
  const save = useMutation({
    mutationFn: (view: SavedView) => request('POST', '/app/data/visninger', view),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: ({ screen, name }: SavedView) =>
      request('DELETE', '/app/data/visninger', { screen, name }),
    onSettled,
  })
  return { keep: save, drop: remove }
}
