// A bucket of calls per credential: it fills by the minute, and an empty one asks the caller to wait.
import { Fault } from '../../errors/catalog.ts'
import { LeastRecentlyUsed } from '../../lib/least-recently-used.ts'

export interface Rate {
  readonly callsPerMinute: number
  readonly burst: number
}

/** 6,000 calls a minute come with a burst of 2,000; any other rate in the same proportion. */
export function rateOf(callsPerMinute: number): Rate {
  return {
    callsPerMinute,
    burst: Math.max(1, Math.ceil(callsPerMinute / 3)),
  }
}

export interface Bucket {
  calls: number
  filledAtMs: number
}

export class RateLimiter {
  readonly #rateNow: () => Rate
  readonly #clockMs: () => number
  readonly #buckets = new LeastRecentlyUsed<string, Bucket>(bucketsMax)

  /** The rate is asked for at each use: an operator may change it. */
  constructor(rateNow: () => Rate, clockMs: () => number) {
    this.#rateNow = rateNow
    this.#clockMs = clockMs
  }

  get #rate(): Rate {
    return this.#rateNow()
  }

  /** The bucket of a credential; whoever admits it often keeps it at hand. */
  bucket(credentialId: string): Bucket {
    const found = this.#buckets.get(credentialId)
    if (found !== undefined) return found
    const bucket = { calls: this.#rate.burst, filledAtMs: this.#clockMs() }
    this.#buckets.set(credentialId, bucket)
    return bucket
  }

  /** Takes a call out. Throws `RateLimited` when there is none; a loopback caller is counted and served. */
  take(bucket: Bucket, isLoopback: boolean): void {
    this.#fill(bucket)
    if (bucket.calls >= 1) bucket.calls--
    else if (!isLoopback) {
      const seconds = Math.max(1, this.#secondsUntil(1 - bucket.calls))
      throw new Fault('RateLimited', {
        says: { seconds },
        headers: { 'Retry-After': String(seconds), ...this.headers(bucket) },
      })
    }
  }

  /** How much is left, as draft-ietf-httpapi-ratelimit-headers writes it. */
  headers(bucket: Bucket): { RateLimit: string; 'RateLimit-Policy': string } {
    const left = Math.floor(bucket.calls)
    const full = this.#secondsUntil(this.#rate.burst - bucket.calls)
    return {
      RateLimit: `"default";r=${left};t=${full}`,
      'RateLimit-Policy': `"default";q=${this.#rate.callsPerMinute};w=60`,
    }
  }

  #fill(bucket: Bucket): void {
    const now = this.#clockMs()
    const { callsPerMinute, burst } = this.#rate
    const added = ((now - bucket.filledAtMs) / 60_000) * callsPerMinute
    bucket.calls = Math.min(burst, bucket.calls + Math.max(0, added))
    bucket.filledAtMs = now
  }

  #secondsUntil(calls: number): number {
    return Math.ceil((calls / this.#rate.callsPerMinute) * 60)
  }
}

const bucketsMax = 100_000
