// Values of export requests: ids and choices, from the query or the fields of the body.
import { invalidValueError } from '../audited-action.ts'
import { message } from '../../errors/messages.ts'

/** Throws `InvalidValue`. */
export function parseId(text: string | undefined, field: string): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw invalidChoiceError(field)
  return Number(text)
}

/** Throws `InvalidValue`. */
export function parseChoice<Choice extends string>(
  text: string,
  choices: readonly Choice[],
  field: string,
): Choice {
  const found = choices.find((one) => one === text)
  if (found === undefined) throw invalidChoiceError(field)
  return found
}

function invalidChoiceError(field: string) {
  return invalidValueError(field, message('notAnAllowedValue'))
}
