// Login throttle: limits failed logins per company and network, with growing pauses.
import { LeastRecentlyUsed } from '../../lib/least-recently-used.ts'
import { microsecondsPerDay } from '../../lib/timestamp.ts'
import { FailureCounter, type FailureLimit } from './failure-counter.ts'

export interface LoginLimits {
  /** For one company from one network. */
  readonly companyAndNetwork: FailureLimit
  /** Additional attempts for passwords that are sent again after they were held back (ADR 0038). */
  readonly retries: FailureLimit
  /** For one company from any network that has never logged in to it successfully. */
  readonly company: FailureLimit
  /** From one network, for any company. */
  readonly network: FailureLimit
}

const defaultLimits: LoginLimits = {
  companyAndNetwork: { failuresMax: 7, windowMs: 60_000, isPausing: true },
  retries: { failuresMax: 3, windowMs: 60_000, isPausing: false },
  company: { failuresMax: 100, windowMs: 3_600_000, isPausing: true },
  network: { failuresMax: 60, windowMs: 60_000, isPausing: true },
}

/** A login attempt: which company, from which network, with which secret. */
export interface LoginAttempt {
  /** A keyed hash of company and password, useless outside this process. */
  readonly pair: string
  /** The normalized name of the company, which need not exist. */
  readonly company: string
  readonly network: string
  /** Whether the network has logged in to this company within the last 30 days. */
  readonly isKnown: boolean
  /** Whether this pair was valid within that time, so that it is no guess. */
  readonly wasVerified: boolean
}

/** Permission to check a secret; exactly one of the two functions is called afterwards. */
export interface LoginPermit {
  /** The counters that a failure increases. */
  readonly names: readonly string[]
  /** The secret was valid, or was not checked. */
  release(): void
  fail(): void
}

export class LoginThrottle {
  readonly #limits: LoginLimits
  readonly #clockMs: () => number
  readonly #counters = new LeastRecentlyUsed<string, FailureCounter>(countersMin)
  readonly #heldBack = new LeastRecentlyUsed<string, true>(heldBackMin)

  constructor(clockMs: () => number, limits: LoginLimits = defaultLimits) {
    this.#limits = limits
    this.#clockMs = clockMs
  }

  /**
   * Returns a permit, or the milliseconds to wait. Attempts in progress count as failures. When a known network is
   * limited, a few attempts are reserved for pairs that are sent again: a program retries the password it knows, while
   * an attacker has no reason to repeat a guess (ADR 0038).
   */
  admit(attempt: LoginAttempt): LoginPermit | number {
    const counters = this.#attemptCounters(attempt)
    const waitMs = attempt.wasVerified ? 0 : this.#waitMs(counters)
    if (waitMs === 0) return this.#start(counters)
    if (!attempt.isKnown) return waitMs
    return this.#isRetry(attempt) ? this.#admitRetry(attempt, waitMs) : Math.min(waitMs, retryAfterMs)
  }

  /** All counters of an attempt, so that failures on other servers can be added. */
  countersOf(attempt: LoginAttempt): readonly FailureCounter[] {
    return [...this.#attemptCounters(attempt), this.#retryCounter(attempt)]
  }

  #retryCounter(attempt: LoginAttempt): FailureCounter {
    return this.#counter(`returning ${networkAndCompany(attempt)}`, this.#limits.retries)
  }

  #admitRetry(attempt: LoginAttempt, waitMs: number): LoginPermit | number {
    const counters = [this.#retryCounter(attempt)]
    const returningMs = this.#waitMs(counters)
    return returningMs === 0 ? this.#start(counters) : Math.min(waitMs, returningMs)
  }

  /** Whether the pair was held back before; marks it as held back. */
  #isRetry({ pair, network }: LoginAttempt): boolean {
    const name = `${pair} ${network}`
    const isBack = this.#heldBack.get(name) !== undefined
    if (!isBack) this.#heldBack.set(name, true)
    return isBack
  }

  #waitMs(counters: readonly FailureCounter[]): number {
    const now = this.#clockMs()
    return Math.max(...counters.map((counter) => counter.waitMs(now)))
  }

  #start(counters: readonly FailureCounter[]): LoginPermit {
    for (const counter of counters) counter.inProgress++
    const end = () => {
      for (const counter of counters) counter.inProgress--
    }
    return {
      names: counters.map(({ name }) => name),
      release: end,
      fail: () => {
        end()
        for (const counter of counters) counter.fail(this.#clockMs())
      },
    }
  }

  #attemptCounters(attempt: LoginAttempt): FailureCounter[] {
    const { company, network, isKnown } = attempt
    const { companyAndNetwork, network: ofNetwork, company: ofCompany } = this.#limits
    const counters = [
      this.#counter(`both ${networkAndCompany(attempt)}`, companyAndNetwork),
      this.#counter(`network ${network}`, ofNetwork),
    ]
    if (!isKnown) counters.push(this.#counter(`company ${company}`, ofCompany))
    return counters
  }

  #counter(name: string, limit: FailureLimit): FailureCounter {
    const known = this.#counters.get(name)
    if (known !== undefined) return known
    const counter = new FailureCounter(name, limit)
    this.#counters.set(name, counter)
    return counter
  }
}

/** Large enough that evicting a counter costs more guesses, at two hashes at a time, than it gains. */
const countersMin = 100_000

/** Pairs rejected without a check; evicting one before its retry takes a thousand requests a second. */
const heldBackMin = 20_000

/** Microseconds: how long a network counts as known after a successful login. */
export const knownNetworkLifetime = 30 * microsecondsPerDay

/** `Retry-After` for a held-back pair from a known network. */
const retryAfterMs = 2_000

function networkAndCompany({ company, network }: LoginAttempt): string {
  return `${network} ${company}`
}
