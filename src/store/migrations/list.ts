// The migrations, in order; the last one's position is the schema's version.
import type { Kysely } from 'kysely'
import type { SqlDialect } from '../../engine/sql/dialect.ts'
import * as initial from './0001-initial.ts'

export interface NumberedMigration {
  readonly name: string
  readonly up: (db: Kysely<unknown>, dialect: SqlDialect) => Promise<void>
}

export const migrations: readonly NumberedMigration[] = [
  { name: `0001-initial-${initial.fingerprint()}`, up: initial.up },
]

/**
 * Why this version cannot use what has these migrations, and what to do; null where it can. `what` is the database or a
 * backup.
 */
export function describeUnknownMigrations(what: string, names: readonly string[]): string | null {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length === 0) return null
  const has = `(it has ${unknown.join(', ')})`
  return unknown.some((name) => name.startsWith('0001-'))
    ? `${what} has the schema of a version before the first release ${has}, which no other version can read or upgrade. Use it with the version that created it, or start with another data folder or database, and import the data there.`
    : `${what} was migrated by a newer dagsverk ${has}. Use that version or a newer one.`
}
