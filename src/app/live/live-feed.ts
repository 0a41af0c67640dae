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
    const company: CompanyFeed = { pages: new Set(), counters: undefined, pollCount: 0, timer: undefined }
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
    const before = company.counters
    try {
      company.counters = await getChangeCounters(this.#reader, { companyId })
    } catch {
      // While the database is unavailable there is nothing to report; the pages notice it themselves.
    }
    const after = company.counters ?? before
    const changed = topics.filter((topic) => before !== undefined && before[topic] !== after?.[topic])
    const { lookEveryMs, looksPerBeat } = this.#pace
    const isBeat = ++company.pollCount % looksPerBeat === 0
    for (const page of company.pages) {
      if (changed.length > 0) page.notify(changed)
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
  #isHeartbeatDue = true
  #isOver = false
  #wake: () => void = () => {}

  constructor(subscriber: LiveSubscriber, beatsMax: number, leave: () => void) {
    this.subscriber = subscriber
    this.#heartbeatsLeft = beatsMax
    this.#onEnd = leave
  }

  notify(changed: readonly Topic[]): void {
    for (const topic of changed) if (this.subscriber.topics.includes(topic)) this.#pendingTopics.add(topic)
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
    this.#pendingTopics.clear()
    this.#isHeartbeatDue = false
    return {
      done: false,
      value: topics.length === 0 ? heartbeatEvent(this.subscriber.today()) : serializeEvent('changed', { topics }),
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

interface CompanyFeed {
  readonly pages: Set<LivePage>
  counters: ChangeCounters | undefined
  pollCount: number
  timer: NodeJS.Timeout | undefined
}

/** Each heartbeat has the reconnect delay. */
function heartbeatEvent(today: string): string {
  return `retry: 3000
${serializeEvent('beat', { today })}`
}

function serializeEvent<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): string {
  return `event: ${name}
data: ${JSON.stringify(data)}

`
}

const pagesOfSessionMax = 6
const pagesMax = 2_000
