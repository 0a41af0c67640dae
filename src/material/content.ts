// The content of a transaction: defaults, validation, comparison with what is stored.
import { fieldError, type ErrorDetail } from '../errors/api-error.ts'
import { amountLimit, multiplyAmounts, formatDecimal } from '../lib/decimal.ts'
import {
  contentFields,
  materialTransaction,
  transactionStates,
  type MaterialContent,
  type MaterialTransaction,
} from '../model/transaction.ts'
import { pick } from '../lib/pick.ts'
import { message } from '../errors/messages.ts'
import type { ActionContext } from '../auth/action-context.ts'
import { pickContent, type NewRevision, type StoredContent, type StoredMaterial } from '../store/material/materials.ts'

/** The fields a caller may send. */
export type SentContent = Partial<Omit<MaterialContent, 'amount'>>

/** A valid row and its position in the body: `[3]`, or '' for a single object. */
export interface MaterialRowInput {
  readonly location: string
  readonly values: SentContent
  /** The members that set references in place of their fields, by the names of these. */
  readonly bindAnnotations?: ReadonlyMap<string, string>
}

const { date, quantity, itemId, itemName, amount } = materialTransaction.fields

/** The complete content of a row, or its errors. Fields that were not sent are null; `source` is the default source. */
export function completeContent(
  sent: SentContent,
  source: string,
  location: string,
): StoredContent | readonly ErrorDetail[] {
  const missing = [
    ...(sent.date === undefined || sent.date === null ? [date.wire] : []),
    ...(sent.quantity === undefined || sent.quantity === null ? [quantity.wire] : []),
    ...((sent.itemId ?? sent.itemName ?? null) === null ? [itemId.wire] : []),
  ]
  if (missing.length > 0) return missing.map((field) => missingFieldError(field, location))
  const content = {
    date: sent.date ?? '',
    employeeId: sent.employeeId ?? null,
    departmentId: sent.departmentId ?? null,
    projectId: sent.projectId ?? null,
    siteId: sent.siteId ?? null,
    itemId: sent.itemId ?? null,
    itemName: sent.itemName ?? null,
    quantity: sent.quantity ?? 0,
    unit: sent.unit ?? null,
    costPrice: sent.costPrice ?? null,
    salesPrice: sent.salesPrice ?? null,
    isBillable: typeof sent.isBillable === 'boolean' ? Number(sent.isBillable) : null,
    remark: sent.remark ?? null,
    source: sent.source ?? source,
    externalId: sent.externalId ?? null,
  }
  if (content.quantity === 0)
    return [fieldError('InvalidValue', quantity.wire, { problem: message('isZero') }).toDetail(location)]
  const computedAmount = content.salesPrice === null ? null : multiplyAmounts(content.quantity, content.salesPrice)
  if (computedAmount !== 'outOfRange') return { ...content, amount: computedAmount }
  const range = { min: formatDecimal(1 - amountLimit), max: formatDecimal(amountLimit - 1) }
  return [fieldError('NumberOutOfRange', amount.wire, range).toDetail(location)]
}

/** The state of a transaction that nobody has decided about. */
export const undecided = {
  state: transactionStates.registered,
  rejectionReason: null,
  approvedAt: null,
  approvedBy: null,
  exportedAt: null,
  decidedAt: null,
  decidedBy: null,
  anomalyFlags: 0,
} as const

/** What a transaction was before it is replaced, at a timestamp. */
export function toRevision(
  replaced: StoredMaterial,
  { actor: replacedBy, requestId }: ActionContext,
  replacedAt: number,
): NewRevision {
  const { id: materialId, revision } = replaced
  const content = JSON.stringify(pickContent(replaced))
  return { materialId, revision, content, replacedAt, replacedBy, requestId }
}

/** A transaction as a record of the public model. */
export function toMaterialRecord(stored: StoredMaterial): MaterialTransaction {
  return { ...pick(stored, fieldNames), isBillable: stored.isBillable === null ? null : stored.isBillable === 1 }
}

const fieldNames = Object.keys(materialTransaction.fields) as (keyof MaterialTransaction)[]

/** The stored content as a sent one: what an update is merged into. */
export function toSentContent(stored: StoredMaterial): SentContent {
  const { amount: _, ...content } = pickContent(stored)
  return { ...content, isBillable: content.isBillable === null ? null : content.isBillable === 1 }
}

/** The internal names of the fields in which two contents differ. */
export function listDifferences(one: StoredContent, other: StoredContent): string[] {
  const values = new Map<string, unknown>(Object.entries(other))
  const differs = new Map<string, unknown>(Object.entries(one))
  return contentFields.filter((name) => differs.get(name) !== values.get(name))
}

function missingFieldError(field: string, location: string): ErrorDetail {
  const names = field === itemId.wire ? `${field} / ${itemName.wire}` : field
  return fieldError('MissingField', field, { field: names }).toDetail(location)
}
