// Items of material, as the server lists them.

export interface UsedItem {
  readonly itemId: string | null
  readonly itemName: string | null
  readonly unit: string | null
  /** Ten-thousandths. */
  readonly salesPrice: number | null
}

export const itemGroups = ['favourite', 'own', 'department', 'company', 'older'] as const

export interface ListedItem extends UsedItem {
  /** Why it stands where it stands; `older` is what had to be searched for. */
  readonly group: (typeof itemGroups)[number]
}
