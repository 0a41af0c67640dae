// Pages: cheap queries and reports of a small file, read at once or in turn; what does not fit a page becomes a stream.
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { isKeyLookup } from '../../engine/sql/index-selection.ts'
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import type { CheapQueryKind, DatabaseSizes } from '../is-cheap-query.ts'
import { CompanySlots } from '../company-slots.ts'
import { PageLengths, lengthOf } from '../page-lengths.ts'
import {
  countStatement,
  exceedsFirstPage,
  joinChunks,
  pageLimit,
  pageRowsMax,
  pageStatement,
  readValues,
  rowStatement,
} from '../read.ts'
import type { Statement } from '../statement.ts'
import type { Awaitable, JsonQueryResult, QueryResult, Reader, RequestClient, RowFormat } from '../store.ts'
import type { SnapshotReader } from './snapshot-reader.ts'
import type { Streams } from './streams.ts'

export class Pages {
  readonly #reader: SnapshotReader
  readonly #streams: Streams
  /** Without what takes turns to count. */
  readonly #knownSizes: DatabaseSizes
  /** Each until its slice of long work. */
  readonly #longPages: CompanySlots
  readonly #scans: CompanySlots
  readonly #lengths = new PageLengths()

  constructor(reader: SnapshotReader, streams: Streams, waitMs: number | null) {
    this.#reader = reader
    this.#streams = streams
    this.#knownSizes = { ...reader.sizes, isFew: () => false }
    this.#longPages = new CompanySlots({ count: longPagesMax, waitMs })
    this.#scans = new CompanySlots({ count: 1, waitMs })
  }

