// Types of export lines and transactions, derived from the model.
import type { Field, Resource } from '../engine/model/resource.ts'
import type { exportable, materialTransaction } from '../model/transaction.ts'

type WireRecord<R extends Resource> = {
  readonly [K in keyof R['fields'] as R['fields'][K]['wire']]: R['fields'][K]['optional'] extends true
    ? JsonType<R['fields'][K]> | null
    : JsonType<R['fields'][K]>
}

/** Dates and timestamps are JSON strings. */
type JsonType<F extends Field> = F['type'] extends 'integer' | 'decimal'
  ? number
  : F['type'] extends 'boolean'
    ? boolean
    : string

type WritableFields<R extends Resource> = {
  [K in keyof R['fields'] as R['fields'][K]['readOnly'] extends true ? never : R['fields'][K]['wire']]?: JsonType<
    R['fields'][K]
  > | null
}

/** An export line. Mark it by `Id`; store `Eksportnokkel` at the receiver to detect repeats. */
export type ExportLine = WireRecord<typeof exportable>

/** A transaction to register. Required: date, quantity, and item number or name. */
export type NewTransaction = WritableFields<typeof materialTransaction> & {
  readonly Dato: string
  readonly Antall: number
}

/** A filter for lines with a higher id that match the condition. */
export function afterId(id: number, filter: string | undefined): string {
  return `Id gt ${id}${filter === undefined ? '' : ` and (${filter})`}`
}
