// What a database is to the house: reads in one snapshot, acts in a transaction of one company, the accounts.
import type { CompanyId } from '../engine/model/resource.ts'
import type { Counters } from './sequences.ts'
import type { ReadPlan } from '../engine/planner/read-plan.ts'
import type { DialectName, SqlValue } from '../engine/sql/dialect.ts'
import type { SqlValues, Statement } from './statement.ts'

/** The embedded database answers at once, a server later; acts await either. */
export type Awaitable<T> = T | Promise<T>

/** Whoever holds this may read. */
export interface Reader {
  readonly dialect: DialectName
  all<Row>(statement: Statement<Row>, values: SqlValues): Awaitable<Row[]>
  first<Row>(statement: Statement<Row>, values: SqlValues): Awaitable<Row | undefined>
}

/** Whoever holds this may write, until the act it was handed to ends. */
export interface Writer extends Reader {
  run(statement: Statement<never>, values: SqlValues): Awaitable<void>
  /** What is read from here to the end of the transaction is read once: its pages need not stay in memory. */
  readOnce(): Awaitable<void>
}

/** A writer inside one company; its counters are stored with the commit. */
export interface Transaction extends Writer {
  readonly companyId: CompanyId
  readonly counters: Counters
}

/** The client that waits for the reply. */
export interface Client {
  /** Calls back when the client disconnects before it has the reply; returns the function that unsubscribes. */
  onDisconnect(callback: () => void): () => void
}

export interface Store extends Reader {
  /**
   * Runs an act alone in its company, in a transaction: all of it is stored durably before the promise
   * resolves, or nothing. A `Fault` thrown by the act undoes it and is passed on.
   */
  inTransaction<T>(
    companyId: CompanyId,
    act: (transaction: Transaction) => Awaitable<T>,
  ): Promise<T>
  /** The same for what belongs to no company: companies, credentials, users, settings. */
  inHouseTransaction<T>(act: (writer: Writer) => Awaitable<T>): Promise<T>
  /** The records of a plan: values in the order of `plan.select`, as the house holds them, or texts of JSON. */
  readRows(plan: ReadPlan, form: RowForm, client?: Client): Awaitable<Rows>
  /** The records of a plan as JSON, with commas between them. */
  readJson(plan: ReadPlan, client?: Client): Awaitable<JsonRows>
  /** The number of records of a plan, without skip and top. A read that waits for a slot ends when its client disconnects. */
  count(plan: ReadPlan, client?: Client): Awaitable<number>
  /** Resolves when the database can be read; throws `DatabaseUnavailable` otherwise. */
  ping(): Awaitable<void>
  /** Whether the server that had the database last did not let go of it properly. */
  readonly isSuspect: boolean
  /** What makes it unsafe, in words: damaged pages, or commits that are not durable. Nothing where all is well. */
  examine(): Promise<readonly string[]>
  load(): StoreLoad
  close(): Promise<void>
}

/** How busy it is; the two totals count from its opening. */
export interface StoreLoad {
  readonly actsWaiting: number
  readonly streamsOpen: number
  readonly commits: number
  readonly actsCommitted: number
  readonly connectionsOpen: number
  readonly connectionsIdle: number
  /** Statements that wait for a connection; on SQLite, reads that wait for a reading process or for a stream. */
  readonly connectionsAwaited: number
}

/** What a row of an answer is: the values of `plan.select`, or one text, the record as JSON with its relations. */
export type RowForm = 'values' | 'json'

/** Either all of them at once, or batch by batch as the reader takes them; both are one snapshot. */
export type JsonRows =
  | { readonly whole: string | Buffer }
  | { readonly batches: AsyncIterable<string> }

/** The same row by row. */
export type Rows =
  | { readonly whole: SqlValue[][] }
  | { readonly batches: AsyncIterable<SqlValue[][]> }
