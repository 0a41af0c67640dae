// Draft of a line: the typed texts, and converting them.
import type { NewLine, OwnMaterialRow, UsedItem } from '../../../src/app/contract/material-entry.ts'
import { toDecimalText, parseTypedAmount } from '../../api/format.ts'
import { getItemLabel } from './items-api.ts'
import type { ProjectAndDepartment } from './api.ts'

export interface Draft extends ProjectAndDepartment {
  readonly item: string
  /** The chosen item; null for free text. */
  readonly chosen: UsedItem | null
  readonly quantity: string
  readonly unit: string
  readonly date: string
  readonly remark: string
}

const blank = { item: '', chosen: null, quantity: '', remark: '' } as const

export function createDraft(
  date: string,
  { projectId, departmentId }: ProjectAndDepartment,
): Draft {
  return {
    ...blank,
    unit: '',
    date,
    projectId,
    departmentId,
  }
}

/** Keeps the fields that are usually the same for the next line. */
export function clearDraft(draft: Draft): Draft {
  return { ...draft, ...blank }
}

export function toDraft(line: OwnMaterialRow): Draft {
  return {
    item: getItemLabel(line),
    chosen: line,
    quantity: formatTypedQuantity(line.quantity),
    unit: line.unit ?? '',
    projectId: line.projectId ?? '',
    departmentId: line.departmentId ?? '',
    date: line.date,
    remark: line.remark ?? '',
  }
}

/** Null while item or quantity is missing. Free text may name a known item. */
export function toLine(draft: Draft, items: readonly UsedItem[]): NewLine | null {
  const { chosen, item, quantity, ...rest } = draft
  const typed = item.trim()
  const amount = parseTypedAmount(quantity)
  if (typed === '' || amount === null || Number(amount) === 0) return null
  const known = chosen ?? items.find((one) => getItemLabel(one) === typed) ?? null
  const price = known?.salesPrice ?? null
  return {
    ...rest,
    itemId: known?.itemId ?? null,
    itemName: known?.itemName ?? typed,
    quantity: amount,
    salesPrice: price === null ? null : toDecimalText(price),
  }
}

/** As a user types it. */
function formatTypedQuantity(quantity: number): string {
  return toDecimalText(quantity)
    .replace(/\.?0+$/, '')
    .replace('.', ',')
}
