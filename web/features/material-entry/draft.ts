// A line while it is written: texts as they are typed, and the line that they come to.
import { sentAmount, typedAmount } from '../../api/format.ts'
import { nameOf } from './items-api.ts'
import type { UsedItem } from './listed-item.ts'
import type { NewLine, OwnLine, Place } from './api.ts'

export interface Draft extends Place {
  readonly item: string
  /** What was chosen; null for what was typed. */
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

/** What is the same for the next line stays. */
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

/** Null as long as it does not say which item, or how many. What was typed may be the name of a known item. */
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

/** As somebody would type it. */
function plain(quantity: number): string {
  return sentAmount(quantity)
    .replace(/\.?0+$/, '')
    .replace('.', ',')
}
