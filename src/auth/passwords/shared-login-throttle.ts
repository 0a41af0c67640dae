// Shared login throttle: failed logins count on all servers of one database (ADR 0127).
import { createHash } from 'node:crypto'
import type { Admitted, FailureLimiter, Trial } from './login-throttle.ts'
import type { Random } from '../tokens/secret.ts'
import {
  failuresElsewhere,
  forgetFailures,
  insertFailures,
} from '../../store/accounts/login-failures.ts'
import type { Store } from '../../store/store.ts'

export interface SharedLimiterOptions {
  readonly store: Store
  readonly random: Random
  /** Microseconds since 1970. */
  readonly clock: () => number
}

/** Permission to check a secret; exactly one of the two functions is called afterwards. */
export interface SharedAdmitted extends Pick<Admitted, 'release'> {
  /** Resolves when the failure is stored for the other servers. */
  wrong(): Promise<void>
}

export class SharedLimiter {
  readonly #limiter: FailureLimiter
  readonly #options: SharedLimiterOptions
  readonly #server: string

  constructor(limiter: FailureLimiter, options: SharedLimiterOptions) {
    this.#limiter = limiter
    this.#options = options
    this.#server = options.random(9).toString('base64url')
  }

  /** Like `LoginThrottle.admit`. An attempt that is limited locally is rejected without a database read. */
  async admit(trial: Trial): Promise<SharedAdmitted | number> {
    const local = this.#limiter.admit(trial)
    if (typeof local === 'number') return local
    local.release()
    await this.#readFailures(trial)
    const permit = this.#limiter.admit(trial)
    if (typeof permit === 'number') return permit
    return {
      release: () => permit.release(),
      wrong: () => this.#storeFailures(permit.names).finally(() => permit.wrong()),
    }
  }

  /** Deletes expired failures. */
  async tidy(): Promise<void> {
    const { store, clock } = this.#options
    await store.inHouseTransaction((writer) => forgetFailures(writer, clock() - hour))
  }

  async #readFailures(trial: Trial): Promise<void> {
    const counters = new Map(
      this.#limiter.countersOf(trial).map((counter) => [hashOf(counter.name), counter]),
    )
    const known = [...counters].map(([name, { learnedId }]) => ({ name, after: learnedId }))
    for (const { id, name, at } of await failuresElsewhere(
      this.#options.store,
      known,
      this.#server,
    ))
      counters.get(name)?.learn(id, at / 1000)
  }

  async #storeFailures(names: readonly string[]): Promise<void> {
    const { store, clock } = this.#options
    const failed = { at: clock(), server: this.#server }
    await store.inHouseTransaction((writer) => insertFailures(writer, names.map(hashOf), failed))
  }
}

/** The table holds only hashes, and no names of companies, people or networks. */
function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}

/** Microseconds: the longest window of any limit. */
const hour = 3_600_000_000
