// Columns by the fields of a resource, each named with its table, because a statement may hold one table twice.
import { sql, type RawBuilder } from 'kysely'
import type { Field, Resource } from '../model/resource.ts'

/** The table of a resource, under the name that a statement gives it. */
export interface Table {
  readonly resource: Resource
  readonly alias: string
}

export function fieldOf({ resource }: Table, name: string): Field {
  const field = resource.fields[name]
  if (field === undefined) throw new Error(`${resource.table} has no field ${name}`)
  return field
}

export function column({ alias }: Table, name: string): RawBuilder<unknown> {
  return sql.ref(`${alias}.${name}`)
}

/** The field of the record of this number in a plan. */
export function numbered(number: number, name: string): RawBuilder<unknown> {
  return sql.ref(`${aliasOf(number)}.${name}`)
}

export function aliasOf(number: number): string {
  return `t${number}`
}

/** As the house holds it: a blank that stands for null comes out as null. */
export function stored(table: Table, name: string): RawBuilder<unknown> {
  return fieldOf(table, name).blankWhenNull
    ? sql`nullif(${column(table, name)}, '')`
    : column(table, name)
}

/** `from` with the resource's own table. */
export function source({ resource, alias }: Table): RawBuilder<unknown> {
  return sql`${sql.table(resource.table)} as ${sql.table(alias)}`
}
