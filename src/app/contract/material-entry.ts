// Material entry: the user's own lines, and items to choose from; quantities are ten-thousandths.
import type { UsedItem } from '../../store/material/items.ts'
import type { OwnMaterialRow } from '../../store/material/own-material.ts'

export type { OwnMaterialRow, UsedItem }

export interface SuggestedItem extends UsedItem {
  /** Why it is suggested. */
  readonly group: 'favourite' | 'own' | 'department' | 'company'
}

export interface OwnMaterial {
  readonly rows: readonly OwnMaterialRow[]
  readonly items: readonly SuggestedItem[]
}

/** Numbers are decimal text. */
export interface NewLine {
  readonly date: string
  readonly projectId: string
  readonly departmentId: string
  readonly itemId: string | null
  readonly itemName: string
  readonly quantity: string
  readonly unit: string
  readonly salesPrice: string | null
  readonly remark: string
}
