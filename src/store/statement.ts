// A statement is built once per database by Kysely, kept as text, and run with named values.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type CompiledQuery,
  type RawBuilder,
} from 'kysely'
import type { DialectName, SqlContext, SqlValue } from '../engine/sql/dialect.ts'
import type { Tables } from './tables.ts'

/** The values of a run by name, or in the order of the statement's places. */
export type SqlValues = Readonly<Record<string, SqlValue>> | readonly SqlValue[]

/** What a builder function may use: Kysely without a connection, and places for values. */
export interface Build extends SqlContext {
  readonly db: Kysely<Tables>
  /** A place of its own name for each column. */
  readonly values: <Name extends string>(...names: Name[]) => Record<Name, RawBuilder<never>>
}

interface Compilable {
  compile(): CompiledQuery
}

/** A statement with its text per database. `Row` is what one row of its answer looks like. */
export interface Statement<Row> {
  readonly text: (dialect: DialectName) => StatementText
  /** Never set: carries the type of the rows. */
  readonly row?: Row
}

export interface StatementText {
  readonly sql: string
  /** In the order of the places; a name may stand several times. */
  readonly places: readonly Place[]
}

type Place = { readonly name: string } | { readonly constant: SqlValue }

/** Declares a statement; `build` runs at most once per database. */
export function statement<Row = never>(
  build: (build: Build) => Compilable | RawBuilder<unknown>,
): Statement<Row> {
  const texts = new Map<DialectName, StatementText>()
  return {
    text: (dialect) => {
      let text = texts.get(dialect)
      if (text === undefined) texts.set(dialect, (text = compile(dialect, build)))
      return text
    },
  }
}

/** The values of a run, in the order of the statement's places. */
export function valuesInOrder(text: StatementText, values: SqlValues): readonly SqlValue[] {
  if (isOrdered(values)) return values
  return text.places.map((place) => {
    if ('constant' in place) return place.constant
    const value = values[place.name]
    if (value === undefined) throw new Error(`no value named ${place.name} for: ${text.sql}`)
    return value
  })
}

function isOrdered(values: SqlValues): values is readonly SqlValue[] {
  return Array.isArray(values)
}

class NamedValue {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

function compile(
  dialect: DialectName,
  build: (build: Build) => Compilable | RawBuilder<unknown>,
): StatementText {
  const db = builders[dialect]
  // A plus before a place changes no value, but SQLite's planner does not look through it. What it has
  // looked at makes it plan anew at each run with another value, which costs four times a point read.
  const value = (name: string): RawBuilder<never> =>
    dialect === 'sqlite' ? sql`+${new NamedValue(name)}` : sql`${new NamedValue(name)}`
  const values = <Name extends string>(...names: Name[]) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, RawBuilder<never>>
  const built = build({ dialect, db, value, values })
  const compiled = 'isRawBuilder' in built ? built.compile(db) : built.compile()
  return { sql: compiled.sql, places: compiled.parameters.map(toPlace) }
}

function toPlace(parameter: unknown): Place {
  if (parameter instanceof NamedValue) return { name: parameter.name }
  if (parameter === null || typeof parameter === 'string' || typeof parameter === 'number')
    return { constant: parameter }
  throw new TypeError(`a statement holds a constant of type ${typeof parameter}`)
}

const builders: Readonly<Record<DialectName, Kysely<Tables>>> = {
  sqlite: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
}

/** Columns of a list that travels as one JSON text, with their SQL types. */
export type RowColumns = Readonly<Record<string, 'text' | 'integer'>>

/** The rows of the JSON array `list` as a derived table named `r`, one element an object of these columns. */
export function rowsOf(
  { dialect, value }: Build,
  list: string,
  columns: RowColumns,
): RawBuilder<unknown> {
  const names = Object.entries(columns)
  if (dialect === 'sqlite') {
    const picked = names.map(([name]) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.id(name)}`)
    return sql`(select ${sql.join(picked)} from json_each(${value(list)})) as r`
  }
  const typed = names.map(
    ([name, type]) => sql`${sql.id(name)} ${sql.raw(type === 'text' ? 'text' : 'bigint')}`,
  )
  return sql`json_to_recordset(${value(list)}::json) as r(${sql.join(typed)})`
}

/** A change of the rows that a list names. */
export interface EachUpdate {
  readonly table: string
  /** Assignments; `r` is the element. */
  readonly set: RawBuilder<unknown>
  readonly columns: RowColumns
  /** Leads to one row by its key: `offer."companyId" = r."companyId" and offer."lineId" = r.id`. */
  readonly where: RawBuilder<unknown>
}

/**
 * Updates a row for each element of the list `rows`, by its key, in the order of the list: the planners must not walk
 * through the table and the list for each of its rows. SQLite is kept from it by a limit, PostgreSQL by a lookup of its
 * own for each element, whatever it knows or does not know of the table yet (ADR 0087).
 */
export function updateEach(
  build: Build,
  { table, set, columns, where }: EachUpdate,
): RawBuilder<unknown> {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(`r.${name}`)))
  const company = build.value('companyId')
  const rows = rowsOf(build, 'rows', columns)
  const updated = sql.table(table)
  if (build.dialect === 'sqlite')
    return sql`update ${updated} set ${set}
      from (select ${company} as "companyId", ${names} from ${rows} limit -1) as r where ${where}`
  return sql`update ${updated} set ${set}
    from (select r.*, found.place from (select cast(${company} as bigint) as "companyId", ${names} from ${rows}) as r
      cross join lateral (select ${updated}.ctid as place from ${updated} where ${where} limit 1) as found) as r
    where ${updated}.ctid = r.place`
}

/**
 * The row of a table that belongs to each row before it, by its key; `where` as for `updateEach`. Said so that
 * PostgreSQL, too, looks it up row by row.
 */
export function eachOf(
  { dialect }: Build,
  table: string,
  where: RawBuilder<unknown>,
  as = table,
): RawBuilder<unknown> {
  return dialect === 'sqlite'
    ? sql`cross join ${sql.table(table)} as ${sql.id(as)} on ${where}`
    : sql`cross join lateral (select * from ${sql.table(table)} as ${sql.id(as)} where ${where} limit 1) as ${sql.id(as)}`
}

/** The same; where there is none, its columns are null. */
export function eachIfAny(
  { dialect }: Build,
  table: string,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return dialect === 'sqlite'
    ? sql`left join ${sql.table(table)} on ${where}`
    : sql`left join lateral (select * from ${sql.table(table)} where ${where} limit 1) as ${sql.id(table)} on true`
}
