// What has a grammar in an address, the query options and the path, and how a refusal of each is worded and placed.
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
/** What follows the root of a service. */
export const pathOption: Option = { name: 'path', fault: 'InvalidPath' }

/** A place inside an option, as a refusal's target: `$filter:17`. */
export function targetAt(option: Option, column: number): string {
  return `${option.name}:${column}`
}

/** The option cannot be read at `column`, for the reason that `problem` gives. */
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

/** The standard knows it, and this service does not do it. */
export function unsupported(option: Option, column: number, feature: Phrase): Fault {
  return new Fault('NotSupported', { target: targetAt(option, column), says: { feature } })
}

/** A name that came in, as a refusal prints it: never without a limit. */
export function shown(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60).toWellFormed()}…` : name
}
