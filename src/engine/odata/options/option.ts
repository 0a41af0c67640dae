// Query options and other URL parts with a grammar, and the errors that report a column in them.
import { ApiError } from '../../../errors/api-error.ts'
import { message, type LocalizedMessage, type MessageCode } from '../../../errors/messages.ts'

export interface QueryOption {
  readonly name:
    | ('$filter' | '$select' | '$orderby' | '$expand' | '$search' | '$compute' | '$apply')
    | ('path' | `@${string}`)
  readonly errorCode:
    | ('InvalidFilter' | 'InvalidSelect' | 'InvalidOrderBy' | 'InvalidExpand')
    | ('InvalidSearch' | 'InvalidCompute' | 'InvalidApply' | 'InvalidPath' | 'InvalidAlias')
}

export const filterOption: QueryOption = { name: '$filter', errorCode: 'InvalidFilter' }
export const selectOption: QueryOption = { name: '$select', errorCode: 'InvalidSelect' }
export const orderByOption: QueryOption = { name: '$orderby', errorCode: 'InvalidOrderBy' }
export const expandOption: QueryOption = { name: '$expand', errorCode: 'InvalidExpand' }
export const searchOption: QueryOption = { name: '$search', errorCode: 'InvalidSearch' }
export const computeOption: QueryOption = { name: '$compute', errorCode: 'InvalidCompute' }
export const applyOption: QueryOption = { name: '$apply', errorCode: 'InvalidApply' }
/** The resource path: everything after the service root. */
export const pathOption: QueryOption = { name: 'path', errorCode: 'InvalidPath' }

/** A parameter alias, by its name with `@`. */
export function aliasOption(name: string): QueryOption {
  return { name: `@${name.slice(1)}`, errorCode: 'InvalidAlias' }
}

/** The `target` of an error at a column of an option: `$filter:17`. */
export function errorTarget(option: QueryOption, column: number): string {
  return `${option.name}:${column}`
}

/** The error for an option that is invalid at `column`; `problem` is the reason. */
export function invalidOptionError(
  option: QueryOption,
  column: number,
  problem: MessageCode | LocalizedMessage,
  nearest?: string,
): ApiError {
  const params = { option: option.name, column, problem: toMessage(problem), nearest }
  return new ApiError(option.errorCode, { target: errorTarget(option, column), params })
}

/** The error for a feature of the standard that this service does not support. */
export function unsupportedError(
  option: QueryOption,
  column: number,
  feature: MessageCode | LocalizedMessage,
): ApiError {
  return new ApiError('NotSupported', { target: errorTarget(option, column), params: { feature: toMessage(feature) } })
}

/** A limit on the complexity of an option, and its name in `/limits` if it is there. */
export interface ComplexityLimit {
  readonly limit: MessageCode
  readonly max: number
  readonly limitName?: string
}

export type TooComplexCode = 'FilterTooComplex' | 'ExpandTooComplex'

/** The error for an option that exceeds a limit at `column`. */
export function tooComplexError(
  option: QueryOption,
  column: number,
  { limit, max, limitName }: ComplexityLimit,
  code: TooComplexCode = 'FilterTooComplex',
): ApiError {
  return new ApiError(code, {
    target: errorTarget(option, column),
    params: { option: option.name, limit: message(limit), max, limitName },
  })
}

function toMessage(text: MessageCode | LocalizedMessage): LocalizedMessage {
  return typeof text === 'string' ? message(text) : text
}

/** Shortens a name from the request for an error message. */
export function truncateName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60).toWellFormed()}…` : name
}

/** For `unsupportedError`: a bracket that follows the name. */
export function parenthesisAfter(name: string): LocalizedMessage {
  return message('aParenthesisAfter', { name: truncateName(name) })
}
