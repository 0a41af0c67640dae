// Column references, qualified with table aliases, because a statement may contain a table twice.
import { sql } from 'kysely'
import type { Field, Resource } from '../model/resource.ts'
import type { Sql, SqlContext } from './dialect.ts'

/** The table of a resource with its alias in a statement. */
export interface Table {
  readonly resource: Resource
  readonly alias: string
}

export function fieldOf({ resource }: Table, name: string): Field {
  const field = resource.fields[name]
  if (field === undefined) throw new Error(`${resource.table} has no field ${name}`)
  return field
}

export function columnRef({ alias }: Table, name: string): Sql {
  return sql.ref(`${alias}.${name}`)
}

/** Restricts the table to the company of the request. */
export function ofCompany(table: Table, { value }: SqlContext): Sql {
  return sql`${columnRef(table, 'companyId')} = ${value('companyId')}`
}

/** A column of the record with this number in a plan. */
export function columnOfNumber(number: number, name: string): Sql {
  return sql.ref(`${tableAlias(number)}.${name}`)
}

export function tableAlias(number: number): string {
  return `t${number}`
}

/** The value of a column; '' that represents null becomes null. */
export function nullableColumn(table: Table, name: string): Sql {
  return fieldOf(table, name).blankWhenNull ? sql`nullif(${columnRef(table, name)}, '')` : columnRef(table, name)
}

/** The resource's table with its alias. */
export function fromTable({ resource, alias }: Table): Sql {
  return sql`${sql.table(resource.table)} as ${sql.table(alias)}`
}
