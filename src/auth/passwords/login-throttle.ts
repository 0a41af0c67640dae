// Counts wrong passwords, so that guessing ends and nobody else's work does.
import { LeastRecentlyUsed } from '../../lib/least-recently-used.ts'

export interface Limit {
  readonly failuresMax: number
  readonly windowMs: number
  /** Whether a pause follows when the limit is reached, longer each time. */
  readonly isPausing: boolean
}

export interface FailureLimits {
  /** Of one company from one network. */
  readonly companyAndNetwork: Limit
  /** Beside it, for passwords that come back after they were held back (ADR 0050). */
  readonly returning: Limit
  /** Of one company from wherever; not for networks that were right for it before. */
  readonly company: Limit
  /** From one network, of whichever company. */
  readonly network: Limit
}

const standardLimits: FailureLimits = {
  companyAndNetwork: { failuresMax: 7, windowMs: 60_000, isPausing: true },
  returning: { failuresMax: 3, windowMs: 60_000, isPausing: false },
  company: { failuresMax: 100, windowMs: 3_600_000, isPausing: true },
  network: { failuresMax: 60, windowMs: 60_000, isPausing: true },
}

/** Who tries a password for which company. */
export interface Trial {
  /** The same for the same company and password, of no use outside this process. */
  readonly pair: string
  /** The company's name as it is compared, also of a company that does not exist. */
  readonly company: string
  readonly network: string
  /** Whether the network was right for this company within the last 30 days. */
  readonly isKnown: boolean
  /** Whether this very pair was right within that time: no guess then. */
  readonly wasRight: boolean
}

/** A trial that may be evaluated; exactly one of the two is called afterwards. */
export interface Admitted {
  /** What it counts against, if it is wrong. */
  readonly names: readonly string[]
  /** Right, or never evaluated. */
  release(): void
  wrong(): void
}

export class FailureLimiter {
  readonly #limits: FailureLimits
  readonly #clockMs: () => number
  readonly #counters = new LeastRecentlyUsed<string, Counter>(countersMax)
  readonly #heldBack = new LeastRecentlyUsed<string, true>(heldBackMax)

  constructor(clockMs: () => number, limits: FailureLimits = standardLimits) {
    this.#limits = limits
    this.#clockMs = clockMs
  }

  /**
   * The trial, or the milliseconds until another one is worth making. Trials under way count as wrong. Where a
   * company's network is limited, a few places are kept for pairs that come back: a guess has no reason to, while
   * a program that knows its password asks again with the same one (ADR 0050).
   */
  admit(trial: Trial): Admitted | number {
    const counters = this.#countersOf(trial)
    const waitMs = trial.wasRight ? 0 : this.#waitMs(counters)
    if (waitMs === 0) return this.#begin(counters)
    if (!trial.isKnown) return waitMs
    return this.#comesBack(trial)
      ? this.#admitReturning(trial, waitMs)
      : Math.min(waitMs, comeBackMs)
  }

  /** All that may count against a trial, for those who know of failures elsewhere. */
  countersOf(trial: Trial): readonly Counter[] {
    return [...this.#countersOf(trial), this.#returning(trial)]
  }

  #returning(trial: Trial): Counter {
    return this.#counter(`returning ${placeOf(trial)}`, this.#limits.returning)
  }

  #admitReturning(trial: Trial, waitMs: number): Admitted | number {
    const counters = [this.#returning(trial)]
    const returningMs = this.#waitMs(counters)
    return returningMs === 0 ? this.#begin(counters) : Math.min(waitMs, returningMs)
  }

  /** Whether the pair was held back before; if not, it is from now on. */
  #comesBack({ pair, network }: Trial): boolean {
    const name = `${pair} ${network}`
    const isBack = this.#heldBack.get(name) !== undefined
    if (!isBack) this.#heldBack.set(name, true)
    return isBack
  }

  #waitMs(counters: readonly Counter[]): number {
    const now = this.#clockMs()
    return Math.max(...counters.map((counter) => counter.waitMs(now)))
  }

  #begin(counters: readonly Counter[]): Admitted {
    for (const counter of counters) counter.underway++
    const end = () => {
      for (const counter of counters) counter.underway--
    }
    return {
      names: counters.map(({ name }) => name),
      release: end,
      wrong: () => {
        end()
        for (const counter of counters) counter.fail(this.#clockMs())
      },
    }
  }

  #countersOf(trial: Trial): Counter[] {
    const { company, network, isKnown } = trial
    const { companyAndNetwork, network: ofNetwork, company: ofCompany } = this.#limits
    const counters = [
      this.#counter(`both ${placeOf(trial)}`, companyAndNetwork),
      this.#counter(`network ${network}`, ofNetwork),
    ]
    if (!isKnown) counters.push(this.#counter(`company ${company}`, ofCompany))
    return counters
  }

  #counter(name: string, limit: Limit): Counter {
    const known = this.#counters.get(name)
    if (known !== undefined) return known
    const counter = new Counter(name, limit)
    this.#counters.set(name, counter)
    return counter
  }
}

/** So many that pushing one out costs more guesses, at two hashes a time, than it gives. */
const countersMax = 100_000

/** Pairs that were refused unseen; whoever pushes one out before it is back sends a thousand a second. */
const heldBackMax = 20_000

/** What a held-back pair from a known network is told to wait. */
const comeBackMs = 2_000

function placeOf({ company, network }: Trial): string {
  return `${network} ${company}`
}

const backoffFirstMs = 60_000
const backoffMaxMs = 15 * 60_000

/** The failures of the last window, exactly, and the pause that follows when they reach the limit. */
class Counter {
  readonly name: string
  underway = 0
  /** The last failure elsewhere that was learned of. */
  learnedId = 0
  readonly #limit: Limit
  #failedAt: number[] = []
  #pausedUntil = 0
  #backoffMs = backoffFirstMs

  constructor(name: string, limit: Limit) {
    this.name = name
    this.#limit = limit
  }

  /** One that another server noted. */
  learn(id: number, at: number): void {
    this.learnedId = Math.max(this.learnedId, id)
    this.fail(at)
  }

  waitMs(now: number): number {
    if (now < this.#pausedUntil) return this.#pausedUntil - now
    this.#forget(now)
    const free = this.#limit.failuresMax - this.#failedAt.length - this.underway
    if (free > 0) return 0
    const [first] = this.#failedAt
    // Full of trials under way: they end within a moment.
    return first === undefined ? 1_000 : first + this.#limit.windowMs - now
  }

  fail(now: number): void {
    this.#forget(now)
    this.#failedAt.push(now)
    if (!this.#limit.isPausing || this.#failedAt.length < this.#limit.failuresMax) return
    // Whoever comes back at once pays double; a quiet hour pays the debt.
    if (now - this.#pausedUntil > quietMs) this.#backoffMs = backoffFirstMs
    this.#pausedUntil = now + this.#backoffMs
    this.#backoffMs = Math.min(this.#backoffMs * 2, backoffMaxMs)
  }

  #forget(now: number): void {
    const since = now - this.#limit.windowMs
    if ((this.#failedAt[0] ?? now) <= since)
      this.#failedAt = this.#failedAt.filter((at) => at > since)
  }
}

const quietMs = 3_600_000
