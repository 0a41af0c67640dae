// Reply deadline: closes a connection whose server does not reply, with one timer for all of its queries.

/** A server that the network has cut off ends no query. Each reply leaves the next one as much time. */
export class ReplyDeadline {
  readonly #limitMs: number
  readonly #expire: () => void
  #expected = 0
  #timer: NodeJS.Timeout | null = null

  constructor(limitMs: number, expire: () => void) {
    this.#limitMs = limitMs
    this.#expire = expire
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
    if (this.#timer !== null) this.#timer.refresh()
    else this.#timer = setTimeout(() => this.#expected > 0 && this.#expire(), this.#limitMs).unref()
  }
}
