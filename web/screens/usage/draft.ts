// A line while it is written: texts as they are typed, and the line that they come to.
import { sentAmount, typedAmount } from '../../data/format.ts'
import { nameOf, type UsedItem } from '../../data/items.ts'
import type { NewLine, OwnLine, Place } from '../../data/own-material.ts'

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

export const newDraft = (date: string, { projectId, departmentId }: Place): Draft => ({
  ...blank,
  unit: '',
  date,
  projectId,
  departmentId,
})

/** What is the same for the next line stays. */
export const emptied = (draft: Draft): Draft => ({ ...draft, ...blank })

export const draftOf = (line: OwnLine): Draft => ({
  item: nameOf(line),
  chosen: line,
  quantity: plain(line.quantity),
  unit: line.unit ?? '',
  projectId: line.projectId ?? '',
  departmentId: line.departmentId ?? '',
  date: line.date,
  remark: line.remark ?? '',
})

/** Null as long as it does not say which item, or how many. What was typed may be the name of a known item. */
export const lineOf = (draft: Draft, items: readonly UsedItem[]): NewLine | null => {
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
const plain = (quantity: number): string =>
  sentAmount(quantity)
    .replace(/\.?0+$/, '')
    .replace('.', ',')
