// Queries and commands: functions that run one statement with parameters of a declared type.
import type { CompanyId } from '../engine/model/resource.ts'
import {
  crossCompanyStatement,
  statement,
  toIdRows,
  type BuildStatement,
  type NamedValues,
  type Statement,
} from './statement.ts'
import type { Awaitable, Reader, Transaction, Writer } from './store.ts'

/** Rows of the company that is among the values, or of every company, as with `crossCompanyStatement`. */
type RowScope = 'oneCompany' | 'everyCompany'

/** Nothing for a statement without parameters. */
type Parameters<Values> = keyof Values extends never ? [values?: Values] : [values: Values]
type FirstRow<Access, Values, Row> = (access: Access, ...values: Parameters<Values>) => Awaitable<Row | undefined>
type AllRows<Access, Values, Row> = (access: Access, ...values: Parameters<Values>) => Awaitable<Row[]>
type HasRow<Access, Values> = (access: Access, ...values: Parameters<Values>) => Promise<boolean>

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
  scope?: RowScope,
): HasRow<Writer, Values> {
  return existsQuery(build, scope)
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

/**
 * Declares a function that finds rows for ids of the transaction's company, which the statement has as the list `ids`. There
 * are none for no ids.
 */
export function idsQuery<Values extends NamedValues<Values>, Row>(
  build: BuildStatement<Values & OfCompany & Readonly<{ ids: string }>, Row>,
) {
  const declared = statement<Row>(build)
  return (
    transaction: Transaction,
    ids: readonly (number | string)[],
    ...[values]: Parameters<Values>
  ): Awaitable<Row[]> =>
    ids.length === 0
      ? []
      : transaction.all(declared, { companyId: transaction.companyId, ids: toIdRows(ids), ...values })
}

/** The same for a function that changes rows, by a statement that has the ids as the list `rows`. */
export function idsCommand<Values extends NamedValues<Values>>(
  build: BuildStatement<Values & OfCompany & Readonly<{ rows: string }>, never>,
) {
  const declared = statement(build)
  return (transaction: Transaction, ids: readonly number[], ...[values]: Parameters<Values>): Awaitable<void> =>
    ids.length === 0
      ? undefined
      : transaction.run(declared, { companyId: transaction.companyId, rows: toIdRows(ids), ...values })
}

function declare<Row>(build: BuildStatement<never, Row>, scope: RowScope = 'oneCompany'): Statement<Row> {
  return scope === 'everyCompany' ? crossCompanyStatement(build) : statement(build)
}
