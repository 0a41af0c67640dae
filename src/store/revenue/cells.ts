// The cells that revenue is counted in: how they are named in maps and joined in statements.
import { sql } from 'kysely'
import type { Revenue } from '../../model/revenue.ts'

/** Where revenue is counted: one department on one date, of one type. */
export interface Cell {
  readonly date: string
  readonly departmentId: string
  readonly kind: string
}

/** One text per cell, for maps. */
export function cellKey({ date, departmentId, kind }: Cell): string {
  return `${date} ${kind.length} ${kind}${departmentId}`
}

/** The cell of a record; null where it has no date or no department, because such a record leads nothing. */
export function cellOf({ date, departmentId, kind }: Pick<Revenue, keyof Cell>): Cell | null {
  return date === null || departmentId === null ? null : { date, departmentId, kind }
}

export const cellColumns = { date: 'text', departmentId: 'text', kind: 'text' } as const

/** Joins the rows `r` to the leading columns of a table, so that each is found by one step. */
export function sameCell(table: string) {
  return sql.join(
    Object.keys(cellColumns).map(
      (name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`r.${name}`)}`,
    ),
    sql` and `,
  )
}
