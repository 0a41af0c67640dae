// Queries and commands: functions that run one statement with parameters of a declared type.
import type { RawBuilder } from 'kysely'
import type { CompanyId } from '../engine/model/resource.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import {
  crossCompanyStatement,
  rowsFromJson,
  statement,
  type Build,
  type BuildStatement,
  type NamedValues,
  type Statement,
} from './statement.ts'
import type { Awaitable, Reader, Transaction, Writer } from './store.ts'

/** Rows of the company that is among the values, or of every company, as with `crossCompanyStatement`. */
type RowScope = 'oneCompany' | 'everyCompany'

/** Nothing for a statement without parameters. */
export type StatementParameters<Values> = keyof Values extends never ? [values?: Values] : [values: Values]
type FirstRow<Access, Values, Row> = (
  access: Access,
  ...values: StatementParameters<Values>
) => Awaitable<Row | undefined>
type AllRows<Access, Values, Row> = (access: Access, ...values: StatementParameters<Values>) => Awaitable<Row[]>
type HasRow<Access, Values> = (access: Access, ...values: StatementParameters<Values>) => Promise<boolean>

/** The parameters of a statement without any. */
export type NoValues = object

/** Declares a function that finds the first row. */
export function rowQuery<Values extends NamedValues<Values>, Row>(
  build: BuildStatement<Values, Row>,
  scope?: RowScope,
): FirstRow<Reader, Values, Row> {
  const declared = declare<Row>(build, scope)
  return (reader, ...[values]) => reader.first(declared, values ?? {})
}

/** Declares a function that finds all rows. */
export function rowsQuery<Values extends NamedValues<Values>, Row>(
  build: BuildStatement<Values, Row>,
  scope?: RowScope,
): AllRows<Reader, Values, Row> {
  const declared = declare<Row>(build, scope)
  return (reader, ...[values]) => reader.all(declared, values ?? {})
}

/** Declares a function that tells whether there is a row. */
export function existsQuery<Values extends NamedValues<Values>>(
  build: BuildStatement<Values>,
  scope?: RowScope,
): HasRow<Reader, Values> {
  const findRow = rowQuery<Values, unknown>(build, scope)
  return async (reader, ...values) => (await findRow(reader, ...values)) !== undefined
}

/** Declares a function that changes rows. */
export function command<Values extends NamedValues<Values>>(
  build: BuildStatement<Values, never>,
  scope?: RowScope,
): (writer: Writer, values: Values) => Awaitable<void> {
  const declared = declare<never>(build, scope)
  return (writer, values) => writer.run(declared, values)
}

/** Declares a function that changes rows and returns the first of them. */
export function commandReturning<Values extends NamedValues<Values>, Row>(
  build: BuildStatement<Values, Row>,
  scope?: RowScope,
): FirstRow<Writer, Values, Row> {
  return rowQuery(build, scope)
}

/** Declares a function that changes rows, by a statement that returns them, and tells whether there was one. */
export function commandChanges<Values extends NamedValues<Values>>(
  build: BuildStatement<Values>,
): HasRow<Writer, Values> {
  return existsQuery(build)
}

type OfCompany = Readonly<{ companyId: CompanyId }>

/** Declares a function that finds the first row of the transaction's company, whose id is added to the values. */
export function companyRowQuery<Values extends NamedValues<Values>, Row>(
  build: BuildStatement<Values & OfCompany, Row>,
): FirstRow<Transaction, Omit<Values, 'companyId'>, Row> {
  const declared = statement<Row>(build)
  return (transaction, ...[values]) => transaction.first(declared, { companyId: transaction.companyId, ...values })
}

/** The same for all rows. */
export function companyRowsQuery<Values extends NamedValues<Values>, Row>(
  build: BuildStatement<Values & OfCompany, Row>,
): AllRows<Transaction, Omit<Values, 'companyId'>, Row> {
  const declared = statement<Row>(build)
  return (transaction, ...[values]) => transaction.all(declared, { companyId: transaction.companyId, ...values })
}

