// Items of material, as listed by the server.

export interface UsedItem {
  readonly itemId: string | null
  readonly itemName: string | null
  readonly unit: string | null
  /** Ten-thousandths. */
  readonly salesPrice: number | null
}

export const itemGroups = ['favourite', 'own', 'department', 'company', 'older'] as const

export interface ListedItem extends UsedItem {
  /** Why it is listed; `older` items come from a search. */
  readonly group: (typeof itemGroups)[number]
}
