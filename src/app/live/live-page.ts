// The event stream of one open page.
import { topics, type LiveEvents, type Topic } from '../contract/live.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ChangeCounters } from '../../store/change-counters.ts'

export interface LiveSubscriber {
  readonly companyId: CompanyId
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

  constructor(subscriber: LiveSubscriber, heartbeatsMax: number, leave: () => void) {
    this.subscriber = subscriber
    this.#position = subscriber.position
    this.#heartbeatsLeft = heartbeatsMax
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

export function formatPosition(counters: ChangeCounters, readable: readonly Topic[]): string {
  return topics.map((topic) => (readable.includes(topic) ? counters[topic] : '')).join('.')
}

function serializeEvent<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): string {
  return `event: ${name}
data: ${JSON.stringify(data)}

`
}
