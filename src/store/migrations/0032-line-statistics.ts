// Lines of the export are related by their indexes, too: few of them are corrections, and the planner cannot know (ADR 0029).
import type { Kysely } from 'kysely'
import { tellPlanner } from '#store/migrations/statistics.ts'
import type { DialectName } from '#store/statement.ts'

export const up = (db: Kysely<unknown>, dialect: DialectName): Promise<void> =>
  tellPlanner(db, dialect, ['exportLine'])
