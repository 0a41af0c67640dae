// Row cache: whether statements find a row, for as long as nobody changes such rows.
import type { SqlValues, Statement } from './statement.ts'
import type { Awaitable } from './store.ts'

/** `Found` is a promise where the database replies later. */
export class RowCache<Found extends Awaitable<boolean>> {
  readonly #found = new Map<Statement<unknown>, Map<string, Found>>()

  /** The result of `find`, or of an earlier call with the same statement and values. */
  hasRow(statement: Statement<unknown>, values: SqlValues, find: () => Found): Found {
    const key = JSON.stringify(values)
    let found = this.#found.get(statement)
    if (found === undefined) this.#found.set(statement, (found = new Map<string, Found>()))
    let isFound = found.get(key)
    if (isFound === undefined) found.set(key, (isFound = find()))
    return isFound
  }

  clear(): void {
    this.#found.clear()
  }
}
