// Live updates: polls a company's change counters once a second for all its open pages (ADR 0047).
import { topics, type LiveEvents, type Topic } from '../contract/live.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { getChangeCounters, type ChangeCounters } from '../../store/change-counters.ts'
import type { Reader } from '../../store/store.ts'
import { ApiError } from '../../errors/api-error.ts'

export interface LiveSubscriber {
  readonly companyId: CompanyId
  /** Identifies the session. */
  readonly session: string
  /** The topics that the user may read. */
  readonly topics: readonly Topic[]
  /** `getPosition` before the page read its data, so that no change after it is missed; '' for changes from now on. */
  readonly position: string
  /** Whether the session is still valid; called with every heartbeat. */
  readonly isStillIn: () => Promise<boolean>
  /** The company's date, `YYYY-MM-DD`: sent with every heartbeat, for pages that are open at midnight. */
  readonly today: () => string
}

export interface PollingPace {
  readonly lookEveryMs: number
  readonly looksPerBeat: number
  /** Heartbeats until a page must reconnect: shorter than the time limit of a response. */
  readonly beatsMax: number
}

/** The heartbeat interval is half of the idle timeout of a connection. */
const defaultPace: PollingPace = { lookEveryMs: 1_000, looksPerBeat: 15, beatsMax: 20 }

/** One instance for each process. */
export class LiveFeed {
  readonly #reader: Reader
  readonly #pace: PollingPace
  readonly #companies = new Map<CompanyId, CompanyFeed>()
  readonly #pagesBySession = new Map<string, number>()
  #pageCount = 0

  constructor(reader: Reader, pace = defaultPace) {
    this.#reader = reader
    this.#pace = pace
  }

  /** The event stream of a page. Throws `RateLimited` when the session has too many pages, `Overloaded` when the server has. */
  subscribe(subscriber: LiveSubscriber): LivePage {
    const { session, companyId } = subscriber
    const pages = this.#pagesBySession.get(session) ?? 0
    if (pages >= pagesOfSessionMax)
      throw new ApiError('RateLimited', { params: { seconds: 60 }, headers: { 'Retry-After': '60' } })
    if (this.#pageCount >= pagesMax) throw new ApiError('Overloaded', { headers: { 'Retry-After': '60' } })
    const company = this.#companies.get(companyId) ?? this.#open(companyId)
    const page = new LivePage(subscriber, this.#pace.beatsMax, () => {
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

  #open(companyId: CompanyId): CompanyFeed {
    const company: CompanyFeed = { pages: new Set(), pollCount: 0, timer: undefined }
    this.#companies.set(companyId, company)
    void this.#poll(companyId, company)
    return company
  }

  #close(companyId: CompanyId, company: CompanyFeed): void {
    clearTimeout(company.timer)
    this.#companies.delete(companyId)
  }

  /** Polls and notifies as long as the company has open pages. */
  async #poll(companyId: CompanyId, company: CompanyFeed): Promise<void> {
    let counters: ChangeCounters | undefined
    try {
      counters = await getChangeCounters(this.#reader, { companyId })
    } catch {
      // While the database is unavailable there is nothing to report; the pages notice it themselves.
    }
    const { lookEveryMs, looksPerBeat } = this.#pace
    const isBeat = ++company.pollCount % looksPerBeat === 0
    for (const page of company.pages) {
      if (counters !== undefined) page.compare(counters)
      if (isBeat) void page.sendHeartbeat()
    }
    if (this.#companies.get(companyId) !== company) return
    company.timer = setTimeout(() => void this.#poll(companyId, company), lookEveryMs)
  }
}

/** The event stream of one page. Pending topics are merged, so that a slow reader uses little memory. */
export class LivePage implements AsyncIterableIterator<string> {
  readonly subscriber: LiveSubscriber
  readonly #onEnd: () => void
  #heartbeatsLeft: number
  readonly #pendingTopics = new Set<Topic>()
  #position: string
  #isHeartbeatDue = true
  #isOver = false
  #wake: () => void = () => {}

  constructor(subscriber: LiveSubscriber, beatsMax: number, leave: () => void) {
    this.subscriber = subscriber
    this.#position = subscriber.position
    this.#heartbeatsLeft = beatsMax
    this.#onEnd = leave
  }

  /** Sends the topics whose counter differs from the position of the page. */
  compare(counters: ChangeCounters): void {
    const position = formatPosition(counters, this.subscriber.topics)
    const before = this.#position === '' ? position.split('.') : this.#position.split('.')
    const after = position.split('.')
    for (const [index, topic] of topics.entries()) if (before[index] !== after[index]) this.#pendingTopics.add(topic)
    this.#position = position
    if (this.#pendingTopics.size > 0) this.#wake()
  }

  /** Sends a heartbeat, or ends the stream when the session is over or the stream is old; the page then reconnects. */
  async sendHeartbeat(): Promise<void> {
    const isStillIn = await this.subscriber.isStillIn().catch(() => false)
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
    const events = [
      // Each heartbeat has the reconnect delay.
      ...(this.#isHeartbeatDue ? [`retry: 3000\n${serializeEvent('beat', { today: this.subscriber.today() })}`] : []),
      ...(topics.length > 0 ? [serializeEvent('changed', { topics })] : []),
    ]
    this.#pendingTopics.clear()
    this.#isHeartbeatDue = false
    // A page that reconnects sends the id back.
    return { done: false, value: events.map((event) => `id: ${this.#position}\n${event}`).join('') }
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

interface CompanyFeed {
  readonly pages: Set<LivePage>
  pollCount: number
  timer: NodeJS.Timeout | undefined
}

/** The position of a company's changes, opaque to the app; without the topics that the user may not read. */
export async function getPosition(reader: Reader, companyId: CompanyId, readable: readonly Topic[]): Promise<string> {
  const counters = await getChangeCounters(reader, { companyId })
  return counters === undefined ? '' : formatPosition(counters, readable)
}

function formatPosition(counters: ChangeCounters, readable: readonly Topic[]): string {
  return topics.map((topic) => (readable.includes(topic) ? counters[topic] : '')).join('.')
}

function serializeEvent<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): string {
  return `event: ${name}
data: ${JSON.stringify(data)}

`
}

const pagesOfSessionMax = 6
const pagesMax = 2_000
