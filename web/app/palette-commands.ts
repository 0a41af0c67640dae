// Parses what is typed in the command palette: registrations of material.
import type { Language } from '../../src/app/contract/session.ts'
import { parseTypedAmount } from '../api/format.ts'

/** `registrer 3 kabel på P001`: the quantity as decimal text, and what names item and project. */
export function parseRegistration(
  typed: string,
  language: Language,
): { readonly quantity: string; readonly item: string; readonly project: string } | null {
  const found = /^(?:registrer|register)\s+(-?[\d.,]+)\s+(.+?)(?:\s+(?:på|on)\s+(.+))?$/i.exec(typed)
  const [, quantity = '', item = '', project = ''] = found ?? []
  const amount = parseTypedAmount(quantity, language)
  return amount === null || Number(amount) === 0 ? null : { quantity, item, project }
}
