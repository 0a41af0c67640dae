// SQL generation context: dialect and parameters.
import type { RawBuilder } from 'kysely'

/** A fragment of a statement, with its parameters. */
export type Sql = RawBuilder<unknown>

export type SqlDialect = 'sqlite' | 'postgres'

/** A value that is bound to a placeholder of a statement. */
export type SqlValue = string | number | Buffer | null

/** The context of all functions that generate SQL. */
export interface SqlContext {
  readonly dialect: SqlDialect
  /** A parameter that is bound to the value of this name at each execution; it fits a column of any type. */
  readonly value: (name: string) => RawBuilder<never>
}
