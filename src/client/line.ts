// Lines and transactions as they travel: the types follow from the descriptions of the model.
import type { Field, Resource } from '../engine/model/resource.ts'
import type { exportable, materialTransaction } from '../model/transaction.ts'

type Wire<R extends Resource> = {
  readonly [
    K in keyof R['fields'] as R['fields'][K]['wire']
  ]: R['fields'][K]['optional'] extends true
    ? Spelled<R['fields'][K]> | null
    : Spelled<R['fields'][K]>
}

/** Days and stamps travel as text. */
type Spelled<F extends Field> = F['type'] extends 'integer' | 'decimal'
  ? number
  : F['type'] extends 'boolean'
    ? boolean
    : string

type Written<R extends Resource> = {
  [
    K in keyof R['fields'] as R['fields'][K]['readOnly'] extends true
      ? never
      : R['fields'][K]['wire']
  ]?: Spelled<R['fields'][K]> | null
}

/** A line that is offered. `Id` is the id that is marked, `Eksportnokkel` what the receiver keeps as its reference. */
export type ExportLine = Wire<typeof exportable>

/** A transaction to register: required are the day, the quantity, and an item by number or name. */
export type NewTransaction = Written<typeof materialTransaction> & {
  readonly Dato: string
  readonly Antall: number
}

/** The lines with a higher id that meet the condition. */
export function beyond(id: number, filter: string | undefined): string {
  return `Id gt ${id}${filter === undefined ? '' : ` and (${filter})`}`
}
