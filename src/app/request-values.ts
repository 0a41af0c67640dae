// Values of requests of the app, from the query or the fields of the body: ids, choices, checked text.
import { textIn, type BodyFields } from './body.ts'
import { ApiError, fieldError, notFoundError } from '../errors/api-error.ts'
import { message, type LocalizedMessage } from '../errors/messages.ts'
import { amountLimit, formatDecimal, parseDecimal } from '../lib/decimal.ts'
import { parseQuery, routeParameters, type Query } from '../engine/odata/options/query.ts'
import type { Resource } from '../engine/model/resource.ts'
import type { Request } from '../http/request.ts'

/** The query, which may have these parameters only. Throws `UnknownQueryOption` and `DuplicateParameter`. */
export function queryIn({ search }: Request, names: readonly string[]): Query {
  return parseQuery(search, routeParameters(names, 'rejected'))
}

/** Throws `MissingField` and `InvalidValue`. */
export function idIn(fields: BodyFields, name: string): number {
  return parseId(textIn(fields, name), name)
}

/** A whole number, such as a window of a list or a timestamp; `defaultValue` where it is not sent. Throws `InvalidTop`. */
export function countIn<Default>(query: Query, name: string, defaultValue: Default): number | Default {
  const text = query.get(name)
  if (text === undefined) return defaultValue
  if (!/^\d{1,16}$/.test(text)) throw new ApiError('InvalidTop', { target: name, params: { name } })
  return Number(text)
}

/** The set that the path has in place of `:set` in the route, in any letter case. Throws `NotFound`. */
export function setInPath({ path }: Request, route: string, sets: readonly Resource[]): Resource {
  const name = path.slice(route.indexOf(':')).toLowerCase()
  const found = sets.find(({ wire }) => wire.toLowerCase() === name)
  if (found === undefined) throw notFoundError(message('thisUrl'))
  return found
}

/** The id that the path has in place of `:id` in the route. Throws `NotFound`. */
export function idInPath({ path }: Request, route: string): number {
  const text = path.slice(route.indexOf(':'))
  if (!/^\d{1,15}$/.test(text)) throw notFoundError(message('theRecord'))
  return Number(text)
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
