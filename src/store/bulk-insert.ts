// Bulk insert: many rows of one table in few statements, the fastest way per database (ADR 0012).
import { sql, type RawBuilder } from 'kysely'
import type { SqlValue } from '../engine/sql/dialect.ts'
import { rowsFromJson, statement, type Statement } from './statement.ts'
import type { Transaction } from './store.ts'
import { columnTypes, type RowOf, type TableDefinition } from './tables/define-table.ts'

/** A row to insert, without the company. */
export type NewRow<Table extends InsertTable> = Readonly<Omit<RowOf<Table>, 'companyId'>>

type InsertTable = Pick<TableDefinition, 'name' | 'columns'>

export interface InsertStatements<Row> {
  readonly columns: readonly string[]
  readonly oneRow: Statement<never>
  readonly twentyRows: Statement<never>
  readonly fromJson: Statement<never>
  /** Never set: carries the type of the rows. */
  readonly row?: Row
}

/** The insert statements of a table, with all of its columns. `tail` follows the rows, like `on conflict …`. */
export function defineInsert<Table extends InsertTable>(
  table: Table,
  tail: RawBuilder<unknown> = sql``,
): InsertStatements<NewRow<Table>> {
  const columns = columnTypes(table)
  const names = Object.keys(columns)
  const into = sql`insert into ${sql.table(table.name)} (${sql.join(['companyId', ...names].map((name) => sql.id(name)))})`
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

/** Declares a function that inserts rows of the transaction's company; no two of them may have the same key. */
export function bulkInsert<Table extends InsertTable>(
  table: Table,
  tail?: RawBuilder<unknown>,
): (transaction: Transaction, rows: readonly NewRow<Table>[]) => Promise<void> {
  const statements = defineInsert(table, tail)
  return (transaction, rows) => insertRows(transaction, statements, rows)
}

/** The same for statements that are declared already. */
export async function insertRows<Row extends Readonly<Record<string, SqlValue>>>(
  transaction: Transaction,
  { columns, oneRow, twentyRows, fromJson }: InsertStatements<Row>,
  rows: readonly Row[],
): Promise<void> {
  const { companyId } = transaction
  if (transaction.dialect === 'postgres' && rows.length !== 1) {
    if (rows.length > 0) await transaction.run(fromJson, { companyId, rows: JSON.stringify(rows) })
    return
  }
  const toValues = (from: number, to: number): SqlValue[] => {
    const values: SqlValue[] = []
    for (const row of rows.slice(from, to)) {
      values.push(companyId)
      for (const name of columns) values.push(row[name] ?? null)
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
