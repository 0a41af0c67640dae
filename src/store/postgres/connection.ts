// PostgreSQL connection: runs statements on a client, with the same value types as SQLite.
import { createHash } from 'node:crypto'
import { DatabaseError, type ClientBase, type Pool, type PoolClient } from 'pg'
import { isConsequence, isReadOnly, lacksStatement } from './errors.ts'
import type { NamedText, ReceivedResult } from './prepared-query.ts'
import { processIdOf } from './primary.ts'
import { runNamed, runText } from './query.ts'
import { toRecords, toValueRows } from './result-columns.ts'
import { companyPreamble, runInRole, setCompanyLocally, type CompanyRead } from './row-security.ts'
import { assertOneRow } from '../assert-one-row.ts'
import { RowCache } from '../row-cache.ts'
import type { Awaitable, Writer } from '../store.ts'
import { requestTimeLimits, type TimeLimits } from '../time-limits.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { orderValues } from '../order-values.ts'
import type { SqlValues, Statement } from '../statement.ts'

/** Outside of a transaction it sees the rows of the company. */
export async function queryAll<Row>(
  client: ClientBase,
  statement: Statement<Row>,
  values: SqlValues,
  read?: CompanyRead,
): Promise<Row[]> {
  const { columns, receivedRows } = await runPrepared(client, statement, values, read)
  return toRecords(columns, receivedRows)
}

/** The number of rows that a statement without results changed. */
async function queryChanges(client: ClientBase, statement: Statement<never>, values: SqlValues): Promise<number> {
  const { commandTag } = await runPrepared(client, statement, values)
  return Number(/\d+$/.exec(commandTag)?.[0] ?? 0)
}

/** As `queryAll`, with the rows as arrays. */
export async function queryRows(
  client: ClientBase,
  statement: Statement<SqlValue[]>,
  values: SqlValues,
  read: CompanyRead,
): Promise<SqlValue[][]> {
  const { columns, receivedRows } = await runPrepared(client, statement, values, read)
  return toValueRows(columns, receivedRows)
}

function runPrepared(
  client: ClientBase,
  statement: Statement<unknown>,
  values: SqlValues,
  read?: CompanyRead,
): Promise<ReceivedResult> {
  const compiled = statement.compiled('postgres')
  const preamble = read === undefined ? null : companyPreamble(client, read)
  return runNamed(client, namedText(compiled.sql), { values: orderValues(compiled, values), preamble })
}

/** Opens a cursor in the client's transaction; each call returns the next rows as arrays. */
export async function openCursor(client: PoolClient, statement: Statement<SqlValue[]>, values: SqlValues) {
  const text = statement.compiled('postgres')
  const declaration = { name: '', text: `declare stream no scroll cursor for ${text.sql}` }
  await runNamed(client, declaration, { values: orderValues(text, values), preamble: null })
  return async (rowsMax: number): Promise<SqlValue[][]> => {
    const { columns, receivedRows } = await runText(client, `fetch ${rowsMax} from stream`)
    return toValueRows(columns, receivedRows)
  }
}

/**
 * A writer in the open transaction of a client: of a company, or of the system where `companyId` is null. With `sent`, short
 * writes are not awaited: they share a message with what follows them.
 */
export function createWriter(client: PoolClient, companyId: CompanyId | null, sent?: SentWrites): Writer {
  const run = <T>(statement: Statement<unknown>, query: () => Promise<T>) =>
    companyId === null ? query() : runInRole(client, statement, query)
  const change = (statement: Statement<never>, values: SqlValues) =>
    run(statement, () => queryChanges(client, statement, values))
  const awaited = async <T>(reply: Promise<T>): Promise<T> => {
    const generation = sent?.generation
    try {
      return await reply
    } catch (error) {
      // After an error every statement of the transaction fails; the first one says why, also where nobody awaited it.
      if (generation === sent?.generation) sent?.fail(error)
      await sent?.settle()
      throw error
    }
  }
  const all = <Row>(statement: Statement<Row>, values: SqlValues) =>
    awaited(run(statement, () => queryAll(client, statement, values)))
  // For this transaction only: another server may change the rows after it.
  const cache = new RowCache<Promise<boolean>>()
  return {
    dialect: 'postgres',
    all,
    first: async (statement, values) => (await all(statement, values))[0],
    hasRow: (statement, values) =>
      cache.hasRow(statement, values, async () => (await all(statement, values)).length > 0),
    clearCached: () => cache.clear(),
    run: async (statement, values) => {
      const reply = change(statement, values)
      if (sent === undefined || isLong(values)) await awaited(reply)
      else await sent.add(reply)
    },
    updateRow: async (statement, values) => assertOneRow(await awaited(change(statement, values))),
    hasOwnThread: false,
  }
}

/** Writes whose replies a transaction has not awaited. Replies come in the order of the statements. */
export class SentWrites {
  #last: Promise<void> = Promise.resolve()
  #count = 0
  #failure: { readonly error: unknown } | null = null
  /** Counts rollbacks: an error from before one may be received after it. */
  generation = 0

