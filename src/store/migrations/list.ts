// The migrations, in order; the last one's position is the schema's version.
import type { Kysely } from 'kysely'
import type { SqlDialect } from '../../engine/sql/dialect.ts'
import * as initial from './0001-initial.ts'

export interface NumberedMigration {
  readonly name: string
  readonly up: (db: Kysely<unknown>, dialect: SqlDialect) => Promise<void>
}

export const migrations: readonly NumberedMigration[] = [{ name: '0001-initial', up: initial.up }]
