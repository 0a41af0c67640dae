// Failure counter: a sliding window of failed logins, with the pause that follows when it is full.

export interface FailureLimit {
  readonly failuresMax: number
  readonly windowMs: number
  /** Whether reaching the limit starts a pause, which doubles each time. */
  readonly isPausing: boolean
}

const backoffFirstMs = 60_000

const backoffMaxMs = 15 * 60_000

export class FailureCounter {
  readonly name: string
  inProgress = 0
  /** The id of the last failure that was read from other servers. */
  lastRemoteId = 0
  readonly #limit: FailureLimit
  #failedAt: number[] = []
  #pausedUntil = 0
  #backoffMs = backoffFirstMs

  constructor(name: string, limit: FailureLimit) {
    this.name = name
    this.#limit = limit
  }

  /** Adds a failure of another server. */
  addRemote(id: number, at: number): void {
    this.lastRemoteId = Math.max(this.lastRemoteId, id)
    this.fail(at)
  }

  waitMs(now: number): number {
    if (now < this.#pausedUntil) return this.#pausedUntil - now
    this.#deleteExpired(now)
    const free = this.#limit.failuresMax - this.#failedAt.length - this.inProgress
    if (free > 0) return 0
    const [first] = this.#failedAt
    // Only attempts in progress: they end soon.
    return first === undefined ? 1_000 : first + this.#limit.windowMs - now
  }

  fail(now: number): void {
    this.#deleteExpired(now)
    this.#failedAt.push(now)
    if (!this.#limit.isPausing || this.#failedAt.length < this.#limit.failuresMax) return
    // The pause doubles with each lockout and resets after a quiet hour.
    if (now - this.#pausedUntil > quietMs) this.#backoffMs = backoffFirstMs
    this.#pausedUntil = now + this.#backoffMs
    this.#backoffMs = Math.min(this.#backoffMs * 2, backoffMaxMs)
  }

  #deleteExpired(now: number): void {
    const since = now - this.#limit.windowMs
    if ((this.#failedAt[0] ?? now) <= since) this.#failedAt = this.#failedAt.filter((at) => at > since)
  }
}

const quietMs = 3_600_000
