// Query options and other URL parts with a grammar, and the errors that report a column in them.
import { Fault } from '../../../errors/catalog.ts'
import type { Phrase } from '../../../errors/messages.ts'

export interface Option {
  readonly name:
    | ('$filter' | '$select' | '$orderby' | '$expand' | '$search' | '$compute' | '$apply')
    | ('path' | `@${string}`)
  readonly fault:
    | ('InvalidFilter' | 'InvalidSelect' | 'InvalidOrderBy' | 'InvalidExpand')
    | ('InvalidSearch' | 'InvalidCompute' | 'InvalidApply' | 'InvalidPath' | 'InvalidAlias')
}

export const filterOption: Option = { name: '$filter', fault: 'InvalidFilter' }
export const selectOption: Option = { name: '$select', fault: 'InvalidSelect' }
export const orderByOption: Option = { name: '$orderby', fault: 'InvalidOrderBy' }
export const expandOption: Option = { name: '$expand', fault: 'InvalidExpand' }
export const searchOption: Option = { name: '$search', fault: 'InvalidSearch' }
export const computeOption: Option = { name: '$compute', fault: 'InvalidCompute' }
export const applyOption: Option = { name: '$apply', fault: 'InvalidApply' }
/** The resource path: everything after the service root. */
export const pathOption: Option = { name: 'path', fault: 'InvalidPath' }

/** The `target` of an error at a column of an option: `$filter:17`. */
export function targetAt(option: Option, column: number): string {
  return `${option.name}:${column}`
}

/** The error for an option that is invalid at `column`; `problem` is the reason. */
export function unreadable(
  option: Option,
  column: number,
  problem: Phrase,
  nearest?: string,
): Fault {
  return new Fault(option.fault, {
    target: targetAt(option, column),
    says: { option: option.name, column, problem, ...(nearest === undefined ? {} : { nearest }) },
  })
}

/** The error for a feature of the standard that this service does not support. */
export function unsupported(option: Option, column: number, feature: Phrase): Fault {
  return new Fault('NotSupported', { target: targetAt(option, column), says: { feature } })
}

/** Shortens a name from the request for an error message. */
export function shown(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60).toWellFormed()}…` : name
}
