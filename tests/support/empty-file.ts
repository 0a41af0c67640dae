// An empty SQLite database for query plans: with the product's fixed statistics, those of a full one (ADR 0014).
import Database from 'better-sqlite3'
import { beforeAll } from 'vitest'
import type { ReadPlan } from '../../src/engine/planner/read-plan.ts'
import { rowStatement } from '../../src/store/read.ts'
import { addFunctions } from '../../src/store/sqlite/functions.ts'
import type { Statement } from '../../src/store/statement.ts'
import { sqlite as database } from './databases.ts'

export interface EmptyFile {
  readonly url: string
  readonly sqlite: Database.Database
  /** The steps of EXPLAIN QUERY PLAN. */
  explain(statement: Statement<unknown>): string[]
  /** Those of a read of JSON records. */
  stepsOf(plan: ReadPlan): string[]
}

/** A file for all tests of a suite, which is deleted after them. Before the first test its members are missing. */
export function useEmptyFile(name: string): EmptyFile {
  const file = {} as EmptyFile
  beforeAll(async () => {
    const { url, drop } = await database.make(name)
    const sqlite = new Database(url.replace('sqlite:', ''))
    addFunctions(sqlite)
    const explain: EmptyFile['explain'] = (statement) => {
      const { sql, placeholders } = statement.compiled('sqlite')
      const rows = sqlite.prepare(`explain query plan ${sql}`).all(...placeholders.map(() => 1))
      return rows.map((row) => (row as { detail: string }).detail)
    }
    Object.assign(file, {
      url,
      sqlite,
      explain,
      stepsOf: (plan: ReadPlan) => explain(rowStatement(plan, 'json')),
    } satisfies EmptyFile)
    return async () => {
      sqlite.close()
      await drop()
    }
  })
  return file
}
