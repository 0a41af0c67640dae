// The directory and material are related by their indexes, not by looking through all of a company (ADR 0029).
import type { Kysely } from 'kysely'
import { tellPlanner } from '#store/migrations/statistics.ts'
import type { DialectName } from '#store/statement.ts'

export const up = (db: Kysely<unknown>, dialect: DialectName): Promise<void> =>
  tellPlanner(db, dialect, ['department', 'site', 'project', 'employee', 'material'])