  add(reply: Promise<unknown>): Awaitable<void> {
    this.#last = reply.then(
      () => undefined,
      (error: unknown) => this.fail(error),
    )
    this.#count += 1
    return this.#count % countMax === 0 ? this.settle() : undefined
  }

  /** Records the error of a statement. The first one counts, and any one before those that only follow from it. */
  fail(error: unknown): void {
    if (this.#failure === null || isConsequence(this.#failure.error)) this.#failure = { error }
  }

  /** Awaits the replies; throws the first error. */
  async settle(): Promise<void> {
    await this.#last
    if (this.#failure !== null) throw this.#failure.error
  }

  /** After a rollback. */
  async forget(): Promise<void> {
    await this.#last
    this.#failure = null
    this.generation += 1
  }
}

/** Whether a write has a list of many rows, which takes long and should not wait in memory with others. */
function isLong(values: SqlValues): boolean {
  return Object.values(values).some((value) => typeof value === 'string' && value.length > lengthMax)
}

const lengthMax = 16 * 1024
const countMax = 100

export interface StoreConnections {
  /** Each connection sees the rows of one company at a time. */
  readonly pool: Pool
  /** For what is read across companies. */
  readonly systemPool: Pool
  /** One connection, for health checks and for ending what the others run. */
  readonly controlPool: Pool
  readonly limits: TimeLimits | null
}

/** What a transaction has sent before its work. */
export interface OpenTransaction {
  readonly client: PoolClient
  /** Resolves when it has beginning: until then the first statements of the work may share the message. */
  readonly beginning: Promise<unknown>
  readonly sent: SentWrites
}

/**
 * Runs the work in a transaction of a company, or of the system where it is null. A connection that cannot roll back, that
 * lacks a statement, or to a server that accepts no writes, is closed.
 */
export async function runTransaction<T>(
  connections: StoreConnections,
  companyId: CompanyId | null,
  work: (transaction: OpenTransaction) => Awaitable<T>,
): Promise<T> {
  const { pool, limits } = connections
  const client = await pool.connect()
  let isBroken = false
  try {
    // All commands in one message.
    const limit = limits === null ? '' : `; set local statement_timeout = ${limits.writeMs}`
    const { idleMs } = limits ?? requestTimeLimits
    const idleLimit = `; set local idle_in_transaction_session_timeout = ${idleMs}`
    const beginning = runText(client, `begin${setCompanyLocally(client, companyId)}${limit}${idleLimit}`)
    const sent = new SentWrites()
    const value = await work({ client, beginning, sent })
    await commit(client, sent, connections)
    return value
  } catch (error) {
    isBroken = !(await rollBack(client)) || isReadOnly(error) || lacksStatement(error)
    throw error
  } finally {
    client.release(isBroken)
  }
}

/** False where the connection cannot be used again. */
export function rollBack(client: PoolClient): Promise<boolean> {
  return runText(client, 'rollback').then(
    () => true,
    () => false,
  )
}

/** A write failed whose reply was not awaited before the commit, which therefore stored nothing. */
export class WriteFailed extends Error {}

/**
 * Commits in one message with the last writes. A commit waits as long as a synchronous standby is missing. After the time
 * limit its connection is closed, and its process, which would not notice, is ended; the transaction may be stored (ADR 0057).
 */
async function commit(client: PoolClient, sent: SentWrites, connections: StoreConnections): Promise<void> {
  const { limits } = connections
  const committing = runText(client, 'commit')
  const replied = committing.catch(() => undefined)
  try {
    await sent.settle()
  } catch (error) {
    const reply = await replied
    // It was undone by a savepoint.
    if (reply?.commandTag === 'COMMIT') return
    // The server commits nothing after an error. Without a reply it may have committed.
    throw error instanceof DatabaseError ? new WriteFailed('a write failed', { cause: error }) : error
  }
  const end = () => {
    terminate(connections, processIdOf(client))
    client.connection.stream.destroy()
  }
  const timer = limits === null ? undefined : setTimeout(end, limits.commitMs)
  try {
    const { commandTag } = await committing
    if (commandTag !== 'COMMIT') throw new Error(`a commit was answered with ${commandTag}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Ends a process of the server, which may hold locks. */
export function terminate({ controlPool }: Pick<StoreConnections, 'controlPool'>, processId: number | null): void {
  controlPool.query('select pg_terminate_backend($1)', [processId]).catch(() => undefined)
}

/**
 * Named statements are prepared once per connection. A connection never drops them and queries come in any number of
 * shapes, so only the first ones get a name; the others are planned at each run.
 */
function namedText(text: string): NamedText {
  const known = namedTexts.get(text)
  if (known !== undefined) return known
  if (namedTexts.size >= namesMax) return { name: '', text }
  const named = { name: createHash('sha256').update(text).digest('base64url'), text }
  namedTexts.set(text, named)
  return named
}

const namedTexts = new Map<string, NamedText>()
const namesMax = 500
