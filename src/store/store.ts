// The storage interface: reads in a snapshot, writes in a transaction of one company or the system.
import type { CompanyId } from '../engine/model/resource.ts'
import type { Sequences } from './sequences.ts'
import type { ReadPlan } from '../engine/planner/read-plan.ts'
import type { SqlDialect, SqlValue } from '../engine/sql/dialect.ts'
import type { SqlValues, Statement } from './statement.ts'

/** SQLite returns values, PostgreSQL promises; callers await either. */
export type Awaitable<T> = T | Promise<T>

/** Read access. */
export interface Reader {
  readonly dialect: SqlDialect
  all<Row>(statement: Statement<Row>, values: SqlValues): Awaitable<Row[]>
  first<Row>(statement: Statement<Row>, values: SqlValues): Awaitable<Row | undefined>
}

/** Write access, valid for the duration of one transaction. */
export interface Writer extends Reader {
  /** Whether the statements of SQLite run on a thread of their own, and do not block this one. */
  readonly hasOwnThread: boolean
  run(statement: Statement<never>, values: SqlValues): Awaitable<void>
  /** The same for an update of one row by its key; throws where there is none. */
  updateRow(statement: Statement<never>, values: SqlValues): Awaitable<void>
  /**
   * Whether the statement finds a row, for rows that rarely change: SQLite keeps the result until `clearCached`, a rollback,
   * or a commit of another connection. Who changes such rows calls `clearCached` in the same transaction.
   */
  hasRow(statement: Statement<unknown>, values: SqlValues): Awaitable<boolean>
  clearCached(): void
}

/** Write access to one company; its sequences are saved with the commit. */
export interface Transaction extends Writer {
  readonly companyId: CompanyId
  readonly sequences: Sequences
  /**
   * Lets the next operation of the commit start before the reply to the statement that this one has sent. For an operation of
   * `isOfCompany` that will then read no record and assign no number, and says so before its first await. Where it has to do
   * more it calls the result, which throws if the next one has started: then all run again, one after another. Missing where
   * they do anyway.
   */
  readonly letNextStart?: () => () => void
}

export interface TransactionOptions {
  /** On SQLite no later operation shares the commit: who reads at once when it is done reads what it left. */
  readonly isLastOfCommit?: boolean
  /**
   * On SQLite it shares its commit with no other operation, which would have to wait for it, and its statements run on a
   * thread of their own. On PostgreSQL it waits for the lock of the company before it begins.
   */
  readonly isLong?: boolean
  /**
   * Whether the first rows that it writes are of its company. On PostgreSQL it may begin in the message of its `begin`: where
   * that fails, row-level security rejects the statements, which then run outside of a transaction.
   */
  readonly isOfCompany?: boolean
  /** It repeats what the journal has, so that it runs while the journal is ahead. */
  readonly isReplay?: boolean
}

/** What a transaction that assigned ledger or line ids waits for, and is compared with: what the server knows of exports besides the database. */
export interface CommitJournal {
  /** Resolves once everything that the company has committed is in the journal, at least until these ids. */
  flush(companyId: CompanyId, ledgerId: number, materialId: number): Promise<void>
  /** Whether the journal lacks what an earlier flush could not append. */
  isBehind(companyId: CompanyId): boolean
  /** Whether the journal may have entries and ids that the database lacks, of which these are the last: a failover has lost commits. */
  mayBeAhead(companyId: CompanyId, ledgerId: number, materialId: number): boolean
  /** Repeats such entries in the database and skips such ids, or suspends exports and throws; the ids are those of `mayBeAhead`. */
  replay(companyId: CompanyId, ledgerId: number, materialId: number): Promise<unknown>
  /** A connection to the database has broken, or a new one is to another server: a standby may have been promoted. */
  suspectFailover(): void
  /** Compares every company with the database, and flushes it; called periodically. */
  flushAll(): Promise<void>
}

/** The client that waits for the reply. */
export interface RequestClient {
  /** Calls back when the client disconnects before it has the reply; returns the function that unsubscribes. */
  onDisconnect(callback: () => void): () => void
}

export interface Store extends Reader {
  /**
   * Runs `work` in a transaction as the only writer of the company: all of it is durable before the promise
   * resolves, or nothing is stored. An error that `work` throws rolls it back and rejects the promise.
   */
  inTransaction<T>(
    companyId: CompanyId,
    work: (transaction: Transaction) => Awaitable<T>,
    options?: TransactionOptions,
  ): Promise<T>
  /** From now on such a promise resolves only after the journal has the ids that were assigned. */
  journalCommits(journal: CommitJournal): void
  /** The same for data outside of a company: companies, credentials, users, settings. */
  inSystemTransaction<T>(work: (writer: Writer) => Awaitable<T>): Promise<T>
  /** The records of a plan: stored values in the order of `plan.select`, or JSON texts. */
  readRows(plan: ReadPlan, format: RowFormat, client?: RequestClient): Awaitable<QueryResult>
  /** The records of a plan as JSON, with commas between them. */
  readJson(plan: ReadPlan, client?: RequestClient): Awaitable<JsonQueryResult>
  /** The number of records of a plan, without skip and top. Like every read of a plan it ends when its client disconnects. */
  count(plan: ReadPlan, client?: RequestClient): Awaitable<number>
  /** Reads of reports, which may visit many rows: in slots for costly reads, except on a small SQLite database (ADR 0015). */
  reports(companyId: CompanyId, client?: RequestClient): Reader
  /**
   * A number that changes when reads may give something else: on SQLite with every commit, on PostgreSQL, which is not asked,
   * with every turn of the event loop.
   */
  snapshotVersion(): number
  /** Reads of health checks: they wait for no other read, and for no write. */
  readonly health: Reader
  /** Resolves when the database can be read and written; throws `DatabaseUnavailable` otherwise. */
  ping(): Awaitable<void>
  /** Whether the last server on this SQLite file did not shut down cleanly. */
  readonly hadUncleanShutdown: boolean
  /** Describes damaged pages; empty on PostgreSQL, which checks its own. */
  checkIntegrity(): Promise<readonly string[]>
  load(): StoreLoad
  close(): Promise<void>
}

/** The current load; the two totals count from the opening of the store. */
export interface StoreLoad {
  readonly operationsWaiting: number
  readonly streamsOpen: number
  readonly commits: number
  readonly operationsCommitted: number
  readonly connectionsOpen: number
  readonly connectionsIdle: number
  /** Reads that wait for a slot; on PostgreSQL also statements that wait for a connection. */
  readonly connectionsAwaited: number
}

/** A row is the values of `plan.select`, or one text: the record as JSON with its relations. */
export type RowFormat = 'values' | 'json'

/** All records at once, or a stream of chunks; both read one snapshot. */
export type JsonQueryResult = { readonly whole: string | Buffer } | { readonly chunks: AsyncIterable<string> }

/** The same as rows. */
export type QueryResult = { readonly whole: SqlValue[][] } | { readonly chunks: AsyncIterable<SqlValue[][]> }
