// What a database is to the house: reads in one snapshot, acts in a transaction of one company, the accounts.
import type { CompanyId } from '#model/resource.ts'
import type { Counters } from '#store/counters.ts'
import type { ReadPlan } from '#plan/read-plan.ts'
import type { RowForm } from '#store/read.ts'
import type { DialectName, SqlValue, SqlValues, Statement } from '#store/statement.ts'

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
  readRows(plan: ReadPlan, form: RowForm): Awaitable<Rows>
  /** The records of a plan as JSON, with commas between them. */
  readJson(plan: ReadPlan): Awaitable<JsonRows>
  /** The number of records of a plan, without skip and top. */
  count(plan: ReadPlan): Awaitable<number>
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
  /** Statements that wait for a connection. */
  readonly connectionsAwaited: number
}

/** Either all of them at once, or batch by batch as the reader takes them; both are one snapshot. */
export type JsonRows =
  | { readonly whole: string | Buffer }
  | { readonly batches: AsyncIterable<string> }

/** The same row by row. */
export type Rows =
  | { readonly whole: SqlValue[][] }
  | { readonly batches: AsyncIterable<SqlValue[][]> }
