// The items that somebody chooses from: those with a star, those in use nearby, and all that were ever used.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { act, ask } from '../../api/client.ts'
import type { ListedItem, UsedItem } from './listed-item.ts'
import { ownQuery } from './api.ts'

export function nameOf({ itemName, itemId }: UsedItem): string {
  return itemName ?? itemId ?? ''
}

export function itemKey({ itemName, itemId }: UsedItem): string {
  return JSON.stringify([itemName, itemId])
}

/** Asked for from the second letter on. */
export function searchQuery(typed: string) {
  return queryOptions({
    queryKey: ['material', 'items', typed],
    queryFn: async () =>
      (await ask<{ items: UsedItem[] }>('/app/data/uttak/varer', { search: typed })).items,
    enabled: typed.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

/** Those in which every word stands, the ones that were found elsewhere behind the known. */
export function fittingItems(
  known: readonly ListedItem[],
  found: readonly UsedItem[],
  typed: string,
): readonly ListedItem[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const keys = new Set(known.map(itemKey))
  const older = found
    .filter((item) => !keys.has(itemKey(item)))
    .map((item): ListedItem => ({ ...item, group: 'older' }))
  return [...known, ...older].filter((item) => {
    const searched = `${item.itemName ?? ''} ${item.itemId ?? ''}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  })
}

/** Puts a star on an item, or takes it away; on every machine of the person. */
export function useStar() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ itemName, itemId, group }: ListedItem) =>
      act(group === 'favourite' ? 'DELETE' : 'POST', '/app/data/uttak/varer/favoritt', {
        itemName,
        itemId,
      }),
    // The list is in its new order before anybody sees the old one again.
    onSuccess: () => client.invalidateQueries(ownQuery),
  })
}
