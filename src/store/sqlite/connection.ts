// SQLite connection: opened with safe settings, with a cache of prepared statements.
import Database from 'better-sqlite3'
import { LeastRecentlyUsed } from '../../lib/least-recently-used.ts'
import { addFunctions } from './functions.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { isBusy } from './errors.ts'
import { orderValues } from '../order-values.ts'
import type { SqlValues, Statement } from '../statement.ts'

/** The purpose of a connection: `long` for long transactions and checkpoints. Readers and streams are read-only. */
type ConnectionMode = 'writer' | 'long' | 'reader' | 'stream'

/** A stream reads most pages once, and a long transaction writes most of them once, so a large cache would waste memory. */
const cacheKiB: Readonly<Record<ConnectionMode, number>> = { writer: 65_536, long: 4096, reader: 65_536, stream: 4096 }

/** Opens the file. `synchronous` is set and read back: some builds lower it on a file that is in WAL mode. */
export function connect(path: string, mode: ConnectionMode): Connection {
  const isWriting = mode === 'writer' || mode === 'long'
  const raw = new Database(path, { readonly: !isWriting, fileMustExist: mode !== 'writer', timeout: busyTimeoutMs })
  if (isWriting) {
    raw.pragma('journal_mode = WAL')
    // Otherwise the pages that savepoints and statements copy become a temporary file in most commits.
    raw.pragma('temp_store = MEMORY')
  }
  raw.pragma(`cache_size = -${cacheKiB[mode]}`)
  raw.pragma('synchronous = FULL')
  raw.pragma('foreign_keys = ON')
  raw.pragma('trusted_schema = OFF')
  raw.pragma('cell_size_check = ON')
  if (raw.pragma('synchronous', { simple: true }) !== 2) {
    raw.close()
    throw new Error('SQLite does not keep synchronous=FULL: refusing to write without it')
  }
  addFunctions(raw)
  return new Connection(raw)
}

/** The rows of a statement that returns some, and else the number of rows that it changed. */
export interface StatementResult {
  readonly rows: readonly unknown[]
  readonly changes: number
}

/** How long a statement waits for another process. */
export const busyTimeoutMs = 5000
const statementsMin = 250

export class Connection {
  readonly raw: Database.Database
  readonly #prepared = new LeastRecentlyUsed<string, Database.Statement<SqlValue[]>>(statementsMin)
  /** Those that return their first column: to switch a statement between the two costs as much as to find it. */
  readonly #plucked = new LeastRecentlyUsed<string, Database.Statement<SqlValue[], string>>(statementsMin)

  constructor(raw: Database.Database) {
    this.raw = raw
  }

  all<Row>(statement: Statement<Row>, values: SqlValues): Row[] {
    const text = statement.compiled('sqlite')
    return this.#prepare<Row>(text.sql).all(...orderValues(text, values))
  }

  first<Row>(statement: Statement<Row>, values: SqlValues): Row | undefined {
    const text = statement.compiled('sqlite')
    return this.#prepare<Row>(text.sql).get(...orderValues(text, values))
  }

  run(statement: Statement<never>, values: SqlValues): void {
    this.change(statement, values)
  }

  /** The number of rows that the statement changed. */
  change(statement: Statement<never>, values: SqlValues): number {
    const text = statement.compiled('sqlite')
    return this.#prepare(text.sql).run(...orderValues(text, values)).changes
  }

  /** Reads a row from an array of the values of its columns. */
  rowReader<Row>(statement: Statement<Row>): (row: readonly SqlValue[]) => Row {
    const columns = this.#prepare(statement.compiled('sqlite').sql).columns()
    return (row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])) as Row
  }

  /** The rows as arrays. */
  rows(statement: Statement<SqlValue[]>, values: SqlValues): SqlValue[][] {
    const text = statement.compiled('sqlite')
    return this.#prepare<SqlValue[]>(text.sql)
      .raw(true)
      .all(...orderValues(text, values))
  }

  /** The first column of the rows: texts. */
  texts(statement: Statement<SqlValue[]>, values: SqlValues): string[] {
    const text = statement.compiled('sqlite')
    let prepared = this.#plucked.get(text.sql)
    if (prepared === undefined)
      this.#plucked.set(text.sql, (prepared = this.raw.prepare<SqlValue[], string>(text.sql).pluck(true)))
    return prepared.all(...orderValues(text, values))
  }

  /** The same one by one; the connection is busy until the last row. */
  iterate(statement: Statement<SqlValue[]>, values: SqlValues): IterableIterator<SqlValue[]> {
    const text = statement.compiled('sqlite')
    return this.#prepare<SqlValue[]>(text.sql)
      .raw(true)
      .iterate(...orderValues(text, values))
  }

  commit(): void {
    this.exec('commit')
  }

  /** Some errors have done it already. */
  rollBack(): void {
    if (this.raw.inTransaction) this.exec('rollback')
  }

  /** Runs a statement of any kind. */
  execute(sql: string, values: readonly SqlValue[], isFirstOnly: boolean): StatementResult {
    const prepared = this.#prepare(sql)
    if (!prepared.reader) return { rows: [], changes: prepared.run(...values).changes }
    const rows = isFirstOnly ? [prepared.get(...values)].filter((row) => row !== undefined) : prepared.all(...values)
    return { rows, changes: 0 }
  }

  /** Begins a write transaction; false where another process writes, after the busy timeout. */
  tryBeginImmediate(): boolean {
    try {
      this.exec('begin immediate')
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }

  /** Sets the time that a statement waits for another process, which blocks the thread. */
  setBusyTimeout(milliseconds: number): void {
    this.raw.pragma(`busy_timeout = ${milliseconds}`)
  }

  /** A statement without values: BEGIN, COMMIT, SAVEPOINT. */
  exec(sql: string): void {
    this.#prepare(sql).run()
  }

  /** Changes when another connection has committed, and only then. */
  dataVersion(): number {
    const row = this.#prepare<{ data_version: number }>('pragma data_version').get()
    // The same number each time would keep what has changed.
    if (row === undefined) throw new Error('SQLite has no data version')
    return row.data_version
  }

  /** The size of the file, in pages of 4 KiB. */
  pageCount(): number {
    return this.#prepare<{ page_count: number }>('pragma page_count').get()?.page_count ?? 0
  }

  /**
   * The write-ahead log grows until the next checkpoint: SQLite would run one within a commit. The first commit after a reset of
   * the log shortens its file to `logBytesKept`.
   */
  disableAutoCheckpoint(logBytesKept: number): void {
    this.raw.pragma('wal_autocheckpoint = 0')
    this.raw.pragma(`journal_size_limit = ${logBytesKept}`)
  }

  /** The length of the write-ahead log, in pages, and how many of them are in the file too. */
  logState(): { readonly log: number; readonly checkpointed: number } {
    // Raw: SQLite prepares this statement again at each use, and with it the driver compiles a function that makes row objects.
    const [, log = 0, checkpointed = 0] = this.#prepare<number[]>('pragma wal_checkpoint(noop)').raw(true).get() ?? []
    return { log, checkpointed }
  }

  /** Copies the rest of the log into the file and empties it, unless a reader needs it. */
  truncateLog(): void {
    this.#prepare('pragma wal_checkpoint(truncate)').get()
  }

  close(): void {
    this.raw.close()
  }

  #prepare<Row>(sql: string): Database.Statement<SqlValue[], Row> {
    let prepared = this.#prepared.get(sql)
    if (prepared === undefined) this.#prepared.set(sql, (prepared = this.raw.prepare(sql)))
    return prepared as Database.Statement<SqlValue[], Row>
  }
}
