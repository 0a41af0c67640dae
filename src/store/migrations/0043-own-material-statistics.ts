// What SQLite believes of material, told once more: an index came after it was told (ADR 0029).
import type { Kysely } from 'kysely'
import { tellPlanner } from '#store/migrations/statistics.ts'
import type { DialectName } from '#store/statement.ts'

export const up = (db: Kysely<unknown>, dialect: DialectName): Promise<void> =>
  tellPlanner(db, dialect, ['material'])
