// The content of a transaction: defaults, validation, comparison with what is stored.
import { Fault, type Detail } from '../errors/catalog.ts'
import { amountLimit, multiplied, writeDecimal } from '../lib/decimal.ts'
import {
  contentFields,
  materialTransaction,
  type MaterialContent,
  type MaterialTransaction,
} from '../model/transaction.ts'
import { phrase } from '../errors/messages.ts'
import {
  contentOfRow,
  type StoredContent,
  type StoredMaterial,
} from '../store/material/materials.ts'

/** The revision of a line that only the export journal knows: filled in when the source sends it again. */
export const revisionUnknown = 0

/** The fields a caller may send. */
export type SentContent = Partial<Omit<MaterialContent, 'amount'>>

const { date, quantity, itemId, itemName, amount } = materialTransaction.fields

/** The complete content of a row, or its errors. Fields that were not sent are null; `source` is the default source. */
export function completed(
  sent: SentContent,
  source: string,
  place: string,
): StoredContent | readonly Detail[] {
  const missing = [
    ...(sent.date === undefined || sent.date === null ? [date.wire] : []),
    ...(sent.quantity === undefined || sent.quantity === null ? [quantity.wire] : []),
    ...((sent.itemId ?? sent.itemName ?? null) === null ? [itemId.wire] : []),
  ]
  if (missing.length > 0) return missing.map((field) => missingField(field, place))
  const whole = {
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
  if (whole.quantity === 0) return [zeroQuantity(place)]
  const product = whole.salesPrice === null ? null : multiplied(whole.quantity, whole.salesPrice)
  return product === 'outOfRange' ? [tooLarge(place)] : { ...whole, amount: product }
}

/** A transaction as a record of the public model. */
export function recordOf(stored: StoredMaterial): MaterialTransaction {
  return {
    ...contentOfRow(stored),
    isBillable: stored.isBillable === null ? null : stored.isBillable === 1,
    id: stored.id,
    state: stored.state,
    rejectionReason: stored.rejectionReason,
    approvedAt: stored.approvedAt,
    approvedBy: stored.approvedBy,
    exportedAt: stored.exportedAt,
    changedAt: stored.changedAt,
    createdAt: stored.createdAt,
  }
}

/** The stored content as a sent one: what an update is merged into. */
export function sentOf(stored: StoredMaterial): SentContent {
  const { amount: _, ...content } = contentOfRow(stored)
  return { ...content, isBillable: content.isBillable === null ? null : content.isBillable === 1 }
}

/** The internal names of the fields in which two contents differ. */
export function differing(one: StoredContent, other: StoredContent): string[] {
  const values = new Map<string, unknown>(Object.entries(other))
  const differs = new Map<string, unknown>(Object.entries(one))
  return contentFields.filter((name) => differs.get(name) !== values.get(name))
}

function missingField(field: string, place: string): Detail {
  const needed = field === itemId.wire ? `${field} / ${itemName.wire}` : field
  return new Fault('MissingField', { target: field, says: { field: needed } }).detail(place)
}

function zeroQuantity(place: string): Detail {
  return new Fault('InvalidValue', {
    target: quantity.wire,
    says: { field: quantity.wire, problem: phrase('itIsZero') },
  }).detail(place)
}

function tooLarge(place: string): Detail {
  return new Fault('NumberOutOfRange', {
    target: amount.wire,
    says: {
      field: amount.wire,
      min: writeDecimal(1 - amountLimit),
      max: writeDecimal(amountLimit - 1),
    },
  }).detail(place)
}
