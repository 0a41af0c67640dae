// Saved views: named filters of a user, per screen.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { act, ask } from './client.ts'

export interface SavedView {
  readonly screen: string
  readonly name: string
  /** The query string, including the question mark. */
  readonly search: string
}

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async () => (await ask<{ views: SavedView[] }>('/app/data/visninger')).views,
  staleTime: 300_000,
})

export function useViews() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries(viewsQuery)
  const keep = useMutation({
    mutationFn: (view: SavedView) => act('POST', '/app/data/visninger', view),
    onSettled,
  })
  const drop = useMutation({
    mutationFn: ({ screen, name }: SavedView) =>
      act('DELETE', '/app/data/visninger', { screen, name }),
    onSettled,
  })
  return { keep, drop }
}
