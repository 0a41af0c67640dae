// Values of requests of the app, from the query or the fields of the body: ids, choices, checked text.
import { textIn, type Fields } from './body.ts'
import { fieldError, type ApiError } from '../errors/api-error.ts'
import { message, type LocalizedMessage } from '../errors/messages.ts'
import { amountLimit, formatDecimal, parseDecimal } from '../lib/decimal.ts'
import { parseQuery, routeParameters, type Query } from '../engine/odata/options/query.ts'
import type { Request } from '../http/request.ts'

/** The query, which may have these parameters only. Throws `UnknownQueryOption` and `DuplicateParameter`. */
export function queryIn({ search }: Request, names: readonly string[]): Query {
  return parseQuery(search, routeParameters(names, 'rejected'))
}

/** Throws `MissingField` and `InvalidValue`. */
export function idIn(fields: Fields, name: string): number {
  return parseId(textIn(fields, name), name)
}

/** Throws `InvalidValue`. */
export function parseId(text: string | undefined, field: string): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw invalidChoiceError(field)
  return Number(text)
}

/** Throws `InvalidValue`. */
export function parseChoice<Choice extends string>(text: string, choices: readonly Choice[], field: string): Choice {
  const found = choices.find((one) => one === text)
  if (found === undefined) throw invalidChoiceError(field)
  return found
}

/** A decimal in ten-thousandths. Throws `InvalidNumber` and `NumberOutOfRange`. */
export function parseAmount(text: string, target: string): number {
  const amount = parseDecimal(text)
  if (amount === 'malformed') throw fieldError('InvalidNumber', target)
  if (amount !== 'outOfRange') return amount
  const max = formatDecimal(amountLimit)
  throw fieldError('NumberOutOfRange', target, { min: `-${max}`, max })
}

/** The text, if `problemOf` finds no problem. Throws `InvalidValue`. */
export function validateField(
  field: string,
  text: string,
  problemOf: (text: string) => LocalizedMessage | null,
): string {
  const problem = problemOf(text)
  if (problem !== null) throw invalidValueError(field, problem)
  return text
}

export function invalidChoiceError(field: string): ApiError {
  return invalidValueError(field, message('notAnAllowedValue'))
}

export function invalidValueError(field: string, problem: LocalizedMessage): ApiError {
  return fieldError('InvalidValue', field, { problem })
}
