// Columns by the fields of a resource, each named with its table, because a statement may hold one table twice.
import { sql, type RawBuilder } from 'kysely'
import type { Field, Resource } from '#model/resource.ts'

/** The table of a resource, under the name that a statement gives it. */
export interface Table {
  readonly resource: Resource
  readonly alias: string
}

export const fieldOf = ({ resource }: Table, name: string): Field => {
  const field = resource.fields[name]
  if (field === undefined) throw new Error(`${resource.table} has no field ${name}`)
  return field
}

export const column = ({ alias }: Table, name: string): RawBuilder<unknown> =>
  sql.ref(`${alias}.${name}`)

/** The field of the record of this number in a plan. */
export const numbered = (number: number, name: string): RawBuilder<unknown> =>
  sql.ref(`${aliasOf(number)}.${name}`)

export const aliasOf = (number: number): string => `t${number}`

/** As the house holds it: a blank that stands for null comes out as null. */
export const stored = (table: Table, name: string): RawBuilder<unknown> =>
  fieldOf(table, name).blankWhenNull ? sql`nullif(${column(table, name)}, '')` : column(table, name)

/** `from` with the resource's own table. */
export const source = ({ resource, alias }: Table): RawBuilder<unknown> =>
  sql`${sql.table(resource.table)} as ${sql.table(alias)}`
