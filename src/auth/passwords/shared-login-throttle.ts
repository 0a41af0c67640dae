// Limits that hold over all servers on one database: what one of them finds wrong counts at the others (ADR 0127).
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

/** A trial that may be evaluated; exactly one of the two is called afterwards. */
export interface SharedAdmitted extends Pick<Admitted, 'release'> {
  /** Resolves when the other servers can know. */
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

  /** As `FailureLimiter` does. Whoever is limited here is told so without a look at what happened elsewhere. */
  async admit(trial: Trial): Promise<SharedAdmitted | number> {
    const alone = this.#limiter.admit(trial)
    if (typeof alone === 'number') return alone
    alone.release()
    await this.#learn(trial)
    const admitted = this.#limiter.admit(trial)
    if (typeof admitted === 'number') return admitted
    return {
      release: () => admitted.release(),
      wrong: () => this.#tell(admitted.names).finally(() => admitted.wrong()),
    }
  }

  /** Forgets what counts no more. */
  async tidy(): Promise<void> {
    const { store, clock } = this.#options
    await store.inHouseTransaction((writer) => forgetFailures(writer, clock() - hour))
  }

  async #learn(trial: Trial): Promise<void> {
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

  async #tell(names: readonly string[]): Promise<void> {
    const { store, clock } = this.#options
    const failed = { at: clock(), server: this.#server }
    await store.inHouseTransaction((writer) => insertFailures(writer, names.map(hashOf), failed))
  }
}

/** Companies, people and networks are nobody's business in this table. */
function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}

/** Microseconds: the longest time that any limit looks back. */
const hour = 3_600_000_000
