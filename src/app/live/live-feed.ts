// Live updates: polls a company's change counters once a second for all its open pages (ADR 0047).
import { type Topic } from '../contract/live.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { getChangeCounters, type ChangeCounters } from '../../store/change-counters.ts'
import type { Reader } from '../../store/store.ts'
import { ApiError } from '../../errors/api-error.ts'
import { LivePage, formatPosition, type LiveSubscriber } from './live-page.ts'

export interface PollingPace {
  readonly pollEveryMs: number
  readonly pollsPerHeartbeat: number
  /** Heartbeats until a page must reconnect: shorter than the time limit of a response. */
  readonly heartbeatsMax: number
}

/** The heartbeat interval is half of the idle timeout of a connection. */
const defaultPace: PollingPace = { pollEveryMs: 1_000, pollsPerHeartbeat: 15, heartbeatsMax: 20 }

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

  /** The event stream of a page. Throws `RateLimited` when the session has too many pages, `Overloaded` when its company or the server has. */
  subscribe(subscriber: LiveSubscriber): LivePage {
    const { session, companyId } = subscriber
    const pages = this.#pagesBySession.get(session) ?? 0
    if (pages >= pagesOfSessionMax)
      throw new ApiError('RateLimited', { params: { seconds: 60 }, headers: { 'Retry-After': '60' } })
    if (this.#pageCount >= pagesMax) throw new ApiError('Overloaded', { headers: { 'Retry-After': '60' } })
    const company = this.#companies.get(companyId) ?? this.#open(companyId)
    if (company.pages.size >= pagesOfCompanyMax) throw new ApiError('Overloaded', { headers: { 'Retry-After': '60' } })
    const page = new LivePage(subscriber, this.#pace.heartbeatsMax, () => {
      this.#count(session, -1)
      company.pages.delete(page)
      if (company.pages.size > 0) return
      clearTimeout(company.timer)
      this.#companies.delete(companyId)
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

  /** Polls and notifies as long as the company has open pages. */
  async #poll(companyId: CompanyId, company: CompanyFeed): Promise<void> {
    let counters: ChangeCounters | undefined
    try {
      counters = await getChangeCounters(this.#reader, { companyId })
    } catch {
      // While the database is unavailable there is nothing to report; the pages notice it themselves.
    }
    const { pollEveryMs, pollsPerHeartbeat } = this.#pace
    const isHeartbeat = ++company.pollCount % pollsPerHeartbeat === 0
    for (const page of company.pages) {
      if (counters !== undefined) page.compare(counters)
      if (isHeartbeat) void page.sendHeartbeat()
    }
    if (this.#companies.get(companyId) !== company) return
    company.timer = setTimeout(() => void this.#poll(companyId, company), pollEveryMs)
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

const pagesOfSessionMax = 6

const pagesMax = 2_000
/** Three quarters, as of other things that companies share (ADR 0015). */
const pagesOfCompanyMax = 1_500
