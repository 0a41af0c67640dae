// Items to choose from: favourites, recently used, and searched ones.
import type { SuggestedItem, UsedItem } from '../../../src/app/contract/material-entry.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { del, get, post } from '../../api/client.ts'
import { createWordFilter } from '../../api/words.ts'
import { ownMaterialQuery } from './api.ts'

export interface ListedItem extends UsedItem {
  /** `older` items come from a search. */
  readonly group: SuggestedItem['group'] | 'older'
}

export function getItemLabel({ itemName, itemId }: UsedItem): string {
  return itemName ?? itemId ?? ''
}

export function getItemKey({ itemName, itemId }: UsedItem): string {
  return JSON.stringify([itemName, itemId])
}

/** Enabled from the second letter on. */
export function itemSearchQuery(typed: string) {
  return queryOptions({
    queryKey: ['material', 'items', typed],
    queryFn: async () => (await get('items', { search: typed })).items,
    enabled: typed.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

/** Items that contain every word; search results follow the known items. */
export function filterItems(
  known: readonly ListedItem[],
  found: readonly UsedItem[],
  typed: string,
): readonly ListedItem[] {
  const isWanted = createWordFilter(typed)
  const keys = new Set(known.map(getItemKey))
  const older = found
    .filter((item) => !keys.has(getItemKey(item)))
    .map((item): ListedItem => ({ ...item, group: 'older' }))
  return [...known, ...older].filter(({ itemName, itemId }) => isWanted(`${itemName ?? ''} ${itemId ?? ''}`))
}

export function useToggleFavourite() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ itemName, itemId, group }: ListedItem) =>
      group === 'favourite' ? del('favouriteItem', { itemName, itemId }) : post('favouriteItem', { itemName, itemId }),
    // Reorders the list before it is shown again.
    onSuccess: () => client.invalidateQueries(ownMaterialQuery),
  })
}
