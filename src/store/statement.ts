// SQL statements: Kysely compiles each once per dialect, and it runs with named parameters.
import { createQueryId, PostgresQueryCompiler, SqliteQueryCompiler, sql, type RawBuilder } from 'kysely'
import type { SqlDialect, SqlContext, SqlValue } from '../engine/sql/dialect.ts'

/** The parameters of a run by name, or in the order of the placeholders. */
export type SqlValues = Readonly<Record<string, SqlValue>> | readonly SqlValue[]

/** Any object whose members are values. */
export type NamedValues<Values> = Readonly<Record<keyof Values, SqlValue>>

/** What a function that writes a statement may use. */
export type Build = SqlContext

/** A statement, compiled once per dialect. `Row` is the type of one row of its result. */
export interface Statement<Row> {
  readonly compiled: (dialect: SqlDialect) => CompiledStatement
  /** Whether it was declared by `crossCompanyStatement`. */
  readonly isCrossCompany: boolean
  /** Never set: carries the type of the rows. */
  readonly row?: Row
}

export interface CompiledStatement {
  readonly sql: string
  /** In their order in the text; a name may occur several times. */
  readonly placeholders: readonly Placeholder[]
}

type Placeholder = { readonly name: string } | { readonly constant: SqlValue }

/**
 * Declares a statement; `build` runs at most once per dialect. On PostgreSQL it finds the rows of the company that is among
 * its values, whatever its conditions are, and fails on a company's table without that value (ADR 0065).
 */
export function statement<Row = never>(build: BuildStatement<never, Row>): Statement<Row> {
  return declare(build, false)
}

/** The same for a statement that finds the rows of every company: where the company is not known yet, and of the server. */
export function crossCompanyStatement<Row = never>(build: BuildStatement<never, Row>): Statement<Row> {
  return declare(build, true)
}

/** Builds a statement; runs once per dialect. */
export interface BuildStatement<Values = never, Row = unknown> {
  (build: Build): RawBuilder<unknown>
  /** Never set: carry the types of the parameters and of the rows. */
  readonly values?: (values: Values) => void
  readonly row?: Row
}

function declare<Row>(build: BuildStatement<never, Row>, isCrossCompany: boolean): Statement<Row> {
  const texts = new Map<SqlDialect, CompiledStatement>()
  return {
    isCrossCompany,
    compiled: (dialect) => {
      let text = texts.get(dialect)
      if (text === undefined) texts.set(dialect, (text = compile(dialect, build)))
      return text
    },
  }
}

class NamedParameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

function compile(dialect: SqlDialect, build: BuildStatement): CompiledStatement {
  // A unary plus changes no value, but hides it from SQLite's planner. A value that the planner has seen makes it plan
  // again at each run with another value, which costs four times a point read.
  const value = (name: string): RawBuilder<never> =>
    dialect === 'sqlite' ? sql`+${new NamedParameter(name)}` : sql`${new NamedParameter(name)}`
  const node = build({ dialect, value }).toOperationNode()
  const compiled = compilers[dialect].compileQuery(node, createQueryId())
  return { sql: compiled.sql, placeholders: compiled.parameters.map(toPlaceholder) }
}

function toPlaceholder(parameter: unknown): Placeholder {
  if (parameter instanceof NamedParameter) return { name: parameter.name }
  if (parameter === null || typeof parameter === 'string' || typeof parameter === 'number')
    return { constant: parameter }
  throw new TypeError(`a statement has a constant of type ${typeof parameter}`)
}

const compilers = { sqlite: new SqliteQueryCompiler(), postgres: new PostgresQueryCompiler() }

/** Columns of rows that are passed as one JSON text, with their SQL types. */
export type RowColumns = Readonly<Record<string, 'text' | 'integer'>>

/** The rows of the JSON array `list` as a derived table named `r`, one element an object of these columns. */
export function rowsFromJson({ dialect, value }: Build, list: string, columns: RowColumns): RawBuilder<unknown> {
  const names = Object.entries(columns)
  if (dialect === 'sqlite') {
    const selected = names.map(([name]) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.id(name)}`)
    return sql`(select ${sql.join(selected)} from jsonb_each(${value(list)})) as r`
  }
  const typed = names.map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type === 'text' ? 'text' : 'bigint')}`)
  return sql`json_to_recordset(${value(list)}::json) as r(${sql.join(typed)})`
}

/** Ids as such a list, with the column `id`. */
export function toIdRows(ids: readonly (number | string)[]): string {
  return JSON.stringify(ids.map((id) => ({ id })))
}

/** An update of the rows whose keys are in a list. */
export interface UpdateEachOptions {
  readonly table: string
  /** Assignments; `r` is the element. */
  readonly set: RawBuilder<unknown>
  /** Those of the list, `id` alone if left out. */
  readonly columns?: RowColumns
  /** Finds one row by its key; that is the company and `id` if left out. */
  readonly where?: RawBuilder<unknown>
}

/**
 * Updates a row for each element of the list `rows`, by its key, in the order of the list. The planner must not scan the
 * table and search the list for each row: on SQLite a limit prevents that, on PostgreSQL a lateral lookup for each
 * element, whatever its statistics of the table are (ADR 0014).
 */
export function updateEach(
  build: Build,
  { table, set, columns = { id: 'integer' }, where = isListed(table) }: UpdateEachOptions,
): RawBuilder<unknown> {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(`r.${name}`)))
  const company = build.value('companyId')
  const rows = rowsFromJson(build, 'rows', columns)
  const updated = sql.table(table)
  if (build.dialect === 'sqlite')
    return sql`update ${updated} set ${set}
      from (select ${company} as "companyId", ${names} from ${rows} limit -1) as r where ${where}`
  return sql`update ${updated} set ${set}
    from (select r.*, target.rowid from (select cast(${company} as bigint) as "companyId", ${names} from ${rows}) as r
      cross join lateral (select ${updated}.ctid as rowid from ${updated} where ${where} limit 1) as target) as r
    where ${updated}.ctid = r.rowid`
}

function isListed(table: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${table}.companyId`)} = r."companyId" and ${sql.ref(`${table}.id`)} = r.id`
}

/**
 * Joins each row to one row of a table by its key; `where` as for `updateEach`. On PostgreSQL the lateral join forces a
 * lookup per row.
 */
export function joinEach(
  { dialect }: Build,
  table: string,
  where: RawBuilder<unknown>,
  as = table,
): RawBuilder<unknown> {
  return dialect === 'sqlite'
    ? sql`cross join ${sql.table(table)} as ${sql.id(as)} on ${where}`
    : sql`cross join lateral (select * from ${sql.table(table)} as ${sql.id(as)} where ${where} limit 1) as ${sql.id(as)}`
}

/** The same as a left join. */
export function leftJoinEach({ dialect }: Build, table: string, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return dialect === 'sqlite'
    ? sql`left join ${sql.table(table)} on ${where}`
    : sql`left join lateral (select * from ${sql.table(table)} where ${where} limit 1) as ${sql.id(table)} on true`
}
