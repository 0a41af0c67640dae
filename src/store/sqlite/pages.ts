// Pages: the first rows of cheap queries, read at once; what does not fit becomes a stream.
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { isKeyLookup, type CheapQueryKind } from '../is-cheap-query.ts'
import { CompanySlots } from '../company-slots.ts'
import { countStatement, joinChunks, pageLimit, pageStatement, readValues, rowStatement } from '../read.ts'
import type { Statement } from '../statement.ts'
import type { Awaitable, JsonQueryResult, QueryResult, RequestClient, RowFormat } from '../store.ts'
import type { SnapshotReader } from './snapshot-reader.ts'
import type { Streams } from './streams.ts'

export class Pages {
  readonly #reader: SnapshotReader
  readonly #streams: Streams
  /** Each until the next turn of the event loop. */
  readonly #longPages: CompanySlots
  readonly #scans: CompanySlots

  constructor(reader: SnapshotReader, streams: Streams, waitMs: number | null) {
    this.#reader = reader
    this.#streams = streams
    this.#longPages = new CompanySlots({ count: pagesOfTurnMax, waitMs })
    this.#scans = new CompanySlots({ count: 1, waitMs })
  }

  readRows(plan: ReadPlan, kind: CheapQueryKind, format: RowFormat, client?: RequestClient): Awaitable<QueryResult> {
    const statement = rowStatement(plan, format)
    return this.#readInTurn({ plan, kind, client }, (limit) => {
      const values = valuesOf(plan, statement, limit)
      const rows = this.#reader.read((connection) => connection.rows(statement, values))
      const isWhole = this.#isWhole(plan, limit, rows.length)
      return isWhole ? { whole: rows } : { chunks: this.#streams.chunks(plan, format, client) }
    })
  }

  readJson(plan: ReadPlan, kind: CheapQueryKind, client?: RequestClient): Awaitable<JsonQueryResult> {
    return this.#readInTurn({ plan, kind, client }, (limit) => {
      const { count, records } = isKeyLookup(plan) ? this.#readRecords(plan, limit) : this.#readPage(plan, limit)
      if (this.#isWhole(plan, limit, count)) return { whole: records ?? '' }
      return { chunks: joinChunks(this.#streams.chunks(plan, 'json', client)) }
    })
  }

  count(plan: ReadPlan, kind: CheapQueryKind, client?: RequestClient): Awaitable<number> {
    const statement = countStatement(plan)
    const values = valuesOf(plan, statement, 1)
    return this.#readInTurn({ plan, kind, client }, () => this.#reader.first(statement, values)?.count ?? 0)
  }

  /** What would make this turn of the event loop long takes turns with other requests, by company. */
  #readInTurn<T>({ plan, kind, client }: PageRead, read: (limit: number) => T): Awaitable<T> {
    const limit = pageLimit(plan)
    const isScan = kind === 'small' || kind === 'few'
    const readNow = () => {
      this.#reader.rowsOfTick += isScan ? rowsOfTurnMax : plan.skip
      return read(limit)
    }
    const isShort = kind === 'lookup' || (!isScan && plan.skip + limit <= shortPageRows)
    if (isShort || this.#reader.rowsOfTick < rowsOfTurnMax) return readNow()
    const slots = isScan ? this.#scans : this.#longPages
    return slots.acquire(plan.companyId, client).then((release) => {
      setImmediate(release)
      return readNow()
    })
  }

  #isWhole({ top }: ReadPlan, limit: number, rows: number): boolean {
    this.#reader.rowsOfTick += rows
    return rows < limit || limit === top
  }

  /** The page as one value, so that no JavaScript string is created per record. */
  #readPage(plan: ReadPlan, limit: number): JsonPage {
    const statement = pageStatement(plan)
    return this.#reader.first(statement, valuesOf(plan, statement, limit)) ?? emptyPage
  }

  /** The same from a row per record, which is faster for few. */
  #readRecords(plan: ReadPlan, limit: number): JsonPage {
    const statement = rowStatement(plan, 'json')
    const values = valuesOf(plan, statement, limit)
    const texts = this.#reader.read((connection) => connection.texts(statement, values))
    return { count: texts.length, records: texts.join(',') }
  }
}

interface PageRead {
  readonly plan: ReadPlan
  readonly kind: CheapQueryKind
  readonly client: RequestClient | undefined
}

/** Records as JSON, with commas between them. */
interface JsonPage {
  readonly count: number
  readonly records: string | Buffer | null
}

const emptyPage: JsonPage = { count: 0, records: null }

function valuesOf(plan: ReadPlan, statement: Statement<unknown>, limit: number) {
  return readValues(plan, statement, { dialect: 'sqlite', limit })
}

/** Pages that visit so many rows never wait. */
const shortPageRows = 100
/** Some 2 to 4 ms. */
const rowsOfTurnMax = 2000
/** Long pages in each turn, when there were so many rows already. */
const pagesOfTurnMax = 4
