// Material entry: the user's own lines, and items to choose from; quantities are ten-thousandths.
import type { TextFields } from './path.ts'
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
export type NewLine = TextFields<
  'date' | 'projectId' | 'departmentId' | 'itemName' | 'quantity' | 'unit' | 'remark'
> & { readonly itemId: string | null; readonly salesPrice: string | null }
