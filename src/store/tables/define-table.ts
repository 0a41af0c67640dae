// Table definitions: one place for the columns, keys, references and row type of a table.

/** A column: `Value` is what its rows hold. */
export class ColumnDefinition<Value> {
  readonly type: 'text' | 'integer'
  readonly isNullable: boolean
  /** `null` where there is none; `autoincrement` where the database counts. */
  readonly defaultValue: string | number | typeof autoincremented | null
  declare readonly row: Value

  constructor(
    type: 'text' | 'integer',
    isNullable: boolean,
    defaultValue: string | number | typeof autoincremented | null = null,
  ) {
    this.type = type
    this.isNullable = isNullable
    this.defaultValue = defaultValue
  }

  orNull(): ColumnDefinition<Value | null> {
    return new ColumnDefinition(this.type, true, this.defaultValue)
  }

  default(value: Value & (string | number)): ColumnDefinition<Value> {
    return new ColumnDefinition(this.type, this.isNullable, value)
  }
}

export const autoincremented = Symbol('autoincremented')

/** Text, compared and sorted by code point in both databases. */
export function text<Value extends string = string>(): ColumnDefinition<Value> {
  return new ColumnDefinition('text', false)
}

/** A whole number of 64 bits: also a boolean (0 and 1), a decimal in ten-thousandths, a timestamp in microseconds. */
export function integer<Value extends number = number>(): ColumnDefinition<Value> {
  return new ColumnDefinition('integer', false)
}

/** The primary key of a server table: counts up, and no number is used twice. */
export function autoincrement(): ColumnDefinition<number> {
  return new ColumnDefinition('integer', false, autoincremented)
}

export type Columns = Readonly<Record<string, ColumnDefinition<string | number | null>>>

export interface IndexDefinition {
  readonly columns: readonly string[]
  readonly isUnique: boolean
  /** Over the rows of all companies, of a company table: for what is looked up before the company is known. */
  readonly isServerWide: boolean
  /** SQLite has it too. */
  readonly isOnSqlite: boolean
  /** SQL: the rows that it has. */
  readonly where: string | null
}

/** SQL in place of a column of an index. */
export function expression(text: string): string {
  return `(${text})`
}

/** `columns` without `companyId`, which every index of a company table begins with. */
export function index(
  columns: readonly string[],
  options: Partial<Omit<IndexDefinition, 'columns'>> = {},
): IndexDefinition {
  return { columns, isUnique: false, isServerWide: false, isOnSqlite: true, where: null, ...options }
}

export interface TableDefinition<Name extends string = string, All extends Columns = Columns> {
  readonly name: Name
  readonly columns: All
  readonly primaryKey: readonly string[]
  readonly indexes: Readonly<Record<string, IndexDefinition>>
  readonly references: readonly Reference[]
  /** SQL conditions by the name of their constraint. */
  readonly checks: Readonly<Record<string, string>>
  /** Triggers reject updates and deletes. */
  readonly isAppendOnly: boolean
  /** PostgreSQL shows a company its own rows only (ADR 0065). */
  readonly hasRowSecurity: boolean
}

/** Columns that hold the primary key of another table; checked at the commit. */
export interface Reference {
  readonly columns: readonly string[]
  readonly table: string
  readonly keys: readonly string[]
}

interface TableOptions<All extends Columns> {
  readonly columns: All
  /** `['id']` unless it says otherwise. */
  readonly primaryKey?: readonly (keyof All & string)[]
  readonly indexes?: Readonly<Record<string, IndexDefinition>>
  /** The table whose `id` a column holds; of a company table, the record of the same company. */
  readonly references?: Readonly<Record<string, string>>
  readonly checks?: Readonly<Record<string, string>>
  readonly isAppendOnly?: boolean
  /** Of a server table; those of companies have it always. */
  readonly hasRowSecurity?: boolean
}

/** Tables whose rows belong to no company. */
const serverTables = new Set(['company', 'user'])

/** A table of the server, which belongs to no company, though a column may name one. */
export function serverTable<const Name extends string, const All extends Columns>(
  name: Name,
  { columns, references = {}, ...options }: TableOptions<All>,
): TableDefinition<Name, All> {
  return {
    name,
    columns,
    primaryKey: ['id'],
    indexes: {},
    references: Object.entries(references).map(([column, table]) => ({ columns: [column], table, keys: ['id'] })),
    checks: {},
    isAppendOnly: false,
    hasRowSecurity: false,
    ...options,
  }
}

/** A table whose rows belong to a company: its first column, and that of every key and every unique index, is `companyId`. */
export function companyTable<const Name extends string, const All extends Columns>(
  name: Name,
  options: TableOptions<All>,
): TableDefinition<Name, { companyId: ColumnDefinition<number> } & All> {
  const table = serverTable(name, options)
  const withCompany = (list: readonly string[]) => ['companyId', ...list]
  const indexes = Object.entries(table.indexes).map(([key, one]) => [
    key,
    one.isServerWide ? one : { ...one, columns: withCompany(one.columns) },
  ])
  const references = table.references.map((one) =>
    serverTables.has(one.table) ? one : { ...one, columns: withCompany(one.columns), keys: withCompany(one.keys) },
  )
  return {
    ...table,
    columns: { companyId: integer(), ...options.columns },
    primaryKey: withCompany(table.primaryKey),
    indexes: Object.fromEntries(indexes),
    references: [{ columns: ['companyId'], table: 'company', keys: ['id'] }, ...references],
    hasRowSecurity: true,
  }
}

/** The types of the columns by name, without the company. */
export function columnTypes({
  columns,
}: Pick<TableDefinition, 'columns'>): Readonly<Record<string, 'text' | 'integer'>> {
  const { companyId: _, ...others }: Columns = columns
  return Object.fromEntries(Object.entries(others).map(([name, { type }]) => [name, type]))
}

/** The names of the columns, without the company. */
export function columnNames<All extends Columns>({ columns }: { readonly columns: All }) {
  return Object.keys(columns).filter((name): name is Exclude<keyof All & string, 'companyId'> => name !== 'companyId')
}

/** A row as a query reads it. */
export type RowOf<Table extends Pick<TableDefinition, 'columns'>> = {
  -readonly [Name in keyof Table['columns']]: Table['columns'][Name]['row']
}