/** The same for a function that changes rows. */
export function companyCommand<Values extends NamedValues<Values>>(
  build: BuildStatement<Values & OfCompany, never>,
): (transaction: Transaction, values: Omit<Values, 'companyId'>) => Awaitable<void> {
  const declared = statement(build)
  return (transaction, values) => transaction.run(declared, { companyId: transaction.companyId, ...values })
}

/** Writes a statement with the rows of its list, which are named `r`. */
type BuildOfList = (build: Build, list: RawBuilder<unknown>) => RawBuilder<unknown>

/** The columns of the list's rows. */
type ColumnsOf<Item> = Readonly<Record<keyof Item & string, 'text' | 'integer'>>

/** Declares a function that finds rows for a list of such rows, by a statement for each part of it. */
export function listQuery<Item, Values extends NamedValues<Values>, Row>(columns: ColumnsOf<Item>, write: BuildOfList) {
  const declared = statement<Row>((build) => write(build, rowsFromJson(build, 'rows', columns)))
  return (
    transaction: Transaction,
    list: readonly Item[],
    ...[values]: StatementParameters<Values>
  ): Awaitable<Row[]> => {
    const rowsOf = (part: readonly Item[]) =>
      transaction.all(declared, { companyId: transaction.companyId, rows: JSON.stringify(part), ...values })
    if (list.length <= listRowsMax) return list.length === 0 ? [] : rowsOf(list)
    const rows: Row[] = []
    // An item may find any number of rows.
    const collect = async (part: readonly Item[]) => {
      for (const row of await rowsOf(part)) rows.push(row)
    }
    return Promise.resolve(forEachChunk(list, listRowsMax, collect)).then(() => rows)
  }
}

/** Some milliseconds for each statement. More statements would each be slow while the statistics of a table that has just grown are old. */
const listRowsMax = 2000

/** The same for a function that changes rows; `rowsMax` for rows that take longer. */
export function listCommand<Item, Values extends NamedValues<Values>>(
  columns: ColumnsOf<Item>,
  write: BuildOfList,
  rowsMax = listRowsMax,
) {
  const declared = statement((build) => write(build, rowsFromJson(build, 'rows', columns)))
  return (transaction: Transaction, list: readonly Item[], ...[values]: StatementParameters<Values>): Awaitable<void> =>
    forEachChunk(list, rowsMax, (part) =>
      transaction.run(declared, { companyId: transaction.companyId, rows: JSON.stringify(part), ...values }),
    )
}

/** `listQuery` for a list of ids, with the column `id`. */
export function idsQuery<Values extends NamedValues<Values>, Row>(
  write: BuildOfList,
  type: 'integer' | 'text' = 'integer',
) {
  const query = listQuery<{ id: number | string }, Values, Row>({ id: type }, write)
  return (transaction: Transaction, ids: readonly (number | string)[], ...values: StatementParameters<Values>) =>
    query(transaction, ids.map(toIdRow), ...values)
}

/** The same for a function that finds those of the ids that meet a condition. */
export function idSetQuery<Values extends NamedValues<Values>>(write: BuildOfList) {
  const query = idsQuery<Values, { id: number }>(write)
  return async (transaction: Transaction, ids: readonly number[], ...values: StatementParameters<Values>) => {
    const found = await query(transaction, ids, ...values)
    return new Set(found.map(({ id }) => id))
  }
}

/** `idsQuery` for a function that changes rows. */
export function idsCommand<Values extends NamedValues<Values>>(
  write: BuildOfList,
  type: 'integer' | 'text' = 'integer',
) {
  const change = listCommand<{ id: number | string }, Values>({ id: type }, write)
  return (transaction: Transaction, ids: readonly (number | string)[], ...values: StatementParameters<Values>) =>
    change(transaction, ids.map(toIdRow), ...values)
}

function toIdRow<Id>(id: Id) {
  return { id }
}

function declare<Row>(build: BuildStatement<never, Row>, scope: RowScope = 'oneCompany'): Statement<Row> {
  return scope === 'everyCompany' ? crossCompanyStatement(build) : statement(build)
}
