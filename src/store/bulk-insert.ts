// Bulk insert: many rows of one table in few statements, the fastest way per database (ADR 0012).
import { sql, type RawBuilder } from 'kysely'
import type { SqlValue } from '../engine/sql/dialect.ts'
import { rowsFromJson, statement, type RowColumns, type Statement } from './statement.ts'
import type { Transaction } from './store.ts'

/** A row by its columns, without the company. */
export type NewRow<Columns extends RowColumns> = {
  readonly [Name in keyof Columns]: ColumnValue<Columns[Name]>
}

/** Text or integer by the type of the column; either one where that type is not known at compile time. */
type ColumnValue<Type extends RowColumns[string]> = Type extends 'integer'
  ? number | null
  : string | null

export interface InsertStatements<Columns extends RowColumns> {
  readonly columns: readonly (keyof Columns & string)[]
  readonly oneRow: Statement<never>
  readonly twentyRows: Statement<never>
  readonly fromJson: Statement<never>
}

/** The insert statements of one table. `tail` follows the rows, like `on conflict …`. */
export function defineInsert<const Columns extends RowColumns>(
  table: string,
  columns: Columns,
  tail: RawBuilder<unknown> = sql``,
): InsertStatements<Columns> {
  const names = Object.keys(columns)
  const into = sql`insert into ${sql.table(table)} (${sql.join(['companyId', ...names].map((name) => sql.id(name)))})`
  const withRowCount = (count: number) =>
    statement(({ value }) => {
      const placeholders = sql`(${sql.join(['companyId', ...names].map(value))})`
      return sql`${into} values ${sql.join(Array<RawBuilder<unknown>>(count).fill(placeholders))} ${tail}`
    })
  return {
    columns: names,
    oneRow: withRowCount(1),
    twentyRows: withRowCount(20),
    fromJson: statement((build) => {
      const selected = sql.join(names.map((name) => sql.ref(`r.${name}`)))
      return sql`${into} select cast(${build.value('companyId')} as bigint), ${selected} from ${rowsFromJson(build, 'rows', columns)} where true ${tail}`
    }),
  }
}

/** Inserts the rows; no two of them may have the same key. */
export async function insertRows<Columns extends RowColumns>(
  transaction: Transaction,
  { columns, oneRow, twentyRows, fromJson }: InsertStatements<Columns>,
  rows: readonly NewRow<Columns>[],
): Promise<void> {
  const { companyId } = transaction
  if (transaction.dialect === 'postgres') {
    if (rows.length > 0) await transaction.run(fromJson, { companyId, rows: JSON.stringify(rows) })
    return
  }
  const toValues = (from: number, to: number): SqlValue[] => {
    const values: SqlValue[] = []
    for (const row of rows.slice(from, to)) {
      values.push(companyId)
      for (const name of columns) values.push(row[name])
    }
    return values
  }
  // Every statement starts before the first await, so that statements of the caller run after these.
  const running: Promise<void>[] = []
  const run = (statement: Statement<never>, from: number, to: number) =>
    running.push(Promise.resolve(transaction.run(statement, toValues(from, to))))
  let next = 0
  for (; next + 20 <= rows.length; next += 20) run(twentyRows, next, next + 20)
  for (; next < rows.length; next += 1) run(oneRow, next, next + 1)
  await Promise.all(running)
}
