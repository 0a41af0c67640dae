// Live updates: polls a company's change counters once a second for all its open pages (ADR 0105).
import { Fault } from '../../errors/catalog.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { changeMarks, type ChangeMarks } from '../../store/change-counters.ts'
import type { Reader } from '../../store/store.ts'

export type Topic = keyof ChangeMarks

export interface Follower {
  readonly companyId: CompanyId
  /** Identifies the session. */
  readonly session: string
  /** The topics that the user may read. */
  readonly topics: readonly Topic[]
  /** Whether the session is still valid; called with every heartbeat. */
  readonly isStillIn: () => Promise<boolean>
  /** The company's date, `YYYY-MM-DD`: sent with every heartbeat, for pages that are open at midnight. */
  readonly today: () => string
}

export interface Pace {
  readonly lookEveryMs: number
  readonly looksPerBeat: number
  /** Heartbeats until a page must reconnect: shorter than the time limit of a response. */
  readonly beatsMax: number
}

/** The heartbeat interval is half of the idle timeout of a connection. */
const usualPace: Pace = { lookEveryMs: 1_000, looksPerBeat: 15, beatsMax: 20 }

/** One instance for each process. */
export class LiveFeed {
  readonly #reader: Reader
  readonly #pace: Pace
  readonly #companies = new Map<CompanyId, Company>()
  readonly #pagesBySession = new Map<string, number>()
  #pageCount = 0

  constructor(reader: Reader, pace = usualPace) {
    this.#reader = reader
    this.#pace = pace
  }

  /** The event stream of a page. Throws `RateLimited` when the session has too many pages, `Overloaded` when the server has. */
  follow(follower: Follower): Page {
    const { session, companyId } = follower
    const pages = this.#pagesBySession.get(session) ?? 0
    if (pages >= pagesOfSessionMax)
      throw new Fault('RateLimited', { says: { seconds: 60 }, headers: { 'Retry-After': '60' } })
    if (this.#pageCount >= pagesMax)
      throw new Fault('Overloaded', { headers: { 'Retry-After': '60' } })
    const company = this.#companies.get(companyId) ?? this.#open(companyId)
    const page = new Page(follower, this.#pace.beatsMax, () => {
      this.#count(session, -1)
      company.pages.delete(page)
      if (company.pages.size === 0) this.#close(companyId, company)
    })
    this.#count(session, 1)
    company.pages.add(page)
    return page
  }

  #count(session: string, change: 1 | -1): void {
    const pages = (this.#pagesBySession.get(session) ?? 0) + change
    this.#pageCount += change
    if (pages === 0) this.#pagesBySession.delete(session)
    else this.#pagesBySession.set(session, pages)
  }

  #open(companyId: CompanyId): Company {
    const company: Company = { pages: new Set(), marks: undefined, looks: 0, timer: undefined }
    this.#companies.set(companyId, company)
    void this.#poll(companyId, company)
    return company
  }

  #close(companyId: CompanyId, company: Company): void {
    clearTimeout(company.timer)
    this.#companies.delete(companyId)
  }

  /** Polls and notifies as long as the company has open pages. */
  async #poll(companyId: CompanyId, company: Company): Promise<void> {
    const before = company.marks
    // While the database is unavailable there is nothing to report; the pages notice it themselves.
    company.marks = await readOr(before, () => changeMarks(this.#reader, companyId))
    const changed = before === undefined ? [] : topicsOf(before, company.marks ?? before)
    const { lookEveryMs, looksPerBeat } = this.#pace
    const isBeat = ++company.looks % looksPerBeat === 0
    for (const page of company.pages) {
      if (changed.length > 0) page.tell(changed)
      if (isBeat) void page.beat()
    }
    if (this.#companies.get(companyId) !== company) return
    company.timer = setTimeout(() => void this.#poll(companyId, company), lookEveryMs)
  }
}

/** The event stream of one page. Pending topics are merged, so that a slow reader uses little memory. */
export class Page implements AsyncIterableIterator<string> {
  readonly #follower: Follower
  readonly #onEnd: () => void
  #heartbeatsLeft: number
  readonly #pendingTopics = new Set<Topic>()
  #isHeartbeatDue = true
  #isOver = false
  #wake: () => void = () => {}

  constructor(follower: Follower, beatsMax: number, leave: () => void) {
    this.#follower = follower
    this.#heartbeatsLeft = beatsMax
    this.#onEnd = leave
  }

  tell(changed: readonly Topic[]): void {
    for (const topic of changed)
      if (this.#follower.topics.includes(topic)) this.#pendingTopics.add(topic)
    if (this.#pendingTopics.size > 0) this.#wake()
  }

  /** Sends a heartbeat, or ends the stream when the session is over or the stream is old; the page then reconnects. */
  async beat(): Promise<void> {
    const isStillIn = await this.#follower.isStillIn().catch(() => false)
    if (!isStillIn || --this.#heartbeatsLeft === 0) return this.end()
    this.#isHeartbeatDue = true
    this.#wake()
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onEnd()
    this.#wake()
  }

  async next(): Promise<IteratorResult<string>> {
    while (!this.#isOver && !this.#isHeartbeatDue && this.#pendingTopics.size === 0)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#isOver) return { done: true, value: undefined }
    const topics = [...this.#pendingTopics]
    this.#pendingTopics.clear()
    this.#isHeartbeatDue = false
    return {
      done: false,
      value: topics.length === 0 ? beatOf(this.#follower.today()) : eventOf(topics),
    }
  }

  /** The client disconnected. */
  async return(): Promise<IteratorResult<string>> {
    this.end()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

interface Company {
  readonly pages: Set<Page>
  marks: ChangeMarks | undefined
  looks: number
  timer: NodeJS.Timeout | undefined
}

const topics: readonly Topic[] = ['material', 'handOuts', 'revenue', 'directory']

function topicsOf(before: ChangeMarks, after: ChangeMarks): Topic[] {
  return topics.filter((topic) => before[topic] !== after[topic])
}

async function readOr<T>(otherwise: T, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch {
    return otherwise
  }
}

/** Each heartbeat has the reconnect delay. */
function beatOf(today: string): string {
  return `retry: 3000\nevent: beat\ndata: ${JSON.stringify({ today })}\n\n`
}

function eventOf(changed: readonly Topic[]): string {
  return `event: changed\ndata: ${JSON.stringify({ topics: changed })}\n\n`
}

const pagesOfSessionMax = 6
const pagesMax = 2_000
