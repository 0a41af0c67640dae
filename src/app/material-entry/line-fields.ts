// Body fields of a line: parsing, and codes that the directory must have.
import { textIn, type BodyFields } from '../body.ts'
import { parseDay } from '../date-range.ts'
import { parseAmount } from '../request-values.ts'
import type { SentContent } from '../../material/content.ts'
import { materialTransaction } from '../../model/transaction.ts'
import { anomalyBits } from '../../store/material/anomaly-flags.ts'
import { findUnknownFlags } from '../../store/material/unknown-references.ts'
import type { Transaction } from '../../store/store.ts'
import { fieldError } from '../../errors/api-error.ts'

/** All fields of the form. Throws the errors of single fields. */
export function completeLineIn(fields: BodyFields): SentContent {
  return {
    date: parseDay(textIn(fields, 'date'), 'date'),
    quantity: parseAmount(textIn(fields, 'quantity'), 'quantity'),
    itemId: optional(fields, 'itemId'),
    itemName: optional(fields, 'itemName'),
    unit: optional(fields, 'unit'),
    salesPrice: priceIn(fields),
    projectId: optional(fields, 'projectId'),
    departmentId: optional(fields, 'departmentId'),
    remark: optional(fields, 'remark'),
  }
}

/** The fields of a correction that were sent; an empty text clears a field. Throws the errors of single fields. */
export function lineEditIn(fields: BodyFields): SentContent {
  return {
    ...(fields.has('quantity') && { quantity: parseAmount(textIn(fields, 'quantity'), 'quantity') }),
    ...(fields.has('salesPrice') && { salesPrice: priceIn(fields) }),
    ...(fields.has('projectId') && { projectId: optional(fields, 'projectId') }),
    ...(fields.has('departmentId') && { departmentId: optional(fields, 'departmentId') }),
  }
}

/**
 * Throws `ReferenceNotFound`: users choose from the directory, so an unknown code is a mistake, even if the company lets
 * integrations send any. Not checked for a company without projects or departments.
 */
export async function requireKnownReferences(transaction: Transaction, content: SentContent): Promise<void> {
  const { projectId = null, departmentId = null } = content
  const flagsOf = await findUnknownFlags(transaction, [{ projectId, departmentId }])
  const flags = flagsOf({ projectId, departmentId })
  if ((flags & anomalyBits.unknownProject) > 0)
    throw fieldError('ReferenceNotFound', 'projectId', { value: projectId ?? '' })
  if ((flags & anomalyBits.unknownDepartment) > 0)
    throw fieldError('ReferenceNotFound', 'departmentId', { value: departmentId ?? '' })
}

const { fields: described } = materialTransaction

/** Throws `ValueTooLong`. */
function optional(
  fields: BodyFields,
  name: 'itemId' | 'itemName' | 'unit' | 'projectId' | 'departmentId' | 'remark',
): string | null {
  const text = (fields.get(name) ?? '').trim()
  const max = described[name].lengthMax
  if (text.length > max) throw fieldError('ValueTooLong', name, { max })
  return text === '' ? null : text
}

function priceIn(fields: BodyFields): number | null {
  const text = (fields.get('salesPrice') ?? '').trim()
  return text === '' ? null : parseAmount(text, 'salesPrice')
}
