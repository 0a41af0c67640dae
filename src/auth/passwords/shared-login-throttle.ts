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
   * Runs the check of a secret. A result that `isFailed`, and an error 401, are stored as a failed login. An attempt that is
   * limited throws an error with this code; one that is limited locally does so without a database read.
   */
  async run<T>(
    attempt: LoginAttempt,
    check: () => Promise<T>,
    isFailed: (result: T) => boolean,
    code: LimitCode = 'TooManyFailedLogins',
  ): Promise<T> {
    if (this.#limiter === null) return check()
    const permit = await this.#admit(this.#limiter, attempt, code)
    let hasFailed = false
    try {
      const result = await check()
      hasFailed = isFailed(result)
      return result
    } catch (error) {
      hasFailed = error instanceof ApiError && error.status === 401
      throw error
    } finally {
      if (hasFailed) await this.#storeFailures(permit.names).finally(() => permit.fail())
      else permit.release()
    }
  }

  async #admit(limiter: LoginThrottle, attempt: LoginAttempt, code: LimitCode): Promise<LoginPermit> {
    const local = limiter.admit(attempt)
    if (typeof local === 'number') throw limitError(code, local)
    local.release()
    await this.#readFailures(limiter, attempt)
    const permit = limiter.admit(attempt)
    if (typeof permit === 'number') throw limitError(code, permit)
    return permit
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

/** The table holds only hashes, and no names of companies, people or networks. */
function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}

/** The longest window of any limit. */
const windowMax = microsecondsPerHour
