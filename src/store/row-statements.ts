// Row statements: rows of one table, found by columns that equal the parameters of the same names.
import { sql, type RawBuilder } from 'kysely'
import type { Build, BuildStatement } from './statement.ts'
import type { tables } from './tables.ts'
import type { Columns, RowOf, TableDefinition } from './tables/define-table.ts'

type TableName = keyof typeof tables
type TableRow<Table extends TableName> = RowOf<(typeof tables)[Table]>
type ColumnName<Table extends TableName> = keyof TableRow<Table> & string

interface SelectOptions<Table extends TableName, Columns> {
  /** All columns if left out. */
  readonly columns?: Columns
  readonly orderBy?: readonly (ColumnName<Table> | `${ColumnName<Table>} desc`)[]
}

/** Selects the rows with these values of the keys. */
export function selectWhere<
  Table extends TableName,
  const Keys extends readonly ColumnName<Table>[],
  const Columns extends readonly ColumnName<Table>[] = readonly ColumnName<Table>[],
>(
  table: Table,
  keys: Keys,
  { columns, orderBy = [] }: SelectOptions<Table, Columns> = {},
): BuildStatement<Pick<TableRow<Table>, Keys[number]>, Pick<TableRow<Table>, Columns[number]>> {
  const order = orderBy.map((term) => (term.endsWith(' desc') ? sql`${sql.id(term.slice(0, -5))} desc` : sql.id(term)))
  const selected = columns === undefined ? sql`*` : toList(columns)
  const tail = order.length === 0 ? sql`` : sql` order by ${sql.join(order)}`
  return (build) => sql`select ${selected} from ${sql.table(table)} ${where(build, keys)}${tail}`
}

/** Inserts one row; columns that are left out get their defaults. */
export function insertInto<Table extends TableName, Column extends ColumnName<Table>>(
  table: Table,
  ...columns: readonly Column[]
): BuildStatement<Pick<TableRow<Table>, Column>, never> {
  return ({ value }) =>
    sql`insert into ${sql.table(table)} (${toList(columns)}) values (${sql.join(columns.map(value))})`
}

/** The same for `commandReturning` and `commandChanges`: returns the row, or none where another one has its key. */
export function insertReturning<Table extends TableName, Column extends ColumnName<Table>>(
  table: Table,
  ...columns: readonly Column[]
): BuildStatement<Pick<TableRow<Table>, Column>, TableRow<Table>> {
  const insert = insertInto(table, ...columns)
  return (build) => sql`${insert(build)} on conflict do nothing returning *`
}

/** Inserts one row with all columns but these. */
export function insertRow<Name extends string, All extends Columns, Omitted extends keyof All & string = never>(
  { name, columns }: TableDefinition<Name, All>,
  ...omitted: readonly Omitted[]
): BuildStatement<Omit<RowOf<{ columns: All }>, Omitted>, never> {
  const others: readonly string[] = omitted
  const names = Object.keys(columns).filter((column) => !others.includes(column))
  return ({ value }) => sql`insert into ${sql.table(name)} (${toList(names)}) values (${sql.join(names.map(value))})`
}

/** Inserts one row, or changes columns of the row with these values of the keys, which are unique. */
export function upsertInto<
  Table extends TableName,
  const Keys extends readonly ColumnName<Table>[],
  const Changed extends readonly ColumnName<Table>[],
>(
  table: Table,
  keys: Keys,
  changed: Changed,
): BuildStatement<Pick<TableRow<Table>, Keys[number] | Changed[number]>, never> {
  const insert = insertInto(table, ...keys, ...changed)
  return (build) =>
    sql`${insert(build)} on conflict (${toList(keys)}) do update set ${sql.join(equals(build, changed))}`
}

/** Changes columns of the rows with these values of the keys. `more` are further assignments. */
export function updateWhere<
  Table extends TableName,
  const Keys extends readonly ColumnName<Table>[],
  const Changed extends readonly ColumnName<Table>[],
>(
  table: Table,
  keys: Keys,
  changed: Changed,
  ...more: readonly RawBuilder<unknown>[]
): BuildStatement<Pick<TableRow<Table>, Keys[number] | Changed[number]>, never> {
  return (build) =>
    sql`update ${sql.table(table)} set ${sql.join([...equals(build, changed), ...more])} ${where(build, keys)}`
}

/** Marks a changed row, so that every cache and session that depends on it ends. */
export const nextVersion = sql`version = version + 1`

/** Deletes the rows with these values of the keys. */
export function deleteWhere<Table extends TableName, Key extends ColumnName<Table>>(
  table: Table,
  ...keys: readonly Key[]
): BuildStatement<Pick<TableRow<Table>, Key>, never> {
  return (build) => sql`delete from ${sql.table(table)} ${where(build, keys)}`
}

/** Deletes the rows whose column is below `before`. */
export function deleteBefore<Table extends TableName>(
  table: Table,
  column: ColumnName<Table>,
): BuildStatement<{ before: number }, never> {
  return ({ value }) => sql`delete from ${sql.table(table)} where ${sql.id(column)} < ${value('before')}`
}

/** The same for `commandReturning` and `commandChanges`: returns the deleted rows. */
export function deleteReturning<Table extends TableName, Key extends ColumnName<Table>>(
  table: Table,
  ...keys: readonly Key[]
): BuildStatement<Pick<TableRow<Table>, Key>, TableRow<Table>> {
  return (build) => sql`delete from ${sql.table(table)} ${where(build, keys)} returning *`
}

function where(build: Build, keys: readonly string[]): RawBuilder<unknown> {
  return sql`where ${sql.join(equals(build, keys), sql` and `)}`
}

function equals({ value }: Build, names: readonly string[]): RawBuilder<unknown>[] {
  return names.map((name) => sql`${sql.id(name)} = ${value(name)}`)
}

function toList(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.id(name)))
}
