// Prepared query: a statement with its values, sent and received with less work than the driver's own query.
import type { Duplex } from 'node:stream'
import { Query } from 'pg'
import { describeExecuteSync, encodeBind, execute, executeSync } from './encode-bind.ts'
import { toColumns, type ResultColumn, type ColumnDescription, type ReceivedRow } from './result-columns.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'

/** The name of a statement on every connection; '' where it is planned at each run. */
export interface NamedText {
  readonly name: string
  readonly text: string
}

/** A statement that runs in front of another, in the same transaction, and returns nothing; an error prevents the other. */
export interface Preamble {
  /** The name of a prepared statement. */
  readonly name: string
  readonly values: readonly SqlValue[]
}

export interface BoundValues {
  readonly values: readonly SqlValue[]
  readonly preamble: Preamble | null
}

/** A result as the server sent it. */
export interface ReceivedResult {
  readonly columns: readonly ResultColumn[]
  readonly receivedRows: readonly ReceivedRow[]
  /** `UPDATE 1`. */
  readonly commandTag: string
}

/**
 * The driver pipelines only its own query and subclasses of it. Its own copies the configuration by property descriptors, has
 * two promises, and asks for a description of the result at each run.
 */
export abstract class ReceivingQuery extends Query implements ReceivedResult {
  // The driver reads these.
  declare name: string
  declare text: string
  declare values: readonly SqlValue[]
  declare callback: (error: unknown) => void
  readonly receivedRows: ReceivedRow[] = []
  columns: readonly ResultColumn[] = []
  commandTag = ''

  constructor({ name, text }: NamedText, values: readonly SqlValue[], onEnd: (error: unknown) => void) {
    super('')
    this.name = name
    this.text = text
    this.values = values
    this.callback = onEnd
  }

  requiresPreparation(): boolean {
    return true
  }

  abstract prepare(connection: DriverConnection): void

  handleRowDescription({ fields }: { readonly fields: readonly ColumnDescription[] }): void {
    this.columns = toColumns(fields)
  }

  handleDataRow({ fields }: { readonly fields: ReceivedRow }): void {
    this.receivedRows.push(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.commandTag = text
  }

  handleError(error: unknown): void {
    this.callback(error)
  }
}

/** A statement with values. The description of the result of a named one is remembered for the connection. */
export class PreparedQuery extends ReceivingQuery {
  #isDescribed = false
  #preamble: Preamble | null

  constructor(named: NamedText, { values, preamble }: BoundValues, onEnd: (error: unknown) => void) {
    super(named, values, onEnd)
    this.#preamble = preamble
  }

  override prepare(connection: DriverConnection): void {
    const { name, text, values } = this
    const { parsedStatements, submittedNamedStatements, stream } = connection
    const known = name === '' ? undefined : columnsOf(connection).get(name)
    // Before anything is written: where it throws, the connection remains usable.
    const preamble = this.#preamble === null ? null : encodeBind(this.#preamble.name, this.#preamble.values, execute)
    const bind = encodeBind(name, values, known === undefined ? describeExecuteSync : executeSync)
    this.#isDescribed = known === undefined
    if (known !== undefined) this.columns = known
    if (name === '' || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
      connection.parse({ name, text })
      if (name !== '') submittedNamedStatements[name] = text
    }
    if (!stream.writable) return
    if (preamble !== null) stream.write(preamble)
    stream.write(bind)
  }

  override handleCommandComplete(completed: { readonly text: string }): void {
    if (this.#preamble === null) super.handleCommandComplete(completed)
    else this.#preamble = null
  }

  handleReadyForQuery(connection: DriverConnection): void {
    if (this.#isDescribed && this.name !== '') columnsOf(connection).set(this.name, this.columns)
    this.callback(null)
  }
}

/** Commands without values, by the simple query protocol: the server parses them at each run. */
export class SimpleQuery extends ReceivingQuery {
  constructor(text: string, onEnd: (error: unknown) => void) {
    super({ name: '', text }, [], onEnd)
  }

  override prepare(connection: DriverConnection): void {
    connection.query(this.text)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }
}

/** Members of the driver's connection that its types do not have. */
interface DriverConnection {
  readonly stream: Duplex
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
  parse(statement: NamedText): void
  query(text: string): void
}

/** By the names of statements. */
const columnsByConnection = new WeakMap<DriverConnection, Map<string, readonly ResultColumn[]>>()

function columnsOf(connection: DriverConnection): Map<string, readonly ResultColumn[]> {
  let columns = columnsByConnection.get(connection)
  if (columns === undefined) columnsByConnection.set(connection, (columns = new Map()))
  return columns
}
