// Reply deadline: closes a connection whose server does not reply, with one timer for all of its queries.

interface ReplyDeadlineOptions {
  readonly limitMs: number
  /** Whether the server waits too, for the next query: what one of them sent was lost. */
  readonly isLost: () => Promise<boolean>
  readonly expire: () => void
}

/** A server that the network has cut off ends no query. Each reply leaves the next one as much time. */
export class ReplyDeadline {
  readonly #options: ReplyDeadlineOptions
  readonly #checkMs: number
  #expected = 0
  /** Counts the beginnings of waits. */
  #wait = 0
  #waitedMs = 0
  #wasLost = false
  #timer: NodeJS.Timeout | null = null

  constructor(options: ReplyDeadlineOptions) {
    this.#options = options
    this.#checkMs = Math.min(checkMs, options.limitMs)
  }

  /** A query is sent. */
  expect(): void {
    this.#expected += 1
    if (this.#expected === 1) this.#restart()
  }

  /** It has its reply, or failed. */
  settle(): void {
    this.#expected -= 1
    if (this.#expected > 0) this.#restart()
  }

  /** Not cancelled while nothing is expected: a timer that is restarted costs less than a new one. */
  #restart(): void {
    this.#wait += 1
    this.#waitedMs = 0
    this.#wasLost = false
    if (this.#timer !== null) this.#timer.refresh()
    else this.#timer = setTimeout(() => void this.#check(), this.#checkMs).unref()
  }

  /** A reply that is lost once may be on its way. */
  async #check(): Promise<void> {
    if (this.#expected === 0) return
    this.#waitedMs += this.#checkMs
    if (this.#waitedMs >= this.#options.limitMs) {
      this.#options.expire()
      return
    }
    this.#timer?.refresh()
    const wait = this.#wait
    const isLost = await this.#options.isLost()
    if (this.#wait !== wait || this.#expected === 0) return
    if (isLost && this.#wasLost) this.#options.expire()
    this.#wasLost = isLost
  }
}

const checkMs = 2000
