// Revenue cells: company, date, department and kind; their keys in maps, and joins on them.
import { sql } from 'kysely'
import type { Revenue } from '../../model/revenue.ts'
import type { Build } from '../statement.ts'

/** The date, department and kind of a revenue record. */
export interface Cell {
  readonly date: string
  readonly departmentId: string
  readonly kind: string
}

/** The cell as text, for maps. */
export function cellKey({ date, departmentId, kind }: Cell): string {
  return `${date} ${kind.length} ${kind}${departmentId}`
}

/** The cell of a record; null without a date or department, because such a record is never leading. */
export function cellOf({ date, departmentId, kind }: Pick<Revenue, keyof Cell>): Cell | null {
  return date === null || departmentId === null ? null : { date, departmentId, kind }
}

export const cellColumns = { date: 'text', departmentId: 'text', kind: 'text' } as const

/** Joins the rows `r` to the first primary key columns of a table, so that each is one lookup. */
export function joinsCell(table: string) {
  return sql.join(
    Object.keys(cellColumns).map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`r.${name}`)}`),
    sql` and `,
  )
}

/** Whether the record of `revenue` is the leading one of the cell in the parameters. */
export function isLeader({ value }: Build) {
  const equal = ['companyId', ...Object.keys(cellColumns)].map((name) => sql`revenue.${sql.id(name)} = ${value(name)}`)
  return sql`${sql.join(equal, sql` and `)} and revenue."cellRank" = 0`
}
