// What a piece of SQL is written with: the database it is for, and placeholders for its values.
import type { RawBuilder } from 'kysely'

export type DialectName = 'sqlite' | 'postgres'

/** A value that is bound to a placeholder of a statement. */
export type SqlValue = string | number | Buffer | null

/** What every function that writes SQL needs to know. */
export interface SqlContext {
  readonly dialect: DialectName
  /** A placeholder that is bound to the value of this name at each run; it fits a column of any type. */
  readonly value: (name: string) => RawBuilder<never>
}
