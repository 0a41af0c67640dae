// The error of a typed quantity, in the forms of a line.
import { parseTypedAmount } from '../api/format.ts'
import type { Language } from '../../src/app/contract/session.ts'

/** False for a quantity that a line may have: any number but 0. */
export function findQuantityProblem(
  typed: string,
  language: Language,
  texts: { readonly quantity: string; readonly zero: string },
): string | false {
  const quantity = parseTypedAmount(typed, language)
  if (quantity === null) return texts.quantity
  return Number(quantity) === 0 && texts.zero
}
