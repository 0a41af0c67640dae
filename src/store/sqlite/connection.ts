// One connection to the SQLite file: opened the safe way, its statements prepared once.
import Database from 'better-sqlite3'
import { LeastRecentlyUsed } from '../../lib/least-recently-used.ts'
import { addFunctions } from './functions.ts'
import { addSums } from './sums.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { valuesInOrder, type SqlValues, type Statement } from '../statement.ts'

export interface Connection {
  readonly raw: Database.Database
  all<Row>(statement: Statement<Row>, values: SqlValues): Row[]
  first<Row>(statement: Statement<Row>, values: SqlValues): Row | undefined
  run(statement: Statement<never>, values: SqlValues): void
  /** Rows as arrays. */
  rows(statement: Statement<SqlValue[]>, values: SqlValues): SqlValue[][]
  /** The same one after the other; the connection is taken until the last. */
  iterate(statement: Statement<SqlValue[]>, values: SqlValues): IterableIterator<SqlValue[]>
  /** A statement without values: BEGIN, COMMIT, SAVEPOINT. */
  exec(sql: string): void
  /** Keeps as few pages in memory as a stream does, until `cacheAgain`. */
  cacheLittle(): void
  cacheAgain(): void
  /** How large the file is, in pages of 4 KiB. */
  pages(): number
  /** From now on the log grows until `checkpoint` is called; SQLite's own way is within a commit. */
  keepLog(): void
  /** How many pages of the log are not in the file yet. */
  pagesInLog(): number
  /** Takes them into the file, as far as no reader needs the older ones. */
  checkpoint(): void
  close(): void
}

/** What a connection is for; the last only reads as well. */
type Mode = 'writer' | 'reader' | 'stream'

/** A stream goes through everything once and comes back to little: what it kept would only be memory. */
const cacheKiB: Readonly<Record<Mode, number>> = { writer: 65_536, reader: 65_536, stream: 4096 }

/** Opens the file. `synchronous` is set and read back: some builds lower it on a file that is in WAL mode. */
export function connect(path: string, mode: Mode): Connection {
  const raw = new Database(path, { readonly: mode !== 'writer', timeout: busyTimeoutMs })
  if (mode === 'writer') raw.pragma('journal_mode = WAL')
  raw.pragma('synchronous = FULL')
  raw.pragma('foreign_keys = ON')
  raw.pragma('trusted_schema = OFF')
  raw.pragma('cell_size_check = ON')
  raw.function('percent_encoded', { deterministic: true }, encodeKey)
  if (raw.pragma('synchronous', { simple: true }) !== 2) {
    raw.close()
    throw new Error('SQLite does not keep synchronous=FULL: refusing to write without it')
  }
  addFunctions(raw)
  addSums(raw)
  return new PreparedConnection(raw, mode)
}

/** As PostgreSQL does it in `engine/sql/json-expressions.ts`; null where the statement is not asked for one. */
function encodeKey(text: unknown): string | null {
  return typeof text === 'string' ? encodeURIComponent(text.toWellFormed()) : null
}

interface LogState {
  readonly log: number
  readonly checkpointed: number
}

const noLog: LogState = { log: 0, checkpointed: 0 }

const busyTimeoutMs = 5000
const statementsMax = 500

class PreparedConnection implements Connection {
  readonly raw: Database.Database
  #cachesLittle = false
  readonly #mode: Mode
  readonly #prepared = new LeastRecentlyUsed<string, Database.Statement<SqlValue[]>>(statementsMax)

  constructor(raw: Database.Database, mode: Mode) {
    this.raw = raw
    this.#mode = mode
    this.#cache(mode)
  }

  all<Row>(statement: Statement<Row>, values: SqlValues): Row[] {
    const text = statement.text('sqlite')
    return this.#prepare<Row>(text.sql).all(...valuesInOrder(text, values))
  }

  first<Row>(statement: Statement<Row>, values: SqlValues): Row | undefined {
    const text = statement.text('sqlite')
    return this.#prepare<Row>(text.sql).get(...valuesInOrder(text, values))
  }

  run(statement: Statement<never>, values: SqlValues): void {
    const text = statement.text('sqlite')
    this.#prepare(text.sql).run(...valuesInOrder(text, values))
  }

  rows(statement: Statement<SqlValue[]>, values: SqlValues): SqlValue[][] {
    const text = statement.text('sqlite')
    return this.#prepare<SqlValue[]>(text.sql)
      .raw(true)
      .all(...valuesInOrder(text, values))
  }

  iterate(statement: Statement<SqlValue[]>, values: SqlValues): IterableIterator<SqlValue[]> {
    const text = statement.text('sqlite')
    return this.#prepare<SqlValue[]>(text.sql)
      .raw(true)
      .iterate(...valuesInOrder(text, values))
  }

  exec(sql: string): void {
    this.#prepare(sql).run()
  }

  cacheLittle(): void {
    if (this.#cachesLittle) return
    this.#cachesLittle = true
    this.#cache('stream')
  }

  cacheAgain(): void {
    if (!this.#cachesLittle) return
    this.#cachesLittle = false
    this.#cache(this.#mode)
  }

  pages(): number {
    return this.#prepare<{ page_count: number }>('pragma page_count').get()?.page_count ?? 0
  }

  keepLog(): void {
    this.raw.pragma('wal_autocheckpoint = 0')
  }

  pagesInLog(): number {
    const { log, checkpointed } =
      this.#prepare<LogState>('pragma wal_checkpoint(noop)').get() ?? noLog
    return log - checkpointed
  }

  checkpoint(): void {
    this.#prepare('pragma wal_checkpoint(passive)').get()
  }

  close(): void {
    this.raw.close()
  }

  #cache(mode: Mode): void {
    this.raw.pragma(`cache_size = -${cacheKiB[mode]}`)
  }

  #prepare<Row>(sql: string): Database.Statement<SqlValue[], Row> {
    let prepared = this.#prepared.get(sql)
    if (prepared === undefined) this.#prepared.set(sql, (prepared = this.raw.prepare(sql)))
    return prepared as Database.Statement<SqlValue[], Row>
  }
}
