// Saved views: named filters of a user, per screen.
import type { SavedView } from '../../src/app/contract/account.ts'
import { appPaths } from '../../src/app/contract/paths.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { del, get, post } from './client.ts'

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async () => (await get(appPaths.views)).views,
  staleTime: 300_000,
})

export function useSavedViewMutations() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries(viewsQuery)
  const save = useMutation({ mutationFn: (view: SavedView) => post(appPaths.views, view), onSettled })
  const remove = useMutation({
    mutationFn: ({ screen, name }: SavedView) => del(appPaths.views, { screen, name }),
    onSettled,
  })
  return { keep: save, drop: remove }
}
