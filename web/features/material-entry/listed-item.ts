// Items of material, in the groups of the item list.
import type { SuggestedItem, UsedItem } from '../../../src/app/contract/material-entry.ts'

/** `older` items come from a search. */
export const itemGroups = ['favourite', 'own', 'department', 'company', 'older'] as const

export interface ListedItem extends UsedItem {
  readonly group: SuggestedItem['group'] | 'older'
}
