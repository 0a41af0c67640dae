// Rate limit: a token bucket of calls per credential.
import { ApiError } from '../../errors/api-error.ts'
import { LeastRecentlyUsed } from '../../lib/least-recently-used.ts'

export interface Rate {
  readonly callsPerMinute: number
  readonly burst: number
}

/** The burst is a third of the rate: 2,000 for 6,000 calls a minute. */
export function rateOf(callsPerMinute: number): Rate {
  return { callsPerMinute, burst: Math.max(1, Math.ceil(callsPerMinute / 3)) }
}

export interface Bucket {
  calls: number
  filledAtMs: number
}

export class RateLimiter {
  readonly #rate: () => Rate
  readonly #clockMs: () => number
  readonly #buckets = new LeastRecentlyUsed<string, Bucket>(bucketsMin)

  /** `rate` is called at each use, because a reload can change it. */
  constructor(rate: () => Rate, clockMs: () => number) {
    this.#rate = rate
    this.#clockMs = clockMs
  }

  /** Returns the bucket of a credential; the credential cache keeps it to avoid the lookup. */
  bucket(credentialId: string): Bucket {
    const found = this.#buckets.get(credentialId)
    if (found !== undefined) return found
    const bucket = { calls: this.#rate().burst, filledAtMs: this.#clockMs() }
    this.#buckets.set(credentialId, bucket)
    return bucket
  }

  /** Takes one call from the bucket. Throws `RateLimited` when it is empty, unless the caller is exempt. */
  take(bucket: Bucket, isExempt: boolean): void {
    this.#refill(bucket)
    if (bucket.calls >= 1) bucket.calls--
    else if (!isExempt) {
      const seconds = Math.max(1, this.#secondsUntil(1 - bucket.calls))
      throw new ApiError('RateLimited', {
        params: { seconds, limitName: 'callsPerMinuteMax' },
        headers: { 'Retry-After': String(seconds), ...this.headers(bucket) },
      })
    }
  }

  /** The remaining calls, in the format of draft-ietf-httpapi-ratelimit-headers. */
  headers(bucket: Bucket): { RateLimit: string; 'RateLimit-Policy': string } {
    const left = Math.floor(bucket.calls)
    const full = this.#secondsUntil(this.#rate().burst - bucket.calls)
    return {
      RateLimit: `"default";r=${left};t=${full}`,
      'RateLimit-Policy': `"default";q=${this.#rate().callsPerMinute};w=60`,
    }
  }

  #refill(bucket: Bucket): void {
    const now = this.#clockMs()
    const { callsPerMinute, burst } = this.#rate()
    const added = ((now - bucket.filledAtMs) / 60_000) * callsPerMinute
    bucket.calls = Math.min(burst, bucket.calls + Math.max(0, added))
    bucket.filledAtMs = now
  }

  #secondsUntil(calls: number): number {
    return Math.ceil((calls / this.#rate().callsPerMinute) * 60)
  }
}

const bucketsMin = 100_000
