// Shared login throttle: failed logins count on all servers of one database (ADR 0038).
import { ApiError } from '../../errors/api-error.ts'
import { createHash } from 'node:crypto'
import type { LoginPermit, LoginThrottle, LoginAttempt } from './login-throttle.ts'
import type { CryptoContext } from '../tokens/credential-factory.ts'
import { microsecondsPerHour } from '../../lib/timestamp.ts'
import {
  listLoginFailuresElsewhere,
  deleteExpiredLoginFailures,
  insertLoginFailures,
} from '../../store/accounts/login-failures.ts'
import type { Store } from '../../store/store.ts'

export interface SharedLoginThrottleOptions extends Pick<CryptoContext, 'clock' | 'random'> {
  readonly store: Store
}

/** Permission to check a secret; exactly one of the two functions is called afterwards. */
export interface SharedLoginPermit extends Pick<LoginPermit, 'release'> {
  /** Resolves when the failure is stored for the other servers. */
  fail(): Promise<void>
}

export class SharedLoginThrottle {
  readonly #limiter: LoginThrottle | null
  readonly #options: SharedLoginThrottleOptions
  readonly #server: string

  /** Without a limiter every attempt is admitted and no failure is stored. */
  constructor(limiter: LoginThrottle | null, options: SharedLoginThrottleOptions) {
    this.#limiter = limiter
    this.#options = options
    this.#server = options.random(9).toString('base64url')
  }

  /**
   * Like `LoginThrottle.admit`, but throws an error with this code. An attempt that is limited locally is rejected without
   * a database read.
   */
  async admit(attempt: LoginAttempt, code: LimitCode = 'TooManyFailedLogins'): Promise<SharedLoginPermit> {
    const limiter = this.#limiter
    if (limiter === null) return unlimited
    const local = limiter.admit(attempt)
    if (typeof local === 'number') throw limitError(code, local)
    local.release()
    await this.#readFailures(limiter, attempt)
    const permit = limiter.admit(attempt)
    if (typeof permit === 'number') throw limitError(code, permit)
    return {
      release: () => permit.release(),
      fail: () => this.#storeFailures(permit.names).finally(() => permit.fail()),
    }
  }

  /** Runs the check of a secret. A result that `isFailed`, and an error 401, count as a failed login. Throws as `admit`. */
  async run<T>(attempt: LoginAttempt, check: () => Promise<T>, isFailed: (result: T) => boolean): Promise<T> {
    const permit = await this.admit(attempt)
    let hasFailed = false
    try {
      const result = await check()
      hasFailed = isFailed(result)
      return result
    } catch (error) {
      hasFailed = error instanceof ApiError && error.status === 401
      throw error
    } finally {
      if (hasFailed) await permit.fail()
      else permit.release()
    }
  }

  async deleteExpired(): Promise<void> {
    const { store, clock } = this.#options
    await store.inSystemTransaction((writer) => deleteExpiredLoginFailures(writer, { before: clock() - windowMax }))
  }

  async #readFailures(limiter: LoginThrottle, attempt: LoginAttempt): Promise<void> {
    const counters = new Map(limiter.countersOf(attempt).map((counter) => [hashOf(counter.name), counter]))
    const known = JSON.stringify([...counters].map(([name, { lastRemoteId }]) => ({ name, after: lastRemoteId })))
    const elsewhere = await listLoginFailuresElsewhere(this.#options.store, { known, server: this.#server })
    for (const { id, name, at } of elsewhere) counters.get(name)?.addRemote(id, at / 1000)
  }

  async #storeFailures(names: readonly string[]): Promise<void> {
    const { store, clock } = this.#options
    const hashes = JSON.stringify(names.map((name) => ({ name: hashOf(name) })))
    const failed = { names: hashes, at: clock(), server: this.#server }
    await store.inSystemTransaction((writer) => insertLoginFailures(writer, failed))
  }
}

type LimitCode = 'TooManyFailedLogins' | 'RateLimited'

function limitError(code: LimitCode, waitMs: number): ApiError {
  const seconds = Math.ceil(waitMs / 1000)
  return new ApiError(code, { params: { seconds }, headers: { 'Retry-After': String(seconds) } })
}

const unlimited: SharedLoginPermit = { release: () => undefined, fail: async () => undefined }

/** The table holds only hashes, and no names of companies, people or networks. */
function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}

/** The longest window of any limit. */
const windowMax = microsecondsPerHour
