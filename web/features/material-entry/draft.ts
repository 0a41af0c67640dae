// Draft of a line: the typed texts, and converting them.
import { sentAmount, typedAmount } from '../../api/format.ts'
import { nameOf } from './items-api.ts'
import type { UsedItem } from './listed-item.ts'
import type { NewLine, OwnLine, Place } from './api.ts'

export interface Draft extends Place {
  readonly item: string
  /** The chosen item; null for free text. */
  readonly chosen: UsedItem | null
  readonly quantity: string
  readonly unit: string
  readonly date: string
  readonly remark: string
}

const blank = { item: '', chosen: null, quantity: '', remark: '' } as const

export function newDraft(date: string, { projectId, departmentId }: Place): Draft {
  return {
    ...blank,
    unit: '',
    date,
    projectId,
    departmentId,
  }
}

/** Keeps the fields that are usually the same for the next line. */
export function emptied(draft: Draft): Draft {
  return { ...draft, ...blank }
}

export function draftOf(line: OwnLine): Draft {
  return {
    item: nameOf(line),
    chosen: line,
    quantity: plain(line.quantity),
    unit: line.unit ?? '',
    projectId: line.projectId ?? '',
    departmentId: line.departmentId ?? '',
    date: line.date,
    remark: line.remark ?? '',
  }
}

/** Null while item or quantity is missing. Free text may name a known item. */
export function lineOf(draft: Draft, items: readonly UsedItem[]): NewLine | null {
  const { chosen, item, quantity, ...rest } = draft
  const typed = item.trim()
  const amount = typedAmount(quantity)
  if (typed === '' || amount === null || Number(amount) === 0) return null
  const known = chosen ?? items.find((one) => nameOf(one) === typed) ?? null
  const price = known?.salesPrice ?? null
  return {
    ...rest,
    itemId: known?.itemId ?? null,
    itemName: known?.itemName ?? typed,
    quantity: amount,
    salesPrice: price === null ? null : sentAmount(price),
  }
}

/** As a user types it. */
function plain(quantity: number): string {
  return sentAmount(quantity)
    .replace(/\.?0+$/, '')
    .replace('.', ',')
}