  /** Calls `use` with the kind of the query. To count rows for that takes turns too. */
  classify<T>(
    plan: ReadPlan,
    client: RequestClient | undefined,
    classifyQuery: (plan: ReadPlan, sizes: DatabaseSizes) => CheapQueryKind | null,
    use: (kind: CheapQueryKind | null) => Awaitable<T>,
  ): Awaitable<T> {
    const known = classifyQuery(plan, this.#knownSizes)
    if (known !== null) return use(known)
    const { companyId } = plan
    const kind = this.#takeTurn({ companyId, client, slots: this.#scans, rows: 0 }, () =>
      classifyQuery(plan, this.#reader.sizes),
    )
    return kind instanceof Promise ? kind.then(use) : use(kind)
  }

  /** For reports of a small file, each of which is a scan. */
  reports(companyId: CompanyId, client: RequestClient | undefined): Reader {
    const turn = { companyId, client, slots: this.#scans, rows: rowsOfTurnMax }
    return {
      dialect: 'sqlite',
      all: (statement, values) =>
        this.#takeTurn(turn, () => this.#reader.read((connection) => connection.all(statement, values))),
      first: (statement, values) => this.#takeTurn(turn, () => this.#reader.first(statement, values)),
    }
  }

  readRows(plan: ReadPlan, kind: CheapQueryKind, format: RowFormat, client?: RequestClient): Awaitable<QueryResult> {
    const statement = rowStatement(plan, format)
    const limit = pageLimit(plan)
    return this.#readInTurn({ plan, kind, client, limit }, () => {
      const chunks = () => ({ chunks: this.#streams.chunks(plan, format, client) })
      if (exceedsFirstPage(plan) || this.#lengths.isLong(plan, limit)) return chunks()
      const values = valuesOf(plan, statement, limit)
      const rows = this.#reader.read((connection) => connection.rows(statement, values))
      this.#lengths.add(plan, rows.length, () => lengthOf(rows))
      return this.#isWhole(plan, limit, rows.length) ? { whole: rows } : chunks()
    })
  }

  readJson(plan: ReadPlan, kind: CheapQueryKind, client?: RequestClient): Awaitable<JsonQueryResult> {
    const page = { plan, kind, client, limit: pageLimit(plan) }
    const read = this.#readWhole(page)
    if (read instanceof Promise) return read.then((whole) => whole ?? this.#readLonger(page))
    return read ?? this.#readLonger(page)
  }

  /** What exceeds the first page: a longer one, if that has all records, or a stream. */
  async #readLonger(page: PageRead): Promise<JsonQueryResult> {
    const { plan, client } = page
    // One more than the longest page shows that there are no others.
    const limit = pageRowsMax + 1
    const whole = this.#fitsPage(plan, limit) ? await this.#readWhole({ ...page, limit }) : null
    return whole ?? { chunks: joinChunks(this.#streams.chunks(plan, 'json', client)) }
  }

  /** Counts the records, unless the plan has a number already, or an index of its set does not count them. */
  #fitsPage(plan: ReadPlan, limit: number): boolean {
    const { top, apply, joins, unionPlans, collectionCount, matchCount } = plan
    const isOfOneSet = apply === null && joins.length + unionPlans.length + collectionCount === 0
    const isCountable = isOfOneSet && top === null && matchCount === undefined
    return isCountable && !this.#lengths.isLong(plan, limit) && this.#reader.sizes.isFew(plan)
  }

  /** Null where the result exceeds the limit, or may be too long. */
  #readWhole(page: PageRead): Awaitable<JsonQueryResult | null> {
    const { plan, limit } = page
    return this.#readInTurn(page, () => {
      if (exceedsFirstPage(plan) || this.#lengths.isLong(plan, limit)) return null
      const { count, records } = isKeyLookup(plan) ? this.#readRecords(plan, limit) : this.#readPage(plan, limit)
      this.#lengths.add(plan, count, () => records?.length ?? 0)
      return this.#isWhole(plan, limit, count) ? { whole: records ?? '' } : null
    })
  }

  count(plan: ReadPlan, kind: CheapQueryKind, client?: RequestClient): Awaitable<number> {
    const statement = countStatement(plan)
    const values = valuesOf(plan, statement, 1)
    const limit = pageLimit(plan)
    return this.#readInTurn({ plan, kind, client, limit }, () => this.#reader.first(statement, values)?.count ?? 0)
  }

  #readInTurn<T>({ plan, kind, client, limit }: PageRead, read: () => T): Awaitable<T> {
    const isScan = kind === 'small' || kind === 'few'
    if (!isScan && plan.skip + limit <= (kind === 'lookup' ? lookupRowsMax : shortPageRows)) {
      this.#reader.rowsOfTick += plan.skip
      return read()
    }
    const slots = isScan ? this.#scans : this.#longPages
    const rows = isScan ? rowsOfTurnMax : plan.skip
    return this.#takeTurn({ companyId: plan.companyId, client, slots, rows }, read)
  }

  /** What would make this turn of the event loop long is a slice of long work in a later one, of each company in turn. */
  #takeTurn<T>({ companyId, client, slots, rows }: ReadTurn, read: () => T): Awaitable<T> {
    const readNow = () => {
      this.#reader.rowsOfTick += rows
      return read()
    }
    if (this.#reader.rowsOfTick < rowsOfTurnMax) return readNow()
    return slots.acquire(companyId, client).then(async (release) => {
      await yieldToEventLoop()
      try {
        return readNow()
      } finally {
        release()
      }
    })
  }

  #isWhole({ top }: ReadPlan, limit: number, rows: number): boolean {
    this.#reader.rowsOfTick += rows
    return rows < limit || limit === top
  }

  /** The page as one value, so that no JavaScript string is created per record. */
  #readPage(plan: ReadPlan, limit: number): JsonPage {
    const statement = pageStatement(plan)
    return this.#reader.first(statement, valuesOf(plan, statement, limit)) ?? { count: 0, records: null }
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
  /** How many records are read at most. */
  readonly limit: number
}

interface ReadTurn {
  readonly companyId: CompanyId
  readonly client: RequestClient | undefined
  readonly slots: CompanySlots
  /** How many are visited besides those that are returned. */
  readonly rows: number
}

/** Records as JSON, with commas between them. */
interface JsonPage {
  readonly count: number
  readonly records: string | Buffer | null
}

function valuesOf(plan: ReadPlan, statement: Statement<unknown>, limit: number) {
  return readValues(plan, statement, { dialect: 'sqlite', limit })
}

/** Pages that visit so many rows never wait, and look-ups of some records without a limit. */
const shortPageRows = 100
const lookupRowsMax = 1000
/** Some 2 to 4 ms. */
const rowsOfTurnMax = 2000
/** Long pages that wait for a slice at the same time. */
const longPagesMax = 4
