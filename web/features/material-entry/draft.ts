// Draft of a line: the typed texts, and converting them.
import type { NewLine, OwnMaterialRow, UsedItem } from '../../../src/app/contract/material-entry.ts'
import { toDecimalText, toTypedText, parseTypedAmount } from '../../api/format.ts'
import type { Language } from '../../../src/app/contract/session.ts'
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

const blank = { item: '', chosen: null, quantity: '', unit: '', remark: '' } as const

export function createDraft(date: string, { projectId, departmentId }: ProjectAndDepartment): Draft {
  return { ...blank, date, projectId, departmentId }
}

/** Keeps the fields that are usually the same for the next line. */
export function clearDraft(draft: Draft): Draft {
  return { ...draft, ...blank }
}

export function toDraft(line: OwnMaterialRow, language: Language): Draft {
  return {
    item: getItemLabel(line),
    chosen: line,
    quantity: toTypedText(line.quantity, language),
    unit: line.unit ?? '',
    projectId: line.projectId ?? '',
    departmentId: line.departmentId ?? '',
    date: line.date,
    remark: line.remark ?? '',
  }
}

/** The same as a line, on the date of the draft. */
export function toNextDraft(line: OwnMaterialRow, { date }: Draft, language: Language): Draft {
  return { ...toDraft(line, language), date, remark: '' }
}

/** Of a draft without problems. Free text may name a known item, whose unit and price apply then. */
export function toLine(draft: Draft, items: readonly UsedItem[], language: Language): NewLine {
  const { chosen, item, quantity, unit, ...rest } = draft
  const typed = item.trim()
  const known = chosen ?? items.find((one) => getItemLabel(one) === typed) ?? null
  const price = known?.salesPrice ?? null
  return {
    ...rest,
    itemId: known?.itemId ?? null,
    itemName: known?.itemName ?? typed,
    quantity: parseTypedAmount(quantity, language) ?? '',
    unit: unit.trim() === '' ? (known?.unit ?? '') : unit,
    salesPrice: price === null ? null : toDecimalText(price),
  }
}
